package page

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
)

// compared is a stored comparison of programs while its page is made.
type compared struct {
	library  *Library
	row      ledger.Comparison
	document *record.Comparison
	stored   []*storedRun
	runs     []record.Run
	// once are the documents of whole executions; nil where variants were compared under load.
	once []record.Executions
}

// Comparison makes the page of the comparison with this id or unambiguous prefix of it; fail.BadInput if there is none.
func (l *Library) Comparison(id string) (*Comparison, error) {
	c, err := l.Stored.Comparison(id)
	if err != nil {
		return nil, err
	}
	return l.comparison(c)
}

func (l *Library) comparison(s *stored.Comparison) (*Comparison, error) {
	if s.Bench != nil {
		return benchComparison(s), nil
	}
	if s.Bisect != nil {
		return bisection(s), nil
	}
	c := &compared{library: l, row: s.Row, document: s.Record, runs: s.Records(), once: s.Executions()}
	for _, r := range s.Runs {
		one, err := l.storedRun(r)
		if err != nil {
			return nil, err
		}
		c.stored = append(c.stored, one)
	}
	return c.page()
}

func (c *compared) page() (*Comparison, error) {
	c.library.Stored.Explain(c.document)
	m := model.ComparisonOf(c.document, c.runs, model.Full)
	if len(c.once) > 0 {
		m = model.OnceComparisonOf(c.document, c.once, model.Full)
	}
	p := comparisonPage(c.head(), m)
	p.Environment = c.environment()
	for i, contest := range c.document.Contests {
		if !m.Compared {
			break
		}
		one := &p.Contests[i]
		one.Findings, one.Waterfalls = model.FindingChanges(contest), waterfalls(contest)
		if min(contest.A, contest.B) < 0 || max(contest.A, contest.B) >= len(c.runs) {
			continue // a document that does not fit its runs
		}
		var err error
		if one.Functions, err = c.library.functionRows(c.runs[contest.A], c.runs[contest.B]); err != nil {
			p.Check.Notes = append(p.Check.Notes, model.Statement{Text: fmt.Sprintf("damaged: %v", err),
				Tone: model.Warning})
		}
		relateFunctions(one)
		a, b := c.stored[contest.A], c.stored[contest.B]
		if a.row.Comparison == b.row.Comparison { // else no slice of one has a slice of the other beside it
			one.Pairs, one.Blocks, one.PairsNote = pairsOf(a, b)
		}
	}
	for i, s := range c.stored {
		for _, ref := range s.profiles() {
			ref.Title = model.Letter(i) + ": " + ref.Title
			p.Profiles = append(p.Profiles, ref)
		}
		counts, damage := histogramsOf(s.slices)
		if damage != nil {
			p.Check.Notes = append(p.Check.Notes, model.Statement{Text: fmt.Sprintf("damaged: run %s: %v", s.row.ID,
				damage), Tone: model.Warning})
		}
		if curve := s.curve(counts); curve != nil && c.once == nil {
			curve.Name = model.Letter(i) + ": " + curve.Name
			p.Latency = append(p.Latency, *curve)
		}
	}
	return p, nil
}

// comparisonPage lays out what is shown of a comparison.
func comparisonPage(h Head, m *model.Comparison) *Comparison {
	p := &Comparison{
		Head: h, Variants: filled(m.Variants), Under: filled(m.Under), Verdicts: m.Verdicts, Stopped: m.Stopped,
		Answers: m.Answers,
		Check: model.Check{Statement: m.Check, Notes: slices.Concat(m.Indicative, m.Open, m.Limits, m.Doubts,
			m.Notes)},
		Contests: filled(m.Contests), Gates: m.Gates, Environment: []EnvironmentRow{}, Profiles: []ProfileRef{},
		Commands: m.Commands,
	}
	if m.RanIn != "" {
		p.Under = append(p.Under, m.RanIn)
	}
	for _, one := range m.Assumed {
		p.Under = append(p.Under, one.Text)
	}
	return p
}

func (c *compared) head() Head {
	var variants []titled
	for _, r := range c.runs {
		t := titledOf(r.Label, r.Binary.Package)
		t.commit = commitOf(r.Head)
		variants = append(variants, t)
	}
	h := Head{Schema: Schema, Kind: KindComparison, ID: c.row.ID, Title: versus(variants), Started: c.row.Started,
		Status: string(c.row.Status)}
	if c.document.Elapsed > 0 {
		h.Elapsed = units.Seconds(c.document.Elapsed)
	}
	if len(c.runs) > 0 {
		h.Version = c.runs[0].Environment.Hone
	}
	if c.row.Origin != nil {
		h.Host = c.row.Origin.Host
	}
	return h
}
