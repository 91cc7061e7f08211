package page

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// benchComparison makes the page of a measurement of benchmarks: a contest whose measures are the benchmarks.
func benchComparison(s *stored.Comparison) *Comparison {
	row, r := s.Row, s.Bench
	p := &Comparison{
		Head:  Head{Schema: Schema, Kind: KindBench, ID: row.ID, Started: row.Started, Status: string(row.Status)},
		Under: report.BenchUnder(r), Verdicts: []Statement{}, Contests: []Contest{}, Environment: []EnvironmentRow{},
		Profiles: []ProfileRef{}, Commands: []Command{},
	}
	if r.Elapsed > 0 {
		p.Elapsed = units.Seconds(r.Elapsed)
	}
	if row.Origin != nil {
		p.Host = row.Origin.Host
	}
	for i, side := range r.Sides {
		p.Variants = append(p.Variants, Variant{Letter: report.Letter(i), Label: side.Label, Commit: side.Commit, Source: side.Commit})
	}
	p.Title = "benchmarks: " + r.Sides[0].Label + " vs " + r.Sides[1].Label
	if row.Status != ledger.Complete || len(r.Benchmarks) == 0 {
		said := Statement{fmt.Sprintf("no result (%s)", row.Status), Bad}
		if row.Reason != "" {
			said.Text += ": " + row.Reason
		}
		if len(r.Benchmarks) == 0 && row.Status == ledger.Complete {
			said.Text = report.BenchSentence(r)
		}
		p.Verdicts = append(p.Verdicts, said)
	}
	if len(r.Benchmarks) > 0 {
		p.Verdicts = append(p.Verdicts, Statement{report.BenchSentence(r), wordTone(compare.Word(report.BenchWord(r)))})
	}
	p.Check = Check{Statement: Statement{fmt.Sprintf("%s, %s", units.Plural(len(r.Benchmarks), "benchmark"), units.Plural(r.Rounds, "round")), Good}}
	for _, note := range report.BenchNotes(r) {
		p.Check.Notes = append(p.Check.Notes, Statement{note, lineTone(note, Neutral)})
	}
	if packages, benchmarks := r.FailureCount(); packages+benchmarks > 0 {
		p.Check.Tone = Warning
	}
	p.benchmarks(r)
	p.Commands = append(p.Commands, Command{Line: "hone show " + row.ID, What: "this again, as text"})
	if len(r.Benchmarks) > 0 {
		p.Commands = append(p.Commands, Command{Line: fmt.Sprintf("hone bench compare %s %s", r.Files[0], r.Files[1]), What: "the results once more, which benchstat reads too"})
	}
	return p
}

// benchmarks adds a row for each benchmark and measure, and the gates.
func (p *Comparison) benchmarks(r *gobench.Result) {
	c := Contest{A: 0, B: 1, Word: report.BenchWord(r), Tone: wordTone(compare.Word(report.BenchWord(r))), Tolerance: r.Delta, Measures: []MeasureRow{}}
	many := len(slices.Compact(slices.Sorted(packagesOf(r)))) > 1
	for _, b := range r.Benchmarks {
		for i, v := range b.Verdicts {
			row := measureRow(v, report.BenchTexts(v))
			row.Key, row.Gated = b.Package+"."+b.Name+" "+v.Measure.Key, i == 0
			row.Name = b.Name + " " + v.Measure.Name
			if many {
				row.Name = b.Package + " " + row.Name
			}
			c.Measures = append(c.Measures, row)
		}
		for _, g := range b.Gates {
			p.Gates = append(p.Gates, Statement{b.Name + ": " + report.Gate(g, false), gateTone(g.Outcome)})
		}
		for i, run := range b.Profiles {
			if run != "" {
				p.Profiles = append(p.Profiles, ProfileRef{Kind: "cpu", Title: report.Letter(i) + ": CPU time of " + b.Name, Run: run, Path: ProfilePath(run, "cpu", "")})
			}
		}
	}
	for _, u := range r.Unchanged {
		for _, g := range u.Gates {
			p.Gates = append(p.Gates, Statement{u.Name + ": " + report.Gate(g, false), gateTone(g.Outcome)})
		}
	}
	for _, v := range r.Geomean {
		row := measureRow(v, report.BenchTexts(v))
		row.Key, row.Name, row.Gated = "geomean "+v.Measure.Key, "geometric mean of all, "+v.Measure.Name, false
		c.Measures = append(c.Measures, row)
	}
	p.Contests = append(p.Contests, c)
}

func packagesOf(r *gobench.Result) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, b := range r.Benchmarks {
			if !yield(b.Package) {
				return
			}
		}
	}
}

func gateTone(o compare.Outcome) Tone {
	switch o {
	case compare.Passed:
		return Good
	case compare.Failed:
		return Bad
	}
	return Warning
}
