package report

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Bench writes the result of a measurement of benchmarks: the gates, where only they count,
// the sentence, the conditions, a table for each measure, what was not compared, and the next command.
func Bench(w io.Writer, r *gobench.Result) error {
	r = printable.Document(r)
	b := &strings.Builder{}
	benchGates(b, r.GateCount(), func(yield func(string, []compare.GateResult) bool) {
		for _, bench := range r.Benchmarks {
			if !yield(bench.Name, bench.Gates) {
				return
			}
		}
	})
	fmt.Fprintln(b, BenchSentence(r))
	benchConditions(b, r)
	if r.Instructions != nil {
		instructions(b, r)
	} else {
		for _, t := range benchTables(r) {
			t.text(b)
		}
	}
	benchChanged(b, r)
	for _, text := range slices.Concat(benchCaveats(r), benchWays(r), benchDiffers(r)) {
		fmt.Fprintln(b, "note: "+text)
	}
	benchLeft(b, r)
	for _, n := range r.Notes {
		fmt.Fprintln(b, strings.TrimSpace("note: "+n.Package)+" "+n.Text)
	}
	for _, one := range r.Benchmarks {
		if p := one.Profiles; p[0] != "" {
			fmt.Fprintf(b, "profiles of %s: hone profile diff %s %s\n", one.Name, p[0], p[1])
		}
	}
	if need := benchNeed(r); need != "" {
		fmt.Fprintln(b, need)
	}
	if r.ID != "" {
		fmt.Fprintf(b, "comparison %s is in the ledger: hone show %s (this again)\n", r.ID, r.ID)
	}
	if len(r.Benchmarks) > 0 {
		fmt.Fprintf(b, "results: %s %s\nnext: hone bench compare %s %s   (benchstat reads them too)\n", r.Files[0], r.Files[1], r.Files[0], r.Files[1])
	}
	return write(w, b)
}

// BenchUnfinished writes what is stored of a measurement of benchmarks that has no result: it
// goes on, or ended before there was one.
func BenchUnfinished(w io.Writer, r *gobench.Result, status ledger.Status, reason string) error {
	r, status, reason = printable.Document(r), printable.Document(status), printable.Document(reason)
	b := &strings.Builder{}
	fmt.Fprintf(b, "no result (%s)", status)
	if reason != "" {
		fmt.Fprintf(b, ": %s", reason)
	}
	fmt.Fprintln(b)
	benchConditions(b, r)
	fmt.Fprintln(b, "next: hone bench --vs REF measures again, hone history")
	return write(w, b)
}

// BenchWord is the outcome in one word: the worst verdict, or that nothing was compared.
func BenchWord(r *gobench.Result) string {
	n := r.Count()
	for _, word := range []compare.Word{compare.Slower, compare.Undecided, compare.Faster, compare.Same} {
		if n[word] > 0 {
			return string(word)
		}
	}
	if len(r.Unchanged) > 0 {
		return string(compare.Same)
	}
	return string(compare.Undecided)
}

// benchCounts is how many benchmarks have which verdict: "1 slower, 2 same".
func benchCounts(r *gobench.Result) string {
	n := r.Count()
	var parts []string
	for _, word := range []compare.Word{compare.Slower, compare.Faster, compare.Same, compare.Undecided, gobench.ItselfChanged} {
		if n[word] > 0 {
			text := string(word)
			if r.Instructions != nil {
				text = instructionsWord(word)
			}
			parts = append(parts, fmt.Sprintf("%d %s", n[word], text))
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// BenchSentence is the outcome in one line.
func BenchSentence(r *gobench.Result) string {
	total := len(r.Benchmarks)
	if failed, unchanged := failedSentence(r), unchangedSentence(r); total == 0 {
		switch {
		case failed == "":
			return "nothing differs: " + unchanged
		case unchanged == "":
			return "nothing was compared: " + failed
		}
		return "nothing was measured" + alsoSentence(r)
	}
	if r.Instructions != nil {
		return instructionsSentence(r)
	}
	n := r.Count()
	var parts []string
	for _, word := range []compare.Word{compare.Slower, compare.Faster, compare.Same, compare.Undecided} {
		if n[word] > 0 {
			text := fmt.Sprintf("%d %s", n[word], word)
			if word == compare.Same {
				text += fmt.Sprintf(" within +-%.3g %%", 100*r.Delta)
			}
			parts = append(parts, text)
		}
	}
	if n := n[gobench.ItselfChanged]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d where %s", n, gobench.ItselfChanged))
	}
	lead := "B against A"
	switch {
	case n[compare.Slower] > 0 && n[compare.Faster] > 0:
		lead = "B is slower than A in some benchmarks and faster in others"
	case n[compare.Slower] > 0:
		lead = "B is slower than A"
	case n[compare.Faster] > 0:
		lead = "B is faster than A"
	case n[compare.Undecided] > 0:
		lead = "undecided whether B differs from A"
	case n[gobench.ItselfChanged] == total:
		lead = "no verdict"
	default:
		lead = "B is as fast as A"
	}
	sentence := fmt.Sprintf("%s: of %s %s", lead, plural(total, "benchmark"), strings.Join(parts, ", "))
	if total == 1 {
		sentence = fmt.Sprintf("%s: the benchmark is %s", lead, strings.TrimPrefix(parts[0], "1 "))
	}
	if orders := benchOrders(r); orders != "" {
		sentence += ", " + orders
	}
	sentence += alsoSentence(r)
	var noted []string
	for _, b := range r.Benchmarks {
		if open := b.OpenCaveat(); open != nil {
			return sentence + "; " + b.Name + ": " + open.Text
		}
		if len(b.Caveats) > 0 {
			noted = append(noted, b.Name)
		}
	}
	switch len(noted) {
	case 0:
		return sentence
	case 1:
		return sentence + "; but see the note on " + noted[0]
	}
	return fmt.Sprintf("%s; but see the notes on %d benchmarks", sentence, len(noted))
}

// benchOrders says over how many link orders the intervals are; "" where none was drawn.
func benchOrders(r *gobench.Result) string {
	fewest, most := 0, 0
	for i, b := range r.Benchmarks {
		if most = max(most, b.Layouts); i == 0 || b.Layouts < fewest {
			fewest = b.Layouts
		}
	}
	switch {
	case most == 0:
		return ""
	case fewest < most:
		return fmt.Sprintf("over %d to %s", fewest, plural(most, "link order"))
	}
	return "over " + plural(most, "link order")
}

func benchConditions(b *strings.Builder, r *gobench.Result) {
	for _, s := range r.Sides {
		text := s.Label
		if s.Commit != "" {
			text += fmt.Sprintf(", commit %.12s", s.Commit)
		}
		if s.Dirty {
			text += ", changed since"
		}
		fmt.Fprintf(b, "  %s  %s, %s\n", s.Name, text, s.GoVersion)
	}
	if len(r.Benchmarks) == 0 {
		return
	}
	if r.Instructions != nil {
		fmt.Fprintln(b, instructionsConditions(r))
	} else {
		shared := ""
		if len(r.Benchmarks) > 1 {
			shared = " shared by all"
		}
		fmt.Fprintf(b, "%s after %s in %s, fresh processes of both sides in each; level %.3g %%%s\n",
			r.Stopped, plural(r.Rounds, "round"), units.Seconds(r.Elapsed), 100*r.Alpha, shared)
	}
	if r.CPU != "" {
		fmt.Fprintf(b, "%s/%s, %s\n", r.Goos, r.Goarch, r.CPU)
	}
}

// benchWays names the benchmarks that took no turns, by the reason.
func benchWays(r *gobench.Result) (notes []string) {
	names, reasons := map[string][]string{}, []string{}
	for _, b := range r.Benchmarks {
		if b.How == gobench.HowProcesses {
			if names[b.Why] == nil {
				reasons = append(reasons, b.Why)
			}
			names[b.Why] = append(names[b.Why], b.Name)
		}
	}
	for _, why := range reasons {
		notes = append(notes, fmt.Sprintf("a process for each sample of %s, which is less precise than turns: %s", listed(names[why]), why))
	}
	return notes
}

// mostListed is how many names stand in a sentence.
const mostListed = 4

func listed(names []string) string {
	if more := len(names) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// benchCaveats says what stands beside a faster B.
func benchCaveats(r *gobench.Result) (notes []string) {
	for _, b := range r.Benchmarks {
		for _, d := range b.Caveats {
			notes = append(notes, b.Name+": "+d.Text)
		}
	}
	return notes
}

// benchDiffers names the benchmarks whose turns and single processes disagree.
func benchDiffers(r *gobench.Result) (notes []string) {
	for _, b := range r.Benchmarks {
		if b.Differs == nil || len(b.Verdicts) == 0 {
			continue
		}
		turns, single := b.Verdicts[0], b.Differs.Single
		notes = append(notes, fmt.Sprintf("%s: turns show a change of %s, %s single processes of each side %s: caches or a heap that the benchmark keeps from one turn "+
			"to the next may be the reason. Compare with --benchtime 100ms, which takes a process for each sample",
			b.Name, units.Span(turns.Low-1, turns.High-1), units.Count(uint64(single.Starts)), units.Span(single.Low-1, single.High-1)))
	}
	return notes
}

// benchGates counts the gates, and lists those of each benchmark that did not pass.
func benchGates(b *strings.Builder, n map[compare.Outcome]int, gates iter.Seq2[string, []compare.GateResult]) {
	if len(n) == 0 {
		return
	}
	fmt.Fprintf(b, "gates: %d passed, %d failed, %d undecided\n", n[compare.Passed], n[compare.Failed], n[compare.Open])
	for name, all := range gates {
		for _, g := range all {
			if g.Outcome != compare.Passed {
				fmt.Fprintf(b, "  %s: %s %s: %s\n", g.Outcome, name, g.Gate.Text, g.Reason)
			}
		}
	}
}

// benchTable is the verdicts on one measure.
type benchTable struct {
	measure compare.Measure
	rows    []benchRow
	left    int // rows that are not worth showing: nothing changed
}

type benchRow struct {
	pkg, name string
	verdict   compare.Verdict
}

// benchTables are the measures of a result. All rows of the deciding one are shown, and of
// the others those that are not the same.
func benchTables(r *gobench.Result) []benchTable {
	var tables []benchTable
	at := map[string]int{}
	add := func(row benchRow, always bool) {
		key := row.verdict.Measure.Key
		i, known := at[key]
		if !known {
			i = len(tables)
			at[key], tables = i, append(tables, benchTable{measure: row.verdict.Measure})
		}
		if always || row.verdict.Word != compare.Same {
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
	for _, v := range r.Geomean { // it is not a benchmark: it is not counted among those left out
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
	p := pairOf(v)
	values := p.String()
	if p.unit == "" {
		values += " " + v.Measure.Unit
	}
	return [5]string{r.name, values, benchChange(v), benchInterval(v), fmt.Sprintf("%s (%sn=%d)", benchWord(v), stages(v), v.Starts)}
}

func benchInterval(v compare.Verdict) string {
	if v.Method == gobench.Exact {
		return "exact"
	}
	return span(v, "no interval from so few rounds")
}

func benchChange(v compare.Verdict) string {
	if v.A == 0 && v.B > 0 {
		return "from none"
	}
	if v.Method == gobench.Exact && v.A > 0 {
		return units.Percent(v.B/v.A - 1) // the ratio is that of floors
	}
	return units.Percent(v.Ratio - 1)
}

// stages says whether the second stage confirmed what the first one saw.
func stages(v compare.Verdict) string {
	switch {
	case v.Confirmed():
		return "confirmed, "
	case v.First != nil && v.First.Word != v.Word:
		return "not confirmed, "
	}
	return ""
}

// benchWord is the verdict in the words of the measure.
func benchWord(v compare.Verdict) string {
	if v.Measure.Key == gobench.Instructions.Key {
		return instructionsWord(v.Word)
	}
	if v.Measure.Key == gobench.Time.Key || v.Measure.Key == gobench.CPU.Key {
		return string(v.Word)
	}
	return goodOrBad(v.Word)
}

// goodOrBad is a verdict in words that fit every measure.
func goodOrBad(w compare.Word) string {
	switch w {
	case compare.Faster:
		return "better"
	case compare.Slower:
		return "worse"
	default:
		return string(w)
	}
}

// benchNeed says what it would take to decide the rest.
func benchNeed(r *gobench.Result) string {
	most, open := 0.0, 0
	for _, b := range r.Benchmarks {
		if b.Word() == compare.Undecided && b.OpenCaveat() == nil {
			open++
			if len(b.Verdicts) > 0 && b.Verdicts[0].Need != nil {
				most = max(most, b.Verdicts[0].Need.Factor)
			}
		}
	}
	switch {
	case open == 0:
		return ""
	case r.Instructions != nil:
		return fmt.Sprintf("undecided: %s; more runs (--count %d --budget 10m), more operations in each (--benchtime), or a larger --delta",
			plural(open, "benchmark"), 2*max(2, r.Rounds))
	case most == 0 || most > 100:
		return fmt.Sprintf("undecided: %s; about as fast on both sides as this machine can tell: a larger --delta, or a quieter machine", plural(open, "benchmark"))
	default:
		return fmt.Sprintf("undecided: %s; it would take about %.1f times the rounds: a larger --budget (or --delta)", plural(open, "benchmark"), most)
	}
}
