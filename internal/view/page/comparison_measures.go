package page

import (
	"math"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/view/report"
)

// measureRow is one line of the terminal's table, with its texts.
func measureRow(v compare.Verdict, t report.MeasureTexts) MeasureRow {
	row := MeasureRow{
		Key: v.Measure.Key, Name: t.Name, Unit: v.Measure.Unit, Better: string(v.Measure.Better),
		A: Number{finite(v.A), withUnit(t.A, t.Unit)}, B: Number{finite(v.A * v.Ratio), withUnit(t.B, t.Unit)},
		Change: Number{finite(v.Ratio - 1), t.Change}, Interval: t.Interval, Word: t.Word, Tone: measureTone(v),
		Gated: v.Measure.Key == compare.CPU.Key,
	}
	if v.Word == compare.Undecided {
		row.Note = v.Reason
	}
	if v.Bounded() {
		row.Bounded, row.Low, row.High = true, finite(v.Low-1), finite(v.High-1)
	}
	return row
}

func withUnit(number, unit string) string { return strings.TrimSpace(number + " " + unit) }

// finite is a value that JSON has.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func measureTone(v compare.Verdict) Tone {
	switch v.Word {
	case compare.Faster:
		return Better
	case compare.Slower:
		return Worse
	}
	return Neutral
}
