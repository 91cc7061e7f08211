package ledger

import (
	"database/sql"
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
	// Runs are the ids of its runs in the order they began.
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
	p, err := l.begin(KindComparison, c.Started, func(tx *sql.Tx, id string, started int64) error {
		_, err := tx.Exec(`INSERT INTO comparisons (id, status, started, doc, pid, born)
			VALUES (?, 'running', ?, ?, ?, ?)`, id, started, docOf(c.Doc), l.me.pid, l.me.born)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &ComparisonDraft{p}, nil
}

// ID returns the comparison's permanent id.
func (d *ComparisonDraft) ID() string { return d.pending.id }

// Finish ends the comparison with its Status (complete, partial, invalid or
// interrupted), Reason, Word, Sentence and, unless empty, Doc.
func (d *ComparisonDraft) Finish(c Comparison) error {
	return d.pending.end(c.Status, c.Reason, c.Doc, ", word = ?, sentence = ?", c.Word, c.Sentence)
}

// Comparisons lists the newest comparisons, at most limit of them (0: all), the
// newest first.
func (l *Ledger) Comparisons(limit int) ([]Comparison, error) {
	if limit <= 0 {
		limit = -1 // SQLite's word for no limit
	}
	all, err := comparisonsIn(l.db, "ORDER BY seq DESC LIMIT ?", limit)
	return all, storage(l.dir, err, "list comparisons")
}

// Comparison returns the comparison with this id or unambiguous prefix of it;
// fail.BadInput if there is none.
func (l *Ledger) Comparison(idOrPrefix string) (Comparison, error) {
	return named(l, idOrPrefix, KindComparison, "comparison", comparisonOf)
}

func comparisonOf(q querier, id string) (Comparison, error) {
	all, err := comparisonsIn(q, "WHERE id = ?", id)
	return only(all, err, id)
}

func comparisonsIn(q querier, tail string, args ...any) ([]Comparison, error) {
	rows, err := q.Query(`SELECT `+comparisonColumns+`, doc,
		(SELECT json_group_array(id) FROM (SELECT id FROM runs WHERE comparison = comparisons.id ORDER BY seq))
		FROM comparisons `+tail, args...)
	return collect(rows, err, func(r *sql.Rows) (Comparison, error) { return scanComparison(r) })
}

const comparisonColumns = `id, status, reason, started, finished, word, sentence, pid, born, origin`

// scanComparison reads comparisonColumns, the document and the ids of the runs, and the
// further columns into more.
func scanComparison(rows *sql.Rows, more ...any) (Comparison, error) {
	var (
		c                 Comparison
		started, finished sql.NullInt64
		writer            process
		origin            string
		doc, runs         []byte
	)
	columns := []any{&c.ID, &c.Status, &c.Reason, &started, &finished, &c.Word, &c.Sentence,
		&writer.pid, &writer.born, &origin, &doc, &runs}
	err := rows.Scan(append(columns, more...)...)
	if err != nil {
		return Comparison{}, err
	}
	if err := json.Unmarshal(runs, &c.Runs); err != nil {
		return Comparison{}, fmt.Errorf("read runs of comparison %s: %w", c.ID, err)
	}
	c.Doc = doc
	c.Started, c.Finished = timeOf(started), timeOf(finished)
	c.Status, c.Reason = seen(c.Status, c.Reason, writer)
	c.Origin, err = parseOrigin(origin)
	return c, err
}
