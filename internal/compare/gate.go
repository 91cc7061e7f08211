package compare

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/units"
)

// Op is how a gate compares.
type Op string

// The operators of gates.
const (
	Less    Op = "<"
	AtMost  Op = "<="
	More    Op = ">"
	AtLeast Op = ">="
)

// Gate is a limit on the change of a measure from A to B, as in cpu<+2% or allocs<=0.
type Gate struct {
	// Text is the gate as its user wrote it.
	Text    string  `json:"gate"`
	Measure Measure `json:"measure"`
	Op      Op      `json:"op"`
	// Limit of the change: a fraction if Relative (B/A - 1), else B - A in the measure's
	// unit.
	Limit    float64 `json:"limit"`
	Relative bool    `json:"relative"`
}

// Outcome is what became of a gate.
type Outcome string

// The outcomes. Open is not a pass: the limit lies within the interval.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	Open   Outcome = "undecided"
)

// GateResult is a gate with its outcome for one variant.
type GateResult struct {
	Gate    Gate    `json:"gate"`
	Variant string  `json:"variant"`
	Outcome Outcome `json:"outcome"`
	// Reason says why, with the interval of the change.
	Reason string `json:"reason"`
}

// Judge holds the gate against a verdict on its measure: it is passed if the whole
// interval of the change keeps to the limit, failed if none of it does. An absolute
// change smaller than what the measure tells apart (Measure.Floor) is none.
func (g Gate) Judge(v Verdict) (Outcome, string) {
	if math.IsInf(v.High, 1) {
		return Open, v.Reason
	}
	low, high, slack := v.Low-1, v.High-1, 0.0
	text := units.Span(low, high)
	if !g.Relative {
		from := max(v.A, g.Measure.Floor)
		low, high, slack = low*from, high*from, g.Measure.Floor
		u := units.FamilyOf(g.Measure.Unit).Pick(low, high)
		text = fmt.Sprintf("%s ... %s %s", units.Signed(low/u.Scale), units.Signed(high/u.Scale), u.Name)
	}
	return g.Op.judge(low, high, g.Limit, slack), "change " + text
}

func (o Op) judge(low, high, limit, slack float64) Outcome {
	switch o {
	case More:
		return Less.judge(-high, -low, -limit, slack)
	case AtLeast:
		return AtMost.judge(-high, -low, -limit, slack)
	case Less:
		switch {
		case high < limit+slack:
			return Passed
		case low >= limit+slack:
			return Failed
		}
	default:
		switch {
		case high <= limit+slack:
			return Passed
		case low > limit+slack:
			return Failed
		}
	}
	return Open
}
