package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// memorySentence says what shrinks memory most and what that costs, or that nothing was shown to shrink it.
func memorySentence(v *tuning.Verification) string {
	t := v.Tried[0]
	switch {
	case !t.Memory().Bounded():
		return "not known what shrinks resident memory: there were too few starts for intervals; raise --budget"
	case !t.Shrinks():
		return "no setting was shown to shrink resident memory: of none the whole interval lies below zero"
	}
	m := t.Memory()
	text := fmt.Sprintf("%s shrinks resident memory by %s: %s -> %s, %s", t.Name, units.Bytes(m.A-m.B), units.Bytes(m.A),
		units.Bytes(m.B), change(m))
	cpu, known := t.On(measure.CPU)
	switch {
	case t.Unsettled != "":
		text += "; what it costs in CPU time is not known: " + t.Unsettled
	case known:
		text += "; CPU per request " + change(cpu)
	}
	return text
}

// memoryTable has a line for each setting: memory first, then what it costs.
func memoryTable(b *strings.Builder, v *tuning.Verification) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "setting\tto shrink\tresident memory\tchange\tinterval\tCPU per request\tchange\tinterval\tcollector")
	for _, t := range v.Tried {
		row := []string{t.Name, t.Does}
		row = append(row, verdictCells(t.Memory(), units.Bytes)...)
		cpu, _ := t.On(measure.CPU)
		row = append(row, verdictCells(cpu, units.Nanos)...)
		fmt.Fprintln(tw, strings.Join(append(row, fromTo(v.Rounds[t.Round-1].AsIs.Collector, t.Collector)), "\t"))
	}
	tw.Flush()
}

// verdictCells are both values of a verdict, the change and its interval.
func verdictCells(v judge.Verdict, text func(float64) string) []string {
	if v.Starts == 0 {
		return []string{"-", "-", "-"}
	}
	return []string{text(v.A) + " -> " + text(v.B), units.Percent(v.Ratio - 1), model.Span(v, "too few starts")}
}
