package ledger

import (
	"encoding/json"
	"fmt"
	"time"
)

// Comparison is two or more variants measured together.
type Comparison struct {
	ID     string `json:"id"`
	Status Status `json:"status"`
	// Reason says in words why Status is not complete.
	Reason string `json:"reason,omitempty"`
	// Started and Finished are UTC. Finished is zero while running and after a crash.
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
	// Runs are the ids of its runs in the order they began. The ledger stores them with the runs only.
	Runs []string `json:"runs"`
	// Word is the verdict in one word, Sentence in one sentence.
	Word     string `json:"word,omitempty"`
	Sentence string `json:"sentence,omitempty"`
	// Origin says where it was measured; nil for this ledger.
	Origin *Origin `json:"origin,omitempty"`
	// Doc is the caller's own document, with a schema version of its own.
	Doc json.RawMessage `json:"doc,omitempty"`
}

// ComparisonDraft is a comparison that is being recorded.
type ComparisonDraft struct{ pending *pending }

// BeginComparison stores a comparison as running and gives it a permanent id. Of c
// only Started (zero means now) and Doc count; its runs are those that begin with
// its id in Run.Comparison.
func (l *Ledger) BeginComparison(c Comparison) (*ComparisonDraft, error) {
	if err := checkDoc(c.Doc); err != nil {
		return nil, fmt.Errorf("begin comparison: %w", err)
	}
	record := &Record{Comparison: &Comparison{Started: c.Started}, Doc: string(c.Doc)}
	p, err := l.begin(record, &record.Comparison.ID, &record.Comparison.Started)
	if err != nil {
		return nil, err
	}
	return &ComparisonDraft{p}, nil
}

// ID returns the comparison's permanent id.
func (d *ComparisonDraft) ID() string { return d.pending.ref.ID }

// Finish ends the comparison with its Status (complete, partial, invalid or
// interrupted), Reason, Word, Sentence and, unless empty, Doc.
func (d *ComparisonDraft) Finish(c Comparison) error {
	return d.pending.end(c.Status, c.Reason, c.Doc, func(r *Record) {
		r.Comparison.Word, r.Comparison.Sentence = c.Word, c.Sentence
	})
}

// Comparisons lists the newest comparisons, at most limit of them (0: all), the
// newest first. One that is damaged is left out, and Damage names it.
func (l *Ledger) Comparisons(limit int) ([]Comparison, error) {
	all, err := l.list(KindComparison)
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		all = all[:min(limit, len(all))]
	}
	l.mu.Lock()
	runs := l.known.runsOf()
	l.mu.Unlock()
	var list []Comparison
	for _, r := range all {
		c := *r.Comparison
		c.Status, c.Reason = r.seen()
		c.Runs = append([]string{}, runs[c.ID]...)
		if c.Doc, err = l.document(r.Ref()); err == nil {
			list = append(list, c)
		}
	}
	return list, nil
}

// Comparison returns the comparison with this id or unambiguous prefix of it;
// fail.BadInput if there is none.
func (l *Ledger) Comparison(idOrPrefix string) (Comparison, error) {
	ref, err := l.resolve(idOrPrefix, KindComparison)
	if err != nil {
		return Comparison{}, err
	}
	r, err := l.entry(ref)
	if err != nil {
		return Comparison{}, err
	}
	c := *r.Comparison
	c.Status, c.Reason = r.seen()
	c.Doc, err = l.document(ref)
	return c, err
}
