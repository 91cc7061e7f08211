package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/units"
)

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
			parts = append(parts, fmt.Sprintf("%d %s", n[word], InstructionsWord(word)))
		}
	}
	return fmt.Sprintf("%s: of %s %s", lead, units.Plural(len(r.Benchmarks), "benchmark"), strings.Join(parts, ", ")) + alsoSentence(r)
}

// InstructionsWord is a verdict in words that fit a count.
func InstructionsWord(w compare.Word) string {
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
		r.Stopped, units.Plural(r.Rounds, "round"), units.Seconds(r.Elapsed), r.Instructions.Valgrind, settings, 100*r.Alpha)
}
