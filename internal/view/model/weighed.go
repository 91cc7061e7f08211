package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof/production"
)

// weighed says of each contest what its change comes to in production, and first how much of production the load
// exercises.
func weighed(c *record.Comparison) (lines []Statement) {
	say := func(text string) { lines = append(lines, Statement{Word: "production", Text: text, Tone: Neutral}) }
	for _, contest := range c.Contests {
		w := contest.Weighed
		if w == nil {
			continue
		}
		if len(lines) == 0 { // the load is that of all contests, and its profile that of A
			say(exercised(w))
		}
		if w.Change != nil {
			say(About(contest.B, len(c.Contests)) + weighedChange(w.Change))
		}
	}
	return lines
}

// exercised says how much of production's CPU time the load has, and what it lacks most.
func exercised(w *record.Weighed) string {
	text := fmt.Sprintf("this load exercises %.0f %% (%.0f ... %.0f) of production's CPU time", w.Covered.Overlap,
		w.Covered.Low, w.Covered.High)
	var parts []string
	for _, f := range w.Missing {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", f.Name(), f.Production-f.Run))
	}
	if len(parts) > 0 {
		text += ", missing most: " + strings.Join(parts, ", ")
	}
	return text
}

// weighedChange is the change under the load and in production.
func weighedChange(w *production.Weighing) string {
	text := fmt.Sprintf("%s %s; on production's profile about %s (%s)", measure.CPU.Name, units.Percent(w.Measured/100),
		units.Percent(w.Change/100), units.Span(w.Low/100, w.High/100))
	switch {
	case w.Hidden() && w.Change > 0:
		text += ", so that the noise hides whether it is a loss"
	case w.Hidden():
		text += ", so that the noise hides whether it is a gain"
	}
	if w.Unseen >= 0.5 {
		text += fmt.Sprintf(", where %.0f %% of its CPU time counts as unchanged, since the load does not exercise it",
			w.Unseen)
	}
	return text
}
