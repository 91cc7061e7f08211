package model

import (
	"cmp"
	"math"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// MeasureOf is the verdict on one measure.
func MeasureOf(v judge.Verdict) MeasureRow {
	none := "too few starts"
	if v.Method == judge.SlowShare {
		v, none = slowRequests(v), chance(v)
	}
	p := ValuesOf(v)
	return RowOf(v, Cells{
		Name: v.Measure.Name, Unit: cmp.Or(p.Unit, v.Measure.Unit), A: p.A, B: p.B,
		Change: changeOf(v), Interval: intervalOf(v, none), Word: wordFor(v),
	})
}

// RowOf is a verdict with its texts.
func RowOf(v judge.Verdict, t Cells) MeasureRow {
	row := MeasureRow{
		RowName: RowName{
			Key: v.Measure.Key, Name: t.Name, Unit: v.Measure.Unit, Better: string(v.Measure.Better),
		},
		A:          Number{Value: finite(v.A), Text: strings.TrimSpace(t.A + " " + t.Unit)},
		B:          Number{Value: finite(v.B), Text: strings.TrimSpace(t.B + " " + t.Unit)},
		Difference: Difference{Change: Number{Value: finite(v.Ratio - 1), Text: t.Change}, Interval: t.Interval},
		Word:       t.Word, Tone: Neutral,
		Gated: v.Measure.Key == measure.CPU.Key, Cells: t, Excluded: v.Excluded,
	}
	switch v.Word {
	case judge.Faster, judge.Slower:
		row.Tone = WordTone(v.Word)
	case judge.NoChange:
		row.bound = Excluded(v)
	case judge.Undecided:
		row.Note = v.Reason
	}
	if v.Bounded() {
		row.Bounded, row.Low, row.High = true, finite(v.Low-1), finite(v.High-1)
	}
	return row
}

// finite is a value that JSON has.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// wordFor is the verdict as it reads for a measure: memory gets no faster.
func wordFor(v judge.Verdict) string {
	switch {
	case v.Word == judge.NoChange:
		return NoChange(v)
	case !v.Word.Different() || v.Measure.Unit == measure.CPU.Unit || v.Measure.Unit == measure.Throughput.Unit:
		return string(v.Word)
	case (v.Word == judge.Faster) == (v.Measure.Better == judge.Higher):
		return "more"
	default:
		return "less"
	}
}

// NoChange is the word of a verdict that bounds a change.
func NoChange(v judge.Verdict) string { return "no change over " + Excluded(v) }

// Values is how the values of A and B are printed beside a change.
type Values struct {
	A, B string
	Unit string // of both; empty for plain numbers
}

// ValuesOf are the texts of a verdict.
func ValuesOf(v judge.Verdict) Values {
	floor := v.Measure.Floor
	if counted(v) {
		floor = 0
	}
	a, b := max(v.A, floor), max(v.B, floor)
	u := units.FamilyOf(v.Measure.Unit).Pick(a, b)
	text := func(value float64) string {
		if floor > 0 && value <= floor {
			return "<" + units.Digits(floor/u.Scale)
		}
		return units.Digits(value / u.Scale)
	}
	return Values{A: text(a), B: text(b), Unit: u.Name}
}

// counted says that no value is below what is told apart: both were counted, or they are equal.
func counted(v judge.Verdict) bool { return v.Method == compare.Exact || v.A == v.B && v.Ratio == 1 }

// String is the pair in one piece: "13.9 -> 0.970 us".
func (v Values) String() string { return strings.TrimSpace(v.A + " -> " + v.B + " " + v.Unit) }
