package model

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
)

// calibratedHint says what an earlier calibration knows of the gates that are open.
func calibratedHint(c *record.Comparison) string {
	k := c.Calibrated
	if k == nil {
		return ""
	}
	var parts []string
	for _, g := range c.Gates {
		if g.Outcome != gate.Open {
			continue
		}
		for _, p := range k.Powers {
			next := p.Budget >= c.Budget && p.Smallest < 1 && g.Gate.Measure.Key == p.Measure.Key && g.Gate.Relative
			if next && math.Abs(g.Gate.Limit) < float64(p.Smallest) {
				parts = append(parts,
					fmt.Sprintf("%s asks for more than this machine shows: in %s a change of %s shows, and %s can pass",
						g.Gate.Text, BudgetText(p.Budget), Smallest(p), PassableGate(p)))
			}
			if next {
				break
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + fmt.Sprintf(" (calibration %s of %s)", k.Comparison, k.At.Format(time.DateOnly))
}

// Smallest is the smallest change of a measure in a cell.
func Smallest(p power.Power) string {
	if math.IsInf(float64(p.Smallest), 1) {
		return "none"
	}
	return units.Digits(100*float64(p.Smallest)) + " %"
}

// PassableGate is the tightest gate, in half per cent, that passes where nothing changed.
func PassableGate(p power.Power) string {
	limit := math.Max(0.5, math.Ceil(200*float64(p.Smallest))/2)
	if p.Measure.Better == judge.Higher {
		return fmt.Sprintf("%s>-%g%%", p.Measure.Key, limit)
	}
	return fmt.Sprintf("%s<+%g%%", p.Measure.Key, limit)
}
