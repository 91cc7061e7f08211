package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// onceUnder says what all variants had in common.
func onceUnder(r record.Executions) string {
	text := "no load; one execution of each in turn, to the end, "
	if len(r.Args) > 0 {
		text += "all with " + strings.Join(r.Args, " ") + ", "
	}
	return text + fmt.Sprintf("on %s, in %s", units.Plural(r.Environment.CPUs, "CPU"), r.Dir)
}

// onceCheckOf says whether a comparison of executions can be trusted.
func onceCheckOf(runs []record.Executions) Statement {
	stolen := 0.0
	for _, r := range runs {
		stolen = max(stolen, r.Environment.StealShare)
	}
	disturbed := slices.ContainsFunc(runs, func(r record.Executions) bool { return MostDisturbed(r.Conditions) })
	return Trusted(disturbed, "every execution ended with exit code 0", stolen)
}

// onceSides are the facts of each variant, one line each.
func onceSides(runs []record.Executions) (lines []string) {
	for i, r := range runs {
		if r.Facts != nil {
			lines = append(lines, fmt.Sprintf("%s: %s  (%s)", Letter(i), FactsLine(*r.Facts),
				units.Plural(r.Facts.Executions, "execution")))
		}
		if p := r.Profiled; p != nil && p.Passes > 0 {
			lines = append(lines, fmt.Sprintf("%s: the CPU profile saw %.0f %% of the CPU time of one more execution",
				Letter(i), 100*p.CPUShare))
		}
	}
	return lines
}
