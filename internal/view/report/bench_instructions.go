package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/judge"
)

// notTime is what every count of instructions says of itself.
const notTime = "Instructions are not time: cache misses, mispredicted branches, waiting and what the kernel does " +
	"are not in them"

// whatIsMissing is notTime, with the collector where it was off.
func whatIsMissing(r *benchmarks.Result) string {
	for _, side := range r.Instructions.Settings {
		if slices.Contains(side, "GOGC=off") {
			return notTime + ", nor is garbage collection, which was off"
		}
	}
	return notTime
}

// shownFunctions is how many functions explain a change in text.
const shownFunctions = 5

// instructions writes each benchmark with the functions that explain its change.
func instructions(b *strings.Builder, r *benchmarks.Result) {
	pkg := ""
	for _, one := range r.Benchmarks {
		if one.Package != pkg {
			pkg = one.Package
			fmt.Fprintf(b, "\n%s\n", pkg)
		}
		fmt.Fprintf(b, "%s\n  %s\n", one.Name, instructionsLine(one))
		functionGrid(b, one)
	}
	for _, v := range bench.Geomeans(r) {
		fmt.Fprintf(b, "\ngeomean\n  %s\n", countLine(v))
	}
	fmt.Fprintf(b, "\n%s\n", whatIsMissing(r))
}

// instructionsLine is the verdict on a benchmark.
func instructionsLine(one benchmarks.Benchmark) string {
	if len(one.Verdicts) == 0 {
		return "instructions per operation: too few runs to compare"
	}
	return countLine(one.Verdicts[0]) + fmt.Sprintf("; the runs of one side differ by %s %%",
		units.Digits(100*one.Instructions.Scatter))
}

func countLine(v judge.Verdict) string {
	return fmt.Sprintf("instructions per operation: %s (%s): %s, interval %s, n=%d",
		countPair(v.A, v.B), units.Percent(v.Ratio-1), bench.MeasureOf(v).Word, units.Span(v.Low-1, v.High-1),
		v.Starts)
}

// countPair is two numbers of instructions. What is nearly none is noise of the slope.
func countPair(a, b float64) string {
	return count(a) + " -> " + count(b)
}

// count writes a number of instructions.
func count(v float64) string {
	if v < measure.OperationInstructions.Floor {
		return "0"
	}
	return units.Digits(v)
}

// explaining are the functions whose own change is beyond the scatter of the runs, and what they
// have together of the change, in percent of A.
func explaining(one benchmarks.Benchmark) (shown []benchmarks.FunctionCount, more int, share float64) {
	for _, f := range one.Instructions.Functions {
		switch {
		case !f.Shown:
		case len(shown) < shownFunctions:
			shown = append(shown, f)
			share += f.Share
		default:
			more++
		}
	}
	return shown, more, share
}

func functionGrid(b *strings.Builder, one benchmarks.Benchmark) {
	shown, more, share := explaining(one)
	if len(shown) == 0 {
		return
	}
	lines := &grid{}
	lines.row("", "of A", "function", "by itself", "with what it calls")
	for _, f := range shown {
		lines.row("", units.Percent(f.Share/100), f.Function, countPair(f.SelfA, f.SelfB),
			countPair(f.InclusiveA, f.InclusiveB))
	}
	lines.write(b)
	text := fmt.Sprintf("together %s of A", units.Percent(share/100))
	if more > 0 {
		text += fmt.Sprintf("; %s more in --json", plural(more, "function"))
	}
	fmt.Fprintf(b, "  %s\n", text)
}

// instructionsMarkdown lists the functions below the table, folded away.
func instructionsMarkdown(b *strings.Builder, r *benchmarks.Result) {
	for _, one := range r.Benchmarks {
		shown, more, _ := explaining(one)
		if len(shown) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n<details><summary>functions of %s that changed</summary>\n\n", inText(one.Name))
		fmt.Fprint(b, "| of A | function | by itself | with what it calls |\n|---|---|---|---|\n")
		for _, f := range shown {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", units.Percent(f.Share/100), inMarkdownCode(f.Function),
				inText(countPair(f.SelfA, f.SelfB)), inText(countPair(f.InclusiveA, f.InclusiveB)))
		}
		if more > 0 {
			fmt.Fprintf(b, "\n%s more.\n", plural(more, "function"))
		}
		fmt.Fprint(b, "\n</details>\n")
	}
	fmt.Fprintf(b, "\n%s.\n", inText(whatIsMissing(r)))
}
