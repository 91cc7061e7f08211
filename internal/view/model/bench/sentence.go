package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// NoResult is the sentence of a comparison of benchmarks without a result: that there is none, and why.
func NoResult(status ledger.Status, reason string) string {
	text := fmt.Sprintf("no result (%s)", status)
	if reason != "" {
		text += ": " + reason
	}
	return text
}

// Word is the outcome in one word: the worst verdict, or that nothing was compared.
func Word(r *benchmarks.Result) string {
	n := r.Count()
	for _, word := range []judge.Word{judge.Slower, judge.Undecided, judge.Faster, judge.NoChange, judge.Same} {
		if n[word] > 0 {
			return string(word)
		}
	}
	if len(r.Unchanged) > 0 && failedSentence(r) == "" {
		return string(judge.Same)
	}
	return string(judge.Undecided)
}

// Counts is how many benchmarks have which verdict: "1 slower, 2 same".
func Counts(r *benchmarks.Result) string {
	n := r.Count()
	var parts []string
	for _, word := range []judge.Word{judge.Slower, judge.Faster, judge.NoChange, judge.Same, judge.Undecided,
		benchmarks.ItselfChanged} {
		if n[word] > 0 {
			text := string(word)
			switch {
			case word == judge.NoChange:
				text += " over " + BoundsOf(r, word).String()
			case r.Instructions != nil:
				text = InstructionsWord(word)
			}
			parts = append(parts, fmt.Sprintf("%d %s", n[word], text))
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// Sentence is the outcome in one line.
func Sentence(r *benchmarks.Result) string {
	total := len(r.Benchmarks)
	if failed, unchanged := failedSentence(r), unchangedSentence(r); total == 0 {
		switch {
		case failed == "" && unchanged == "":
			return "nothing was compared"
		case failed == "" && executesNothing(r):
			return "same: none of these benchmarks executes anything that changed; " + unchanged
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
	if total > 1 && n[judge.NoChange] > 0 && n[judge.NoChange]+n[judge.Same] == total {
		return BoundsOf(r, judge.NoChange, judge.Same).sentence() + alsoSentence(r) + caveatsSentence(r)
	}
	var parts []string
	var counts []int
	for _, word := range []judge.Word{judge.Slower, judge.Faster, judge.NoChange, judge.Same, judge.Undecided} {
		if n[word] > 0 {
			text := string(word)
			switch word {
			case judge.Same:
				text += fmt.Sprintf(" within +-%.3g %%", 100*r.Delta)
			case judge.NoChange:
				text = "without a change over " + BoundsOf(r, judge.NoChange).String()
			}
			parts = append(parts, text+largestChange(r, word))
			counts = append(counts, n[word])
		}
	}
	if n := n[benchmarks.ItselfChanged]; n > 0 {
		parts = append(parts, "not comparable, because "+string(benchmarks.ItselfChanged))
		counts = append(counts, n)
	}
	lead := "B against A"
	switch {
	case n[judge.Slower] > 0 && n[judge.Faster] > 0:
		lead = "B is slower than A in some benchmarks and faster in others"
	case n[judge.Slower] > 0:
		lead = "B is slower than A" + inSome(n[judge.Slower], total)
	case n[judge.Faster] > 0:
		lead = "B is faster than A" + inSome(n[judge.Faster], total)
	case n[judge.Undecided] > 0:
		lead = "no verdict yet"
	case n[benchmarks.ItselfChanged] == total:
		lead = "no verdict"
	default:
		lead = "B is as fast as A"
	}
	return lead + ": " + benchParts(r, parts, counts) + alsoSentence(r) + caveatsSentence(r)
}

// brief is what stands of a note in the first sentence.
var brief = map[string]string{
	benchmarks.CaveatFirst:   "the first operation of a process gains nothing",
	benchmarks.CaveatOnce:    "the first operation of a process gains nothing",
	benchmarks.CaveatCache:   "the gain is a cache: the first operation with an input is not faster",
	benchmarks.CaveatUneven:  "operations of B do not work alike",
	benchmarks.CaveatDurable: "it waits less often for the disk (fsync)",
	benchmarks.CaveatStart:   "a start takes longer",
	benchmarks.CaveatMoved:   "it works more where no time is taken",
}

// caveatsSentence is the end of a sentence: what takes a verdict, or which benchmarks have notes.
func caveatsSentence(r *benchmarks.Result) string {
	var noted, briefs []string
	for _, b := range r.Benchmarks {
		if open := b.OpenCaveat(); open != nil {
			return "; " + b.Name + ": " + open.Text
		}
		for _, c := range b.Caveats {
			if text := brief[c.Name]; text != "" && !slices.Contains(briefs, text) {
				briefs = append(briefs, text)
			}
		}
		if len(b.Caveats) > 0 {
			noted = append(noted, b.Name)
		}
	}
	text := ""
	switch len(noted) {
	case 0:
		return ""
	case 1:
		text = "; but see the note on " + noted[0]
	default:
		text = fmt.Sprintf("; but see the notes on %d benchmarks", len(noted))
	}
	if len(briefs) > 0 {
		text += ": " + strings.Join(briefs, ", and ")
	}
	return text
}

// inSome says that a lead is not about all benchmarks.
func inSome(n, total int) string {
	if n < total {
		return " in some benchmarks"
	}
	return ""
}

// benchParts is how many benchmarks have which verdict, or what the verdict on the only one rests on:
//
//	1 of 3 benchmarks slower (Join +40.2 %), 2 same within +-1 %
//	Parse -95.4 % (4.96 -> 0.228 us)
func benchParts(r *benchmarks.Result, parts []string, counts []int) string {
	if len(r.Benchmarks) > 1 {
		for i := range parts {
			of := ""
			if i == 0 {
				of = " of " + units.Plural(len(r.Benchmarks), "benchmark")
			}
			parts[i] = fmt.Sprintf("%d%s %s", counts[i], of, parts[i])
		}
		return strings.Join(parts, ", ")
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%s: %s", r.Benchmarks[0].Name, r.Benchmarks[0].Word())
	}
	b := r.Benchmarks[0]
	switch v := verdictOf(b, b.Word()); {
	case b.Word() == benchmarks.ItselfChanged:
		return string(benchmarks.ItselfChanged)
	case v != nil:
		return fmt.Sprintf("%s %s (%s)", b.Name, benchLead(*v), model.ValuesOf(*v))
	}
	return fmt.Sprintf("%s is %s", b.Name, parts[0])
}

// largestChange names the benchmark that changed most of those with a verdict; "" where the word names no change, and
// for a single benchmark.
func largestChange(r *benchmarks.Result, word judge.Word) (text string) {
	most := 0.0
	for _, b := range r.Benchmarks {
		v := verdictOf(b, word)
		if v == nil || len(r.Benchmarks) == 1 {
			continue
		}
		if size := math.Abs(math.Log(v.Ratio)); text == "" || size > most {
			most, text = size, fmt.Sprintf(" (%s %s)", b.Name, benchLead(*v))
		}
	}
	return text
}

// verdictOf is the verdict that a benchmark is called faster or slower for; nil for other words.
func verdictOf(b benchmarks.Benchmark, word judge.Word) *judge.Verdict {
	if b.Word() != word || word != judge.Slower && word != judge.Faster {
		return nil
	}
	for i := range b.Verdicts {
		if b.Verdicts[i].Word == word {
			return &b.Verdicts[i]
		}
	}
	return nil
}

// benchLead is a change with its measure, where that is not the time.
func benchLead(v judge.Verdict) string {
	if v.Measure.Key == measure.OperationTime.Key {
		return benchChange(v)
	}
	return v.Measure.Name + " " + benchChange(v)
}

// benchOrders says over how many link orders the intervals are; "" where none was drawn.
func benchOrders(r *benchmarks.Result) string {
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
		return fmt.Sprintf("over %d to %s", fewest, units.Plural(most, "link order"))
	}
	return "over " + units.Plural(most, "link order")
}

// Under are the two sides and the conditions, a line each.
func Under(r *benchmarks.Result) (lines []string) {
	for _, s := range r.Sides {
		text := s.Label
		if s.Commit != "" {
			text += fmt.Sprintf(", commit %.12s", s.Commit)
		}
		if s.Dirty {
			text += ", changed since"
		}
		lines = append(lines, fmt.Sprintf("  %s  %s, %s", s.Name, text, s.GoVersion))
	}
	if len(r.Benchmarks) == 0 {
		return lines
	}
	if r.Instructions != nil {
		lines = append(lines, instructionsConditions(r))
	} else {
		shared := ""
		if len(r.Benchmarks) > 1 {
			shared = " shared by all"
		}
		orders := benchOrders(r)
		if orders != "" {
			orders = ", " + orders
		}
		lines = append(lines, fmt.Sprintf("%s after %s in %s%s, fresh processes of both sides in each; level %.3g %%%s",
			r.Stopped, units.Plural(r.Rounds, "round"), units.Seconds(r.Elapsed), orders, 100*r.Alpha, shared))
	}
	if r.CPU != "" {
		lines = append(lines, fmt.Sprintf("%s/%s, %s", r.Goos, r.Goarch, r.CPU))
	}
	return lines
}

// Notes are what there is to know besides: benchmarks that changed themselves, ways of measuring, failures, what
// was left out.
func Notes(r *benchmarks.Result) []model.Statement {
	var notes []model.Statement
	asides := func(all []BenchAside) {
		for _, a := range all {
			notes = append(notes, model.Neutrals(a.lines()...)...)
		}
	}
	note := func(text string) {
		notes = append(notes, model.Statement{Word: "note", Text: text, Tone: model.Neutral})
	}
	notes = append(notes, model.BenchWidth(r)...)
	notes = append(notes, model.Neutrals(Reach(r)...)...)
	asides(Changed(r))
	for _, text := range slices.Concat(Caveats(r), benchWays(r), benchDiffers(r), model.BenchNeighbours(r)) {
		note(text)
	}
	asides(Left(r))
	for _, n := range r.Notes {
		note(strings.TrimSpace(n.Package + " " + n.Text))
	}
	return notes
}

// benchWays names the benchmarks that took no turns, by the reason.
func benchWays(r *benchmarks.Result) (notes []string) {
	names, reasons := map[string][]string{}, []string{}
	for _, b := range r.Benchmarks {
		if b.How == benchmarks.ByProcesses {
			if names[b.Why] == nil {
				reasons = append(reasons, b.Why)
			}
			names[b.Why] = append(names[b.Why], b.Name)
		}
	}
	for _, why := range reasons {
		notes = append(notes, fmt.Sprintf("a process for each sample of %s, which is less precise than turns: %s",
			units.FirstOf(names[why], mostListed), why))
	}
	return notes
}

// mostListed is how many names stand in a sentence.
const mostListed = 4

// Caveats says what stands beside a faster B.
func Caveats(r *benchmarks.Result) (notes []string) {
	for _, b := range r.Benchmarks {
		for _, d := range b.Caveats {
			notes = append(notes, b.Name+": "+d.Text)
		}
	}
	return notes
}

// benchDiffers names the benchmarks whose turns and single processes disagree.
func benchDiffers(r *benchmarks.Result) (notes []string) {
	for _, b := range r.Benchmarks {
		if b.Differs == nil || len(b.Verdicts) == 0 {
			continue
		}
		turns, single := b.Verdicts[0], b.Differs.Single
		notes = append(notes,
			fmt.Sprintf("%s: turns show a change of %s, %s single processes of each side %s: caches or a heap that the "+
				"benchmark keeps from one turn to the next may be the reason. Compare with --benchtime 100ms, which takes a "+
				"process for each sample",
				b.Name, units.Span(turns.Low-1, turns.High-1), units.Count(uint64(single.Starts)),
				units.Span(single.Low-1, single.High-1)))
	}
	return notes
}

// MeasureOf is the row of a verdict, which says "from none" where a ratio means nothing.
func MeasureOf(v judge.Verdict) model.MeasureRow {
	cells := model.MeasureOf(v).Cells
	cells.Change, cells.Interval, cells.Word = benchChange(v), benchInterval(v), benchWord(v)
	return model.RowOf(v, cells)
}

func benchInterval(v judge.Verdict) string {
	if v.Method == compare.Exact {
		return "exact"
	}
	return model.Span(v, "no interval from so few rounds")
}

func benchChange(v judge.Verdict) string {
	if v.A == 0 && v.B > 0 {
		return "from none"
	}
	if v.Method == compare.Exact && v.A > 0 {
		return units.Percent(v.B/v.A - 1) // the ratio is that of floors
	}
	return units.Percent(v.Ratio - 1)
}

// benchWord is the verdict in the words of the measure.
func benchWord(v judge.Verdict) string {
	if v.Word == judge.NoChange {
		return model.NoChange(v)
	}
	if v.Measure.Key == measure.OperationInstructions.Key {
		return InstructionsWord(v.Word)
	}
	if v.Measure.Key == measure.OperationTime.Key || v.Measure.Key == measure.OperationCPU.Key {
		return string(v.Word)
	}
	return GoodOrBad(v.Word)
}

// GoodOrBad is a verdict in words that fit every measure.
func GoodOrBad(w judge.Word) string {
	switch w {
	case judge.Faster:
		return "better"
	case judge.Slower:
		return "worse"
	default:
		return string(w)
	}
}

// Need says what it would take to decide the rest.
func Need(r *benchmarks.Result) string {
	most, open := 0.0, 0
	for _, b := range r.Benchmarks {
		if b.Word() == judge.Undecided && b.OpenCaveat() == nil {
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
		return fmt.Sprintf("undecided: %s; more runs (--count %d --budget 10m), more operations in each (--benchtime), or "+
			"a larger --delta",
			units.Plural(open, "benchmark"), 2*max(2, r.Rounds))
	case most == 0 || most > 100:
		return fmt.Sprintf("undecided: %s; this machine is too noisy to see a difference: use a larger --delta, or a "+
			"quieter machine", units.Plural(open, "benchmark"))
	default:
		return fmt.Sprintf("undecided: %s; it takes about %.1f times the rounds: a larger --budget (or --delta)",
			units.Plural(open, "benchmark"), most)
	}
}
