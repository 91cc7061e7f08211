package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/units"
)

// notTime is what every count of instructions says of itself.
const notTime = "Instructions are not time: cache misses, mispredicted branches, waiting and what the kernel does are not in them"

// whatIsMissing is notTime, with the collector where it was off.
func whatIsMissing(r *gobench.Result) string {
	for _, side := range r.Instructions.Settings {
		if slices.Contains(side, "GOGC=off") {
			return notTime + ", nor is garbage collection, which was off"
		}
	}
	return notTime
}

// shownFunctions is how many functions explain a change in text.
const shownFunctions = 5

// instructionsSentence is the outcome in one line.
func instructionsSentence(r *gobench.Result) string {
	n := r.Count()
	lead := "B executes as many instructions as A"
	switch {
	case n[compare.Slower] > 0 && n[compare.Faster] > 0:
		lead = "B executes more instructions than A in some benchmarks and fewer in others"
	case n[compare.Slower] > 0:
		lead = "B executes more instructions than A"
	case n[compare.Faster] > 0:
		lead = "B executes fewer instructions than A"
	case n[compare.Undecided] > 0:
		lead = "undecided whether B executes more instructions than A"
	}
	var parts []string
	for _, word := range []compare.Word{compare.Slower, compare.Faster, compare.Same, compare.Undecided} {
		if n[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[word], instructionsWord(word)))
		}
	}
	return fmt.Sprintf("%s: of %s %s", lead, plural(len(r.Benchmarks), "benchmark"), strings.Join(parts, ", ")) + alsoSentence(r)
}

// instructionsWord is a verdict in words that fit a count.
func instructionsWord(w compare.Word) string {
	switch w {
	case compare.Faster:
		return "fewer"
	case compare.Slower:
		return "more"
	default:
		return string(w)
	}
}

// instructionsConditions is how the instructions were counted, in one line.
func instructionsConditions(r *gobench.Result) string {
	settings := strings.Join(r.Instructions.Settings[0], " ")
	if b := strings.Join(r.Instructions.Settings[1], " "); b != settings {
		settings += " (B: " + b + ")"
	}
	return fmt.Sprintf("%s after %s in %s: valgrind %s counted, with %s; level %.3g %% shared by all",
		r.Stopped, plural(r.Rounds, "round"), units.Seconds(r.Elapsed), r.Instructions.Valgrind, settings, 100*r.Alpha)
}

// instructions writes each benchmark with the functions that explain its change.
func instructions(b *strings.Builder, r *gobench.Result) {
	pkg := ""
	for _, one := range r.Benchmarks {
		if one.Package != pkg {
			pkg = one.Package
			fmt.Fprintf(b, "\n%s\n", pkg)
		}
		fmt.Fprintf(b, "%s\n  %s\n", one.Name, instructionsLine(one))
		functionGrid(b, one)
	}
	for _, v := range r.Geomean {
		fmt.Fprintf(b, "\ngeomean\n  %s\n", countLine(v))
	}
	fmt.Fprintf(b, "\n%s\n", whatIsMissing(r))
}

// instructionsLine is the verdict on a benchmark.
func instructionsLine(one gobench.Benchmark) string {
	if len(one.Verdicts) == 0 {
		return "instructions per operation: too few runs to compare"
	}
	return countLine(one.Verdicts[0]) + fmt.Sprintf("; the runs of one side differ by %s %%", units.Digits(100*one.Instructions.Scatter))
}

func countLine(v compare.Verdict) string {
	return fmt.Sprintf("instructions per operation: %s (%s): %s, interval %s, n=%d",
		countPair(v.A, v.B), units.Percent(v.Ratio-1), instructionsWord(v.Word), units.Span(v.Low-1, v.High-1), v.Starts)
}

// countPair is two numbers of instructions. What is nearly none is noise of the slope.
func countPair(a, b float64) string {
	return count(a) + " -> " + count(b)
}

// count writes a number of instructions.
func count(v float64) string {
	if v < gobench.Instructions.Floor {
		return "0"
	}
	return units.Digits(v)
}

// explaining are the functions whose own change is beyond the scatter of the runs, and what they
// have together of the change, in percent of A.
func explaining(one gobench.Benchmark) (shown []gobench.FunctionCount, more int, share float64) {
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

func functionGrid(b *strings.Builder, one gobench.Benchmark) {
	shown, more, share := explaining(one)
	if len(shown) == 0 {
		return
	}
	lines := &grid{}
	lines.row("", "of A", "function", "by itself", "with what it calls")
	for _, f := range shown {
		lines.row("", units.Percent(f.Share/100), f.Function, countPair(f.SelfA, f.SelfB), countPair(f.InclusiveA, f.InclusiveB))
	}
	lines.write(b)
	text := fmt.Sprintf("together %s of A", units.Percent(share/100))
	if more > 0 {
		text += fmt.Sprintf("; %s more in --json", plural(more, "function"))
	}
	fmt.Fprintf(b, "  %s\n", text)
}

// instructionsMarkdown lists the functions below the table, folded away.
func instructionsMarkdown(b *strings.Builder, r *gobench.Result) {
	for _, one := range r.Benchmarks {
		shown, more, _ := explaining(one)
		if len(shown) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n<details><summary>functions of %s that changed</summary>\n\n", inText(one.Name))
		fmt.Fprint(b, "| of A | function | by itself | with what it calls |\n|---|---|---|---|\n")
		for _, f := range shown {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", units.Percent(f.Share/100), inCode(f.Function), countPair(f.SelfA, f.SelfB), countPair(f.InclusiveA, f.InclusiveB))
		}
		if more > 0 {
			fmt.Fprintf(b, "\n%s more.\n", plural(more, "function"))
		}
		fmt.Fprint(b, "\n</details>\n")
	}
	fmt.Fprintf(b, "\n%s.\n", whatIsMissing(r))
}
