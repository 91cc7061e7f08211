package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge/power"
)

// CalibratedProgram writes what comparisons of a program show on this machine: the smallest change of
// each measure that shows within each budget, how often equal variants are called different or
// the same, and gates that can pass.
func CalibratedProgram(w io.Writer, c *record.Comparison, runs []record.Run) error {
	c, runs = printable.Document(c), printable.Document(runs)
	b := &strings.Builder{}
	k := c.Calibration
	m := model.ComparisonOf(c, runs, model.Brief)
	if !m.Compared {
		return writeComparison(w, m, model.Full)
	}
	variants(b, m)
	if k == nil {
		fmt.Fprintf(b, "compared with itself: %s of both, too few to say anything\n", model.Starts(c.Blocks))
		return write(w, b)
	}
	fmt.Fprintf(b, "compared with itself for %s: %s of both, each of %s\n",
		units.Seconds(time.Duration(k.Blocks)*k.BlockTime),
		model.Starts(k.Blocks), units.Seconds(k.BlockTime))
	say(b, []model.Statement{m.Check}, m.Doubts)
	fmt.Fprintln(b, "smallest change that is shown in 4 of 5 comparisons:")
	calibrationTable(b, k)
	for _, line := range calibrationRates(k, model.Tolerance(c)) {
		fmt.Fprintln(b, line)
	}
	if text := passableGates(k.Powers); text != "" {
		fmt.Fprintf(b, "gates that can pass where nothing changed, in %s: %s\n", model.BudgetText(compareBudget(k)),
			text)
	}
	fmt.Fprintf(b, "next: hone compare with one of these gates; hone show %s shows this again\n", c.ID)
	return write(w, b)
}

// budgetsOf are the budgets of a calibration, in order.
func budgetsOf(k *record.Calibration) []time.Duration {
	var all []time.Duration
	for _, p := range k.Powers {
		if p.Measure == k.Powers[0].Measure {
			all = append(all, p.Budget)
		}
	}
	return all
}

// calibrationTable has a row for each measure and a column for each budget.
func calibrationTable(b *strings.Builder, k *record.Calibration) {
	row := []string{"measure"}
	for _, budget := range budgetsOf(k) {
		row = append(row, "in "+model.BudgetText(budget))
	}
	tw := leftColumns(b)
	for _, p := range k.Powers {
		if p.Budget == k.Powers[0].Budget { // the first of its measure
			fmt.Fprintln(tw, strings.Join(row, "\t"))
			row = []string{p.Measure.Name}
		}
		row = append(row, model.Smallest(p))
	}
	fmt.Fprintln(tw, strings.Join(row, "\t"))
	tw.Flush()
}

// calibrationRates say how often equal variants are called different, and how often the same.
func calibrationRates(k *record.Calibration, delta float64) []string {
	drawn, alarms := 0, 0
	var same []string
	for _, p := range k.Powers {
		drawn, alarms = drawn+p.Drawn, alarms+p.Alarms
		if p.Measure.Key == measure.CPU.Key && p.Drawn > 0 {
			same = append(same, fmt.Sprintf("%.0f %% in %s", 100*float64(p.Same)/float64(p.Drawn),
				model.BudgetText(p.Budget)))
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
func compareBudget(k *record.Calibration) time.Duration {
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
func passableGates(powers []power.Power) string {
	var gates []string
	for i, p := range powers {
		next := i+1 < len(powers) && powers[i+1].Measure == p.Measure && powers[i+1].Budget <= time.Minute
		if next || p.Budget > time.Minute || p.Smallest >= 1 { // a gate of over 100 % holds for any rate
			continue
		}
		gates = append(gates, model.PassableGate(p))
	}
	return strings.Join(gates, ", ")
}
