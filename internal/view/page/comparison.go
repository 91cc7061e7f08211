package page

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// compared is a stored comparison of programs while its page is made.
type compared struct {
	library  *Library
	row      ledger.Comparison
	document *lab.ComparisonRecord
	stored   []*storedRun
	runs     []lab.Record
	// once are the documents of whole executions; nil where variants were compared under load.
	once []lab.OnceRecord
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
	p := &Comparison{
		Head: c.head(), Variants: variantsOf(c.runs), Under: c.under(), Verdicts: []Statement{}, Check: c.check(), Contests: []Contest{},
		Environment: c.environment(), Profiles: []ProfileRef{}, Commands: []Command{},
	}
	if report.HasVerdict(c.document) {
		p.Verdicts, p.Stopped = verdictsOf(c.document), report.Stopped(c.document)
		p.Gates, p.Answers = gatesOf(c.document), answersOf(c.document, c.runs)
	} else {
		said, _ := report.NoVerdict(c.document, c.runs)
		p.Verdicts = []Statement{{said, Bad}}
	}
	for _, contest := range c.document.Contests {
		one := c.contest(contest)
		var err error
		if a, b := contest.A, contest.B; report.HasVerdict(c.document) && min(a, b) >= 0 && max(a, b) < len(c.runs) {
			one.Functions, err = c.library.functionRows(c.runs[a], c.runs[b])
		}
		if err != nil {
			p.Check.Notes = append(p.Check.Notes, Statement{fmt.Sprintf("damaged: %v", err), Warning})
		}
		p.Contests = append(p.Contests, one)
	}
	for i, s := range c.stored {
		for _, ref := range s.profiles() {
			ref.Title = report.Letter(i) + ": " + ref.Title
			p.Profiles = append(p.Profiles, ref)
		}
		counts, damage := histogramsOf(s.slices)
		if damage != nil {
			p.Check.Notes = append(p.Check.Notes, Statement{fmt.Sprintf("damaged: run %s: %v", s.row.ID, damage), Warning})
		}
		if curve := s.curve(counts); curve != nil && c.once == nil {
			curve.Name = report.Letter(i) + ": " + curve.Name
			p.Latency = append(p.Latency, *curve)
		}
	}
	p.Commands = append(p.Commands, report.NextCommands(c.document, report.Heads(c.runs))...)
	return p, nil
}

func (c *compared) head() Head {
	h := Head{Schema: Schema, Kind: KindComparison, ID: c.row.ID, Title: titleOf(c.runs), Started: c.row.Started, Status: string(c.row.Status)}
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

// contest is what is known of one variant against another.
func (c *compared) contest(of lab.Contest) Contest {
	one := Contest{A: of.A, B: of.B, Word: string(of.Word), Tone: contestTone(of), Tolerance: compare.DefaultDelta, Measures: []MeasureRow{}}
	if v, ok := report.Gated(of); ok {
		one.Tolerance = v.Delta
	}
	if !report.HasVerdict(c.document) {
		one.Word, one.Tone = string(compare.Invalid), Bad
		return one
	}
	for _, v := range of.Verdicts {
		one.Measures = append(one.Measures, measureRow(v, report.TextsOf(v)))
	}
	one.Why, one.Waterfall, one.Waits = report.WhyLines(of), cpuWaterfall(of), waitWaterfalls(of)
	if of.A < 0 || of.A >= len(c.runs) || of.B < 0 || of.B >= len(c.runs) {
		return one // a document that does not fit its runs
	}
	a, b := c.stored[of.A], c.stored[of.B]
	if a.row.Comparison == b.row.Comparison { // else no slice of one has a slice of the other beside it
		one.Pairs, one.Blocks, one.PairsNote = pairsOf(a, b)
	}
	return one
}
