package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

// WhyLines explain the verdicts of a contest: first the cause of the verdict's own measure, at last what no cause
// explains. What is not called different is not explained.
func WhyLines(contest record.Contest) []string {
	cpu, times, allocs := whyCPU(contest), whyTime(contest), whyAllocs(contest)
	var lines []string
	switch {
	case contest.Leads != "" && len(times) > 0 && !times[0].queueing: // the verdict is of a latency
		lines = slices.Concat(texts(times), cpu.causes, cpu.outside, allocs)
	case len(cpu.causes) > 0:
		lines = slices.Concat(cpu.causes, cpu.outside, texts(times), allocs)
	default: // what the runtime does more or less follows from what the program allocates and waits for
		lines = slices.Concat(allocs, cpu.outside, texts(times))
	}
	return slices.Concat(lines, whyMemory(contest), whyGrowth(contest), cpu.open)
}

// cpuAccount is what explains a verdict on CPU time. Causes have a line of the user's first; outside is what the
// runtime and libraries do by themselves, where that is all, or more. Open says what no cause explains.
type cpuAccount struct{ causes, outside, open []string }

// whyCPU explains the verdict on CPU time by functions, and by the findings that came or went.
func whyCPU(contest record.Contest) (a cpuAccount) {
	v, ok := gated(contest)
	if !ok || !v.Word.Different() {
		return a
	}
	functions := explain(contest.Why, v)
	findings := whyFindings(contest, functions)
	if changes := explaining(contest.Why); len(changes) > 0 && !changes[0].Outside {
		a.causes = append(functions, findings...)
	} else {
		a.causes, a.outside = findings, functions
	}
	a.open = NonEmpty(Unexplained(contest.Why))
	return a
}

// whyAllocs explains the verdict on allocations by the places that allocate.
func whyAllocs(contest record.Contest) []string {
	v, ok := verdictOn(contest, measure.Allocs.Key)
	if !ok || !v.Word.Different() {
		return nil
	}
	return explainAllocs(contest.WhyAllocs, v)
}

// explainAllocs writes the places that allocate more or less.
func explainAllocs(e *diff.Explanation, v judge.Verdict) (lines []string) {
	for _, c := range explaining(e) {
		number := allocations(c, wholeOf(e, c))
		lines = append(lines, whyWord(c, v, " "+v.Measure.Name)+c.InWords("allocates")+": "+number+compilerSays(c))
	}
	return lines
}

// explain writes the causes of an explanation, each with its part of the whole change:
//
//	why: regexp.MustCompile in main.(*shop).search (main.go:53) is gone: -15.5 of -35.0 us (-17.1 %, interval -28.3 ... -5.9 %)
func explain(e *diff.Explanation, v judge.Verdict) (lines []string) {
	for _, c := range explaining(e) {
		whole := wholeOf(e, c)
		u := units.Nanoseconds.Pick(math.Abs(c.Delta), math.Abs(whole))
		line := whyWord(c, v, "") + c.InWords("takes") + ": " + partOf(c.Delta/u.Scale, whole/u.Scale) + " " + u.Name
		line += " (" + units.Percent(c.Share/100)
		if c.Low != 0 || c.High != 0 {
			line += ", interval " + units.Span(c.Low/100, c.High/100)
		}
		lines = append(lines, line+")"+compilerSays(c))
	}
	return lines
}

// compilerSays is what the compiler decided otherwise there: behind the cause, which it explains.
func compilerSays(c diff.Change) string {
	if len(c.Compiler) == 0 {
		return ""
	}
	return "; compiler: " + strings.Join(c.Compiler, "; ")
}

// wholeOf is the whole change that an explanation is of, in the unit of a change.
func wholeOf(e *diff.Explanation, c diff.Change) float64 {
	if c.Share == 0 {
		return 0
	}
	return e.Total * c.Delta / c.Share
}

// partOf is a change as a part of a whole; alone where it goes the other way.
func partOf(delta, whole float64) string {
	if delta*whole <= 0 {
		return signedDigits(delta)
	}
	return signedDigits(delta) + " of " + signedDigits(whole)
}

// whyWord begins a line, of a measure if it is not CPU time: a change that goes against the verdict is a "but".
func whyWord(c diff.Change, v judge.Verdict, measure string) string {
	if (c.Delta < 0 || c.Share < 0) == (v.Ratio < 1) {
		return "why" + measure + ": "
	}
	return "but" + measure + ": "
}

// BenchWhy are the lines that explain the verdicts on benchmarks by their profiles, each with the name of its
// benchmark.
func BenchWhy(r *benchmarks.Result) (lines []string) {
	for _, b := range r.Benchmarks {
		for _, line := range WhyOfBenchmark(b) {
			lines = append(lines, b.Name+" "+line)
		}
	}
	return lines
}

// WhyOfBenchmark are the lines that explain the verdict on one benchmark.
func WhyOfBenchmark(b benchmarks.Benchmark) []string {
	if len(b.Verdicts) == 0 {
		return nil
	}
	lines := explain(b.Explained, b.Verdicts[0])
	if i := slices.IndexFunc(b.Verdicts, func(v judge.Verdict) bool {
		return v.Measure.Key == measure.OperationAllocs.Key
	}); i >= 0 {
		lines = append(lines, explainAllocs(b.ExplainedAllocs, b.Verdicts[i])...)
	}
	return append(lines, NonEmpty(Unexplained(b.Explained))...)
}

// notExplainedBy begins the line on what the causes before it leave open.
const notExplainedBy = "not explained by functions: "

// Unexplained says how much of a change its causes leave open, and why; empty where the profiles show something else
// than was measured.
func Unexplained(e *diff.Explanation) string {
	if e == nil || e.Contradict {
		return ""
	}
	total := units.Percent(e.Total / 100)
	switch {
	case e.TooFew:
		return fmt.Sprintf(notExplainedBy+"%s: the profiles have only %.0f and %.0f samples: take longer ones with "+
			"--profile-time",
			total, e.SamplesA, e.SamplesB)
	case len(e.Changes) == 0:
		return fmt.Sprintf(notExplainedBy+"%s: none of %s changed beyond the noise of the profiles%s", total,
			units.Plural(e.Asked, "place"), samples(e))
	}
	if !Explains(e.Explained+e.Smaller, e.Total) {
		return ""
	}
	line := fmt.Sprintf(notExplainedBy+"%s of %s", units.Percent(e.Unexplained/100), total)
	if e.More > 0 {
		line += fmt.Sprintf("; %s: %s", units.Plural(e.More, "smaller change"), units.Percent(e.Smaller/100))
	}
	return line
}

// mostOver is how many times a change its causes may add up to and still explain it.
const mostOver = 1.5

// explaining are the changes that explain the whole one; none where all that changed does not add up to it.
func explaining(e *diff.Explanation) []diff.Change {
	if e == nil || !Explains(e.Explained+e.Smaller, e.Total) {
		return nil
	}
	return e.Changes
}

// Explains says whether causes that add up to a sum explain a change: they go its way, and not far beyond it.
func Explains(sum, change float64) bool { return sum/change > 0 && sum/change <= mostOver }

func samples(e *diff.Explanation) string {
	if e.SamplesA == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f and %.0f samples)", e.SamplesA, e.SamplesB)
}

// allocations writes a change as a part of a whole number of them: "-2.00 of -3.00 (-2.10 ... -1.90)".
func allocations(c diff.Change, whole float64) string {
	scale := 0.0
	if c.Share != 0 {
		scale = c.Delta / c.Share
	}
	text := partOf(c.Delta, whole)
	if low, high := signedDigits(scale*c.Low), signedDigits(scale*c.High); low != high {
		text += fmt.Sprintf(" (%s ... %s)", low, high)
	}
	return text
}

func signedDigits(x float64) string {
	if x > 0 {
		return "+" + units.Digits(x)
	}
	return units.Digits(x)
}

// whyFindings say which findings explain the verdict on CPU time, with what they cost. A finding of what a function's
// line says already is a part of that line, so that one cause has one name and one cost.
func whyFindings(contest record.Contest, functions []string) (lines []string) {
	changes := explaining(contest.Why)
	for _, c := range contest.Findings {
		if c.Measure != advice.CPU {
			continue
		}
		if i := slices.IndexFunc(changes, func(d diff.Change) bool { return ofOneCause(c, d) }); i >= 0 {
			functions[i] += fmt.Sprintf("; finding %s (rule %s)", c.Word, c.Rule)
			continue
		}
		line := fmt.Sprintf("why: finding %s: %s: %s: %s (rule %s)", c.Word, c.Place, c.Title, signedNanos(c.Delta), c.Rule)
		lines = append(lines, line)
	}
	return lines
}

// oneCost is how far the cost of a finding and that of a change may be apart, as a part of the change, and still be
// one.
const oneCost = 0.25

// ofOneCause says that a finding and a change of a place are of one line, and that the finding names what changed
// there, or has its cost.
func ofOneCause(c advice.Change, d diff.Change) bool {
	at := code.Place{Function: d.Function, File: d.File, Line: d.Line}
	if c.Place != at || c.Delta*d.Delta <= 0 {
		return false
	}
	named := d.What != "" && strings.Contains(c.Title, facts.Short(d.What))
	return named || math.Abs(c.Delta-d.Delta) <= oneCost*math.Abs(d.Delta)
}

// whyGrowth says what grows, or is held, in one of the two only.
func whyGrowth(contest record.Contest) (lines []string) {
	for _, c := range contest.Findings {
		if c.Measure != advice.CPU {
			lines = append(lines, fmt.Sprintf("%s, %s in B: %s: %s (%s)", c.Measure, c.Word, c.Place, c.Title, c.Rule))
		}
	}
	return lines
}

func signedNanos(ns float64) string {
	if ns < 0 {
		return "-" + units.Nanos(-ns)
	}
	return "+" + units.Nanos(ns)
}
