package model

import (
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Values is how the values of A and B are printed beside a change: A as it was observed, and
// B as the change leads to it from there. The change is estimated from pairs of slices and
// of starts, and the middles of A and of B by themselves need not agree with it; what is
// printed side by side does.
type Values struct {
	A, B string
	Unit string // of both; empty for plain numbers
}

// ValuesOf are the texts of a verdict.
func ValuesOf(v judge.Verdict) Values {
	floor := v.Measure.Floor
	a := max(v.A, floor) // as in the ratio
	b := a * v.Ratio
	if printedAsTheyAre(v) {
		a, b, floor = v.A, v.B, 0
	}
	u := units.FamilyOf(v.Measure.Unit).Pick(a, b)
	text := func(value float64) string {
		if floor > 0 && value <= floor {
			return "<" + units.Digits(floor/u.Scale)
		}
		return units.Digits(value / u.Scale)
	}
	return Values{A: text(a), B: text(b), Unit: u.Name}
}

// printedAsTheyAre says that no ratio has to lead from A to B: they were counted, they are
// equal, or A is 0.
func printedAsTheyAre(v judge.Verdict) bool {
	return v.Method == gobench.Exact || v.A == v.B && v.Ratio == 1 || v.A == 0 && v.Measure.Floor == 0
}

// String is the pair in one piece: "13.9 -> 0.970 us".
func (v Values) String() string { return strings.TrimSpace(v.A + " -> " + v.B + " " + v.Unit) }
