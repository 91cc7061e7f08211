package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// CalibratedProgram writes what comparisons of a program show on this machine: the smallest change of
// each measure that shows within each budget, how often equal variants are called different or
// the same, and gates that can pass.
func CalibratedProgram(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	c, runs = printable.Document(c), printable.Document(runs)
	b := &strings.Builder{}
	k := c.Calibration
	if !HasVerdict(c) {
		withoutVerdict(b, c, runs, brief)
		return write(w, b)
	}
	variants(b, runs)
	if k == nil {
		fmt.Fprintf(b, "compared with itself: %s of both, too few to say anything\n", starts(c.Blocks))
		return write(w, b)
	}
	fmt.Fprintf(b, "compared with itself for %s: %s of both, each of %s\n", units.Seconds(time.Duration(k.Blocks)*k.BlockTime),
		starts(k.Blocks), units.Seconds(k.BlockTime))
	fmt.Fprintln(b, Check(c, runs))
	disturbed(b, runs)
	doubts(b, runs)
	fmt.Fprintln(b, "smallest change that is shown in 4 of 5 comparisons:")
	calibrationTable(b, k)
	for _, line := range calibrationRates(k, deltaOf(c)) {
		fmt.Fprintln(b, line)
	}
	if text := passableGates(k.Powers); text != "" {
		fmt.Fprintf(b, "gates that can pass where nothing changed, in %s: %s\n", budgetOf(compareBudget(k)), text)
	}
	fmt.Fprintf(b, "next: hone compare with one of these gates; hone show %s shows this again\n", c.ID)
	return write(w, b)
}

// budgetsOf are the budgets of a calibration, in order.
func budgetsOf(k *lab.Calibration) []time.Duration {
	var all []time.Duration
	for _, p := range k.Powers {
		if p.Measure == k.Powers[0].Measure {
			all = append(all, p.Budget)
		}
	}
	return all
}

// calibrationTable has a row for each measure and a column for each budget.
func calibrationTable(b *strings.Builder, k *lab.Calibration) {
	row := []string{"measure"}
	for _, budget := range budgetsOf(k) {
		row = append(row, "in "+budgetOf(budget))
	}
	tw := leftColumns(b)
	for _, p := range k.Powers {
		if p.Budget == k.Powers[0].Budget { // the first of its measure
			fmt.Fprintln(tw, strings.Join(row, "\t"))
			row = []string{p.Measure.Name}
		}
		row = append(row, smallest(p))
	}
	fmt.Fprintln(tw, strings.Join(row, "\t"))
	tw.Flush()
}

// smallest is the smallest change of a measure in a cell.
func smallest(p compare.Power) string {
	if math.IsInf(float64(p.Smallest), 1) {
		return "none"
	}
	return fmt.Sprintf("%.2g %%", 100*float64(p.Smallest))
}

// calibrationRates say how often equal variants are called different, and how often the same.
func calibrationRates(k *lab.Calibration, delta float64) []string {
	drawn, alarms := 0, 0
	var same []string
	for _, p := range k.Powers {
		drawn, alarms = drawn+p.Drawn, alarms+p.Alarms
		if p.Measure.Key == compare.CPU.Key && p.Drawn > 0 {
			same = append(same, fmt.Sprintf("%.0f %% in %s", 100*float64(p.Same)/float64(p.Drawn), budgetOf(p.Budget)))
		}
	}
	if drawn == 0 {
		return []string{"too few starts for any verdict within these budgets: raise --budget"}
	}
	return []string{
		fmt.Sprintf("false alarms: %.1f %% of %s comparisons of equal variants, drawn from these starts",
			100*float64(alarms)/float64(drawn), units.Count(uint64(drawn))),
		fmt.Sprintf("called the same within +-%g %%: %s", 100*delta, strings.Join(same, ", ")),
	}
}

// compareBudget is the budget that gates are named for: that of hone compare, or the longest.
func compareBudget(k *lab.Calibration) time.Duration {
	budgets := budgetsOf(k)
	best := budgets[0]
	for _, d := range budgets {
		if d <= time.Minute {
			best = d
		}
	}
	return best
}

// passableGates are gates that pass in four of five comparisons of equal variants, at a budget
// of a minute at most.
func passableGates(powers []compare.Power) string {
	var gates []string
	for i, p := range powers {
		next := i+1 < len(powers) && powers[i+1].Measure == p.Measure && powers[i+1].Budget <= time.Minute
		if next || p.Budget > time.Minute || math.IsInf(float64(p.Smallest), 1) {
			continue
		}
		gates = append(gates, gateOf(p))
	}
	return strings.Join(gates, ", ")
}

// gateOf is the tightest gate, in half per cent, that passes where nothing changed.
func gateOf(p compare.Power) string {
	limit := math.Max(0.5, math.Ceil(200*float64(p.Smallest))/2)
	if p.Measure.Better == compare.Higher {
		return fmt.Sprintf("%s>-%g%%", p.Measure.Key, limit)
	}
	return fmt.Sprintf("%s<+%g%%", p.Measure.Key, limit)
}

// calibratedHint says what an earlier calibration knows of the gates that are open.
func calibratedHint(c *lab.ComparisonRecord) string {
	k := c.Calibrated
	if k == nil {
		return ""
	}
	var parts []string
	for _, g := range c.Gates {
		if g.Outcome != compare.Open {
			continue
		}
		for _, p := range k.Powers {
			next := p.Budget >= c.Budget && g.Gate.Measure.Key == p.Measure.Key && g.Gate.Relative
			if next && math.Abs(g.Gate.Limit) < float64(p.Smallest) {
				parts = append(parts, fmt.Sprintf("%s asks for more than this machine shows: in %s a change of %s shows, and %s can pass",
					g.Gate.Text, budgetOf(p.Budget), smallest(p), gateOf(p)))
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
