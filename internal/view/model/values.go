package model

import (
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

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
