package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// method says how a comparison was measured, and on what each verdict rests.
func method(c *record.Comparison) []string {
	all := []string{fmt.Sprintf("comparison %s of %s, seed %d", c.ID, c.Started.UTC().Format("2006-01-02 15:04 MST"),
		c.Seed)}
	if c.Why != "" {
		all = append(all, fmt.Sprintf("variants %s: %s", c.Arrangement, c.Why))
	}
	for _, contest := range c.Contests {
		if v, ok := gated(contest); ok && !v.Indicative {
			all = append(all, fmt.Sprintf("%s against %s: %s, %s; at look %d p = %.2g was held against %.2g",
				Letter(contest.B), Letter(contest.A), v.Method, evidence(v), v.Looks, v.P, v.Level))
		}
	}
	if len(c.Looks) > 0 {
		var looks []string
		for _, l := range c.Looks {
			looks = append(looks, fmt.Sprintf("%d (%.0f %%)", l.Blocks, 100*l.Used))
		}
		all = append(all, "looks at so many starts (of the budget): "+strings.Join(looks, ", "))
	}
	return all
}

// machineOf says in one line where a run was taken.
func machineOf(r record.Run) string {
	e := r.Environment
	parts := NonEmpty(e.CPUModel, units.Plural(e.CPUs, "CPU"), strings.TrimSpace(e.OS+"/"+e.Arch+" "+e.Kernel),
		"hone "+e.Hone,
		fmt.Sprintf("load average %.2f before", e.LoadAverage))
	if e.StealShare > 0 {
		parts = append(parts, fmt.Sprintf("host steal %.1f %%", 100*e.StealShare))
	}
	return "machine: " + strings.Join(parts, ", ")
}
