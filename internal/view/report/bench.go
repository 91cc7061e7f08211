package report

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/judge"
)

// Bench writes the result of a measurement of benchmarks: the gates, where only they count,
// the sentence, the conditions, a table for each measure, what was not compared, and the next command.
func Bench(w io.Writer, r *benchmarks.Result) error {
	r = printable.Document(r)
	b := &strings.Builder{}
	benchGates(b, r.GateCount(), r.Gates)
	fmt.Fprintln(b, bench.Sentence(r))
	for _, line := range bench.Under(r) {
		fmt.Fprintln(b, line)
	}
	if r.Instructions != nil {
		instructions(b, r)
	} else {
		for _, t := range benchTables(r) {
			t.text(b)
		}
	}
	say(b, bench.Notes(r))
	for _, line := range model.BenchWhy(r) {
		fmt.Fprintln(b, line)
	}
	for _, one := range r.Benchmarks {
		if p := one.Profiles; p[0] != "" && p[1] != "" {
			fmt.Fprintf(b, "profiles of %s: hone profile diff %s %s\n", one.Name, p[0], p[1])
		}
	}
	if need := bench.Need(r); need != "" {
		fmt.Fprintln(b, need)
	}
	if r.ID != "" {
		fmt.Fprintf(b, "comparison %s is in the ledger: hone show %s (this again)\n", r.ID, r.ID)
	}
	if again := bench.Again(r); again != "" {
		fmt.Fprintf(b, "results: %s %s\nnext: %s   (benchstat reads them too)\n", r.Files[0], r.Files[1], again)
	}
	return write(w, b)
}

// BenchUnfinished writes what is stored of a measurement of benchmarks that has no result: it
// goes on, or ended before there was one.
func BenchUnfinished(w io.Writer, r *benchmarks.Result, status ledger.Status, reason string) error {
	r, status, reason = printable.Document(r), printable.Document(status), printable.Document(reason)
	b := &strings.Builder{}
	fmt.Fprintln(b, bench.NoResult(status, reason))
	for _, line := range bench.Under(r) {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b, "next: hone bench --vs REF measures again, hone history")
	return write(w, b)
}

// benchGates counts the gates, and lists those of each benchmark that did not pass.
func benchGates(b *strings.Builder, n map[gate.Outcome]int, gates iter.Seq2[string, []gate.Result]) {
	if len(n) == 0 {
		return
	}
	fmt.Fprintf(b, "gates: %d passed, %d failed, %d undecided\n", n[gate.Passed], n[gate.Failed], n[gate.Open])
	for name, g := range notPassed(gates) {
		fmt.Fprintf(b, "  %s: %s %s: %s\n", g.Outcome, name, g.Gate.Text, g.Reason)
	}
}

// notPassed yields the gates that did not pass, each with its benchmark: those that failed, then the undecided ones.
func notPassed(gates iter.Seq2[string, []gate.Result]) iter.Seq2[string, gate.Result] {
	return func(yield func(string, gate.Result) bool) {
		for _, outcome := range []gate.Outcome{gate.Failed, gate.Open} {
			for name, all := range gates {
				for _, g := range all {
					if g.Outcome == outcome && !yield(name, g) {
						return
					}
				}
			}
		}
	}
}

// benchTable is the verdicts on one measure.
type benchTable struct {
	measure judge.Measure
	rows    []benchRow
	left    int // rows that are not worth showing: nothing changed
}

type benchRow struct {
	pkg, name string
	verdict   judge.Verdict
}

// benchTables are the measures of a result. All rows of the deciding one are shown, and of
// the others those that are not the same.
func benchTables(r *benchmarks.Result) []benchTable {
	var tables []benchTable
	at := map[string]int{}
	add := func(row benchRow, always bool) {
		key := row.verdict.Measure.Key
		i, known := at[key]
		if !known {
			i = len(tables)
			at[key], tables = i, append(tables, benchTable{measure: row.verdict.Measure})
		}
		if always || !row.verdict.Word.Alike() {
			tables[i].rows = append(tables[i].rows, row)
		} else {
			tables[i].left++
		}
	}
	for _, bench := range r.Benchmarks {
		for i, v := range bench.Verdicts {
			add(benchRow{bench.Package, bench.Name, v}, i == 0)
		}
	}
	for _, v := range bench.Geomeans(r) { // it is not a benchmark: it is not counted among those left out
		if i, known := at[v.Measure.Key]; known && len(tables[i].rows) > 0 {
			tables[i].rows = append(tables[i].rows, benchRow{"", "geomean", v})
		}
	}
	return tables
}

func (t benchTable) text(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s, A -> B\n", t.measure.Name)
	lines, pkg := &grid{}, ""
	for _, row := range t.rows {
		if row.pkg != pkg && row.pkg != "" {
			pkg = row.pkg
			lines.note(pkg)
		}
		c := row.cells()
		lines.row(append([]string{""}, c[:]...)...)
	}
	lines.write(b)
	if t.left > 0 {
		fmt.Fprintf(b, "  no change in %s\n", plural(t.left, "benchmark"))
	}
}

// cells are name, values, change, interval and verdict.
func (r benchRow) cells() [5]string {
	v := r.verdict
	p := model.ValuesOf(v)
	values := p.String()
	if p.Unit == "" {
		values += " " + v.Measure.Unit
	}
	m := bench.MeasureOf(v)
	return [5]string{r.name, values, m.Change.Text, m.Interval, fmt.Sprintf("%s (%sn=%d)", m.Word, stages(v), v.Starts)}
}

// stages says whether the second stage confirmed what the first one saw.
func stages(v judge.Verdict) string {
	switch {
	case v.Confirmed():
		return "confirmed, "
	case v.First != nil && v.First.Word != v.Word:
		return "not confirmed, "
	}
	return ""
}
