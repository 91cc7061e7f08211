package page

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/stored"
)

// benchComparison makes the page of a measurement of benchmarks.
func benchComparison(s *stored.Comparison) *Comparison {
	row, r := s.Row, s.Bench
	h := Head{Schema: Schema, Kind: KindBench, ID: row.ID, Started: row.Started, Status: string(row.Status)}
	h.Title = benchTitle(r)
	if r.Elapsed > 0 {
		h.Elapsed = units.Seconds(r.Elapsed)
	}
	if row.Origin != nil {
		h.Host = row.Origin.Host
	}
	m := bench.ComparisonOf(r)
	if row.Status != ledger.Complete {
		none := model.Statement{Text: bench.NoResult(row.Status, row.Reason), Tone: model.Bad}
		if m.Verdicts = append([]model.Statement{none}, m.Verdicts...); !m.Compared {
			m.Verdicts = m.Verdicts[:1]
		}
	}
	m.Commands = []model.Command{{Line: "hone show " + row.ID, What: "this again, as text"}}
	if again := bench.Again(r); again != "" {
		m.Commands = append(m.Commands, model.Command{Line: again,
			What: "the results once more, which benchstat reads too"})
	}
	p := comparisonPage(h, m)
	for _, b := range r.Benchmarks {
		if len(p.Contests) > 0 && len(b.Verdicts) > 0 {
			p.Contests[0].Waterfalls = append(p.Contests[0].Waterfalls,
				costWaterfall(b.Verdicts[0], b.Explained, b.Name)...)
		}
		for i, run := range b.Profiles {
			if run != "" {
				p.Profiles = append(p.Profiles, ProfileRef{Kind: "cpu",
					Title: model.Letter(i) + ": CPU time of " + b.Name, Run: run, Path: ProfilePath(run, "cpu", "")})
			}
		}
	}
	return p
}

// benchTitle names the benchmark, or the package of all of them, and both sides: "BenchmarkSort: v1 vs working tree".
func benchTitle(r *benchmarks.Result) string {
	what := "benchmarks"
	if all := r.Benchmarks; len(all) == 1 {
		what = all[0].Name
	} else if len(all) > 0 && !slices.ContainsFunc(all,
		func(b benchmarks.Benchmark) bool { return b.Package != all[0].Package }) {
		what += " of " + build.BaseName(all[0].Package)
	}
	return what + ": " + strings.Join(bench.Sides(r), " vs ")
}
