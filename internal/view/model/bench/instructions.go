package bench

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// instructionsSentence is the outcome in one line.
func instructionsSentence(r *benchmarks.Result) string {
	n := r.Count()
	lead := "B executes as many instructions as A"
	switch {
	case n[judge.Slower] > 0 && n[judge.Faster] > 0:
		lead = "B executes more instructions than A in some benchmarks and fewer in others"
	case n[judge.Slower] > 0:
		lead = "B executes more instructions than A"
	case n[judge.Faster] > 0:
		lead = "B executes fewer instructions than A"
	case n[judge.Undecided] > 0:
		lead = "no verdict yet"
	}
	var parts []string
	of := " of " + units.Plural(len(r.Benchmarks), "benchmark")
	for _, word := range []judge.Word{judge.Slower, judge.Faster, judge.NoChange, judge.Same, judge.Undecided} {
		if n[word] > 0 {
			text := InstructionsWord(word)
			if word == judge.NoChange {
				text = "without a change over " + BoundsOf(r, word).String()
			}
			parts = append(parts, fmt.Sprintf("%d%s %s", n[word], of, text))
			of = ""
		}
	}
	return fmt.Sprintf("%s: %s", lead, strings.Join(parts, ", ")) + alsoSentence(r)
}

// InstructionsWord is a verdict in words that fit a count.
func InstructionsWord(w judge.Word) string {
	switch w {
	case judge.Faster:
		return "fewer"
	case judge.Slower:
		return "more"
	default:
		return string(w)
	}
}

// instructionsConditions is how the instructions were counted, in one line.
func instructionsConditions(r *benchmarks.Result) string {
	settings := strings.Join(r.Instructions.Settings[0], " ")
	if b := strings.Join(r.Instructions.Settings[1], " "); b != settings {
		settings += " (B: " + b + ")"
	}
	return fmt.Sprintf("%s after %s in %s: valgrind %s counted, with %s; level %.3g %% shared by all",
		r.Stopped, units.Plural(r.Rounds, "round"), units.Seconds(r.Elapsed), r.Instructions.Valgrind, settings,
		100*r.Alpha)
}
