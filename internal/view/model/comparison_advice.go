package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Missing is what it takes to decide what a comparison left open, at the noise it saw.
type Missing struct {
	// Budget is what --budget has to be, rounded up, and More how much longer that is than what was given or taken.
	More, Budget time.Duration
	// OutOfReach says that no reasonable time decides it: over an hour, or none at all.
	OutOfReach bool
}

// longest is the time beyond which more of it is not advice.
const longest = time.Hour

// StillNeeded says what it would take to settle the gates that are open or, without
// gates, to decide on all variants. It is nil where nothing is open or the verdicts are
// not from a comparison that could go on.
func StillNeeded(c *record.Comparison) *Missing {
	if c.BlockTime <= 0 || indicative(c) {
		return nil
	}
	open, most := false, 0
	for _, need := range needs(c) {
		open = true
		if need == nil {
			return &Missing{OutOfReach: true}
		}
		most = max(most, need.Starts)
	}
	if !open {
		return nil
	}
	if float64(most)*float64(c.BlockTime) > float64(longest) {
		return &Missing{OutOfReach: true}
	}
	now := max(c.Budget, time.Duration(c.Blocks)*c.BlockTime)
	budget := roundUp(now + time.Duration(most)*c.BlockTime)
	return &Missing{Budget: budget, More: budget - now}
}

// needs are those of all that is open; nil where no number of starts would do.
func needs(c *record.Comparison) []*judge.Need {
	var all []*judge.Need
	if len(c.Gates) > 0 {
		for _, g := range c.Gates {
			if v, ok := verdictOfGate(c, g); ok && g.Outcome == gate.Open {
				all = append(all, g.Gate.Need(v))
			}
		}
		return all
	}
	for _, contest := range c.Contests {
		if contest.Word == judge.Undecided {
			v, _ := Lead(contest)
			all = append(all, v.Need)
		}
	}
	return all
}

// unobserved are the gates, by their text, that time does not help: what they are about
// is not observed.
func unobserved(c *record.Comparison) []string {
	var all []string
	for _, g := range c.Gates {
		if _, ok := verdictOfGate(c, g); !ok && g.Outcome == gate.Open && !slices.Contains(all, g.Gate.Text) {
			all = append(all, g.Gate.Text)
		}
	}
	return all
}

// verdictOfGate is the verdict that a gate was held against.
func verdictOfGate(c *record.Comparison, g gate.Result) (judge.Verdict, bool) {
	for _, contest := range c.Contests {
		if Letter(contest.B) == g.Variant {
			return verdictOn(contest, g.Gate.Measure.Key)
		}
	}
	return judge.Verdict{}, false
}

// roundUp gives a budget that people type: five and ten seconds, half minutes, minutes.
func roundUp(d time.Duration) time.Duration {
	step := time.Minute
	switch {
	case d <= time.Minute:
		step = 5 * time.Second
	case d <= 3*time.Minute:
		step = 10 * time.Second
	case d <= 10*time.Minute:
		step = 30 * time.Second
	}
	return (d + step - 1) / step * step
}

// budgetFlag writes a budget as a flag takes it: --budget 100s, --budget 12m30s.
func budgetFlag(d time.Duration) string { return "--budget " + BudgetText(d) }

func BudgetText(d time.Duration) string {
	if d <= 3*time.Minute && d%time.Second == 0 {
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	if d%time.Minute == 0 {
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return d.String()
}

// nextSteps say what is left open, why that is not a pass, and what would change it.
func nextSteps(c *record.Comparison) (all []Statement) {
	for _, contest := range c.Contests {
		if v, ok := Lead(contest); ok && contest.Word == judge.Undecided {
			all = append(all, Statement{Text: "open: " + unknown(v, About(contest.B, len(c.Contests))), Tone: Warning})
		}
	}
	if len(all) > 0 || len(c.Gates) > 0 {
		all = append(all, notAPass(c)...)
	}
	return all
}

// notAPass says what would settle what is open.
func notAPass(c *record.Comparison) []Statement {
	hint := Hint(c)
	if hint == "" {
		return nil
	}
	return []Statement{{Text: "no verdict yet: " + hint, Tone: Warning}}
}

// shortSteps are what would settle what is open or, where nothing would, all of nextSteps.
func shortSteps(c *record.Comparison) []Statement {
	all := nextSteps(c)
	if len(all) == 0 {
		return nil
	}
	isHeld := slices.ContainsFunc(c.Contests, func(contest record.Contest) bool {
		return contest.Word == judge.Undecided && contest.Held != ""
	})
	if settle := notAPass(c); settle != nil && !isHeld {
		return settle
	}
	return all
}

// unknown says why a verdict is open, and how large a difference may still hide.
func unknown(v judge.Verdict, name string) string {
	text := name + v.Reason
	if math.IsInf(v.Detectable, 1) || v.Detectable <= 0 {
		return text
	}
	return strings.TrimPrefix(fmt.Sprintf("%s; a difference of %.2g %% or more would have been seen in 4 of 5 such "+
		"comparisons",
		text, 100*v.Detectable), "; ")
}

const outOfReach = "with this much noise, more time does not help; "

// Hint says in a few words what would settle what is open; empty where nothing is.
func Hint(c *record.Comparison) string {
	var parts []string
	if texts := unobserved(c); len(texts) > 0 {
		parts = append(parts,
			fmt.Sprintf("the gate %s is about a measure that was not observed, or in too few requests: leave it out, or "+
				"measure longer", strings.Join(texts, ", ")))
	}
	if slices.ContainsFunc(c.Contests, func(contest record.Contest) bool { return contest.OtherWork() != "" }) {
		parts = append(parts, "let both do the same work; if the difference is meant, --set answers.may-differ")
	}
	switch m := StillNeeded(c); {
	case indicative(c) && anythingOpen(c):
		parts = append(parts, "hone compare with packages or git refs measures both together")
	case m == nil:
	case !m.OutOfReach:
		parts = append(parts, fmt.Sprintf("about %s more would decide it: %s", units.Seconds(m.More),
			budgetFlag(m.Budget)))
	case len(c.Gates) > 0:
		parts = append(parts, outOfReach+"move the limit away from the change, or use a quieter machine (hone doctor)")
	default:
		parts = append(parts, outOfReach+"use a quieter machine (hone doctor)"+largerBound(c))
	}
	if text := calibratedHint(c); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// mostBound is the largest bound that is still an answer to anybody.
const mostBound = 0.25

// largerBound names the bound that would be an answer to what is open; empty where it would be too large for one, or
// where there is none.
func largerBound(c *record.Comparison) string {
	largest := 0.0
	for _, contest := range c.Contests {
		if v, ok := Lead(contest); ok && contest.Word == judge.Undecided {
			if !(v.EquivalenceLow > 0) || v.OnlyDisturbed != "" {
				return ""
			}
			largest = max(largest, 1/v.EquivalenceLow-1, v.EquivalenceHigh-1)
		}
	}
	if largest == 0 || largest > mostBound {
		return ""
	}
	return fmt.Sprintf(", or take a larger bound for an answer: --set excluded=%.0f%%", math.Ceil(100*largest))
}

func anythingOpen(c *record.Comparison) bool { return len(needs(c)) > 0 }

// Tolerance is the tolerance in force.
func Tolerance(c *record.Comparison) float64 {
	for _, contest := range c.Contests {
		if v, ok := Lead(contest); ok {
			return v.Delta
		}
	}
	return judge.DefaultDelta
}
