package resultfiles

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// finish computes all tables.
func (g *grouper) finish(out *benchmarks.Tables, r Task, units benchfmt.UnitMetadataMap) {
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = r.Alpha
	files := map[benchproc.Key]bool{}
	for _, key := range sorted(g.tables) {
		for col := range g.tables[key].cols {
			files[col] = true
		}
	}
	columns := sorted(files)
	for _, c := range columns {
		out.Files = append(out.Files, c.StringValues())
	}
	for _, key := range sorted(g.tables) {
		unit := key.Get(g.unit)
		b := &builder{task: r, unit: unit, better: betterSign(units, unit), assumption: units.GetAssumption(unit),
			thresholds: &thresholds, columns: columns}
		t := benchmarks.Table{Unit: unit, Better: b.better, Config: g.config(key)}
		b.fill(&t, g.tables[key])
		out.Tables = append(out.Tables, t)
	}
}

// config lists what sets a table apart, but for its unit.
func (g *grouper) config(key benchproc.Key) []string {
	var lines []string
	for _, f := range g.table.FlattenedFields() {
		if f.Name != ".unit" && key.Get(f) != "" {
			lines = append(lines, f.Name+": "+key.Get(f))
		}
	}
	return lines
}

// betterSign knows more units than benchfmt: any rate, and what hone writes itself.
func betterSign(units benchfmt.UnitMetadataMap, unit string) int {
	if units.Get(unit, "better") != nil || units.GetBetter(unit) != 0 {
		return units.GetBetter(unit)
	}
	switch {
	case measure.BetterOf(unit) == judge.Higher:
		return 1
	case strings.HasSuffix(unit, "/op"):
		return -1
	}
	return 0
}

// builder makes one table.
type builder struct {
	task       Task
	unit       string
	better     int
	assumption benchmath.Assumption
	thresholds *benchmath.Thresholds
	columns    []benchproc.Key
}

// fill computes the rows and the geometric means. The first file that has the table is
// what the others are compared with.
func (b *builder) fill(t *benchmarks.Table, g *group) {
	base := sorted(g.cols)[0]
	samples := map[place]*benchmath.Sample{}
	for at, v := range g.cells {
		samples[at] = benchmath.NewSample(v.numbers, b.thresholds)
	}
	for _, row := range sorted(g.rows) {
		line := benchmarks.Row{Name: row.StringValues(), Cells: make([]*benchmarks.Cell, len(b.columns))}
		for i, col := range b.columns {
			s := samples[place{row, col}]
			if s == nil {
				continue
			}
			line.Cells[i] = b.cell(s, g.cells[place{row, col}])
			if old := samples[place{row, base}]; old != nil && col != base {
				b.change(line.Cells[i], old, s)
			}
		}
		t.Rows = append(t.Rows, line)
	}
	for i, col := range b.columns {
		t.Geo = append(t.Geo, geo(t.Rows, i, slices.Index(b.columns, base), g.cols[col]))
	}
}

func (b *builder) cell(s *benchmath.Sample, v *values) *benchmarks.Cell {
	sum := b.assumption.Summary(s, 1-b.task.Alpha)
	c := &benchmarks.Cell{Median: sum.Center, Low: judge.Bound(sum.Lo), High: judge.Bound(sum.Hi), N: len(s.Values),
		Range: sum.PctRangeString()}
	for _, w := range append(s.Warnings, sum.Warnings...) {
		c.Warnings = append(c.Warnings, w.Error())
	}
	for _, field := range benchproc.NonSingularFields(sorted(v.residue)) {
		c.Warnings = append(c.Warnings, "benchmarks vary in "+field.Name)
	}
	return c
}

// change compares a cell with the first file's.
func (b *builder) change(c *benchmarks.Cell, old, s *benchmath.Sample) {
	from := b.assumption.Summary(old, 1-b.task.Alpha).Center
	test := b.assumption.Compare(old, s)
	ch := &benchmarks.Change{Ratio: judge.Bound(c.Median / from), P: test.P, Delta: test.FormatDelta(from, c.Median),
		Test: test.String()}
	if from == c.Median {
		ch.Ratio = 1 // none out of none, too
	}
	for _, w := range test.Warnings {
		c.Warnings = append(c.Warnings, w.Error())
	}
	beyond := math.Abs(math.Log(float64(ch.Ratio))) > math.Log1p(b.task.Delta)
	if test.P <= b.task.Alpha && beyond && b.better != 0 {
		ch.Word = judge.Slower
		if (c.Median > from) == (b.better > 0) {
			ch.Word = judge.Faster
		}
	}
	unit, scale := untidy(b.unit)
	measure := measure.OfUnit(unit)
	for _, g := range b.task.Gates {
		if g.Measure.Key == measure.Key {
			ch.Gates = append(ch.Gates, b.judgeGate(g, measure, scale, old.Values, s.Values))
		}
	}
	c.Change = ch
}

// untidy is the unit as go test writes it, and how many of it the tidy one has.
func untidy(unit string) (string, float64) {
	switch unit {
	case "sec/op":
		return "ns/op", 1e9
	case "cpu-sec/op":
		return measure.CPUUnit, 1e9
	}
	return unit, 1
}

// judgeGate holds a gate against the interval of the ratio by ranks: all shifts of the
// logarithms that the test of Mann and Whitney would not reject (stats.Shift). scale makes the
// measure's unit of that of the values.
func (b *builder) judgeGate(g gate.Gate, measure judge.Measure, scale float64, old, now []float64) gate.Result {
	r := gate.Result{Gate: g, Variant: "B", Outcome: gate.Open}
	logs := func(values []float64) []float64 {
		var l []float64
		for _, v := range values {
			l = append(l, math.Log(max(v*scale, measure.Floor)))
		}
		return l
	}
	e, bad := stats.Shift(logs(old), logs(now), 1-b.task.Alpha)
	from, none := stats.Median(old)
	if err := cmp.Or(bad, none); err != nil {
		r.Reason = err.Error()
		return r
	}
	v := judge.Verdict{Measure: measure, Word: judge.Undecided, A: from * scale, Indicative: true, Method: judge.Ranks,
		Ratio: math.Exp(e.Value), Low: math.Exp(e.Low), High: math.Exp(e.High),
		Reason: fmt.Sprintf("too few results for an interval: %d and %d", len(old), len(now))}
	r.Outcome, r.Reason = g.Judge(v)
	return r
}

// geo is the geometric mean of column i and of its ratios to column base. Ratios are
// averaged, not means divided: so they mean something where files differ in benchmarks.
func geo(rows []benchmarks.Row, i, base int, there bool) benchmarks.GeoCell {
	var out benchmarks.GeoCell
	if !there {
		return out
	}
	var centers, ratios []float64
	inBase, bad := 0, false
	for _, row := range rows {
		if row.Cells[base] != nil {
			inBase++
		}
		c := row.Cells[i]
		if c == nil {
			continue
		}
		centers = append(centers, c.Median)
		if c.Change != nil {
			ratios = append(ratios, float64(c.Change.Ratio))
			bad = bad || math.IsInf(float64(c.Change.Ratio), 0)
		}
	}
	if i != base && inBase != len(ratios) {
		out.Warnings = append(out.Warnings, "benchmark set differs from baseline; geomeans may not be comparable")
	}
	if m, err := stats.GeoMean(centers); err == nil {
		out.Mean = &m
	} else {
		out.Warnings = append(out.Warnings, "summaries must be >0 to compute geomean")
	}
	if i != base && !bad {
		if m, err := stats.GeoMean(ratios); err == nil {
			out.Ratio = &m
		} else {
			out.Warnings = append(out.Warnings, "ratios must be >0 to compute geomean")
		}
	}
	return out
}
