package compare

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/units"
)

// Gate is a limit on the change of a measure from A to B, as in cpu<+2% or allocs<=0.
// Within the limit is good: a gate says what has to hold.
type Gate struct {
	// Text is the gate as its user wrote it.
	Text    string  `json:"gate"`
	Measure Measure `json:"measure"`
	// Function is the one that the measure is of, with what it calls; empty for the whole program.
	Function string   `json:"function,omitempty"`
	Op       limit.Op `json:"op"`
	// Limit of the change: a fraction if Relative (B/A - 1), else B - A in the measure's
	// unit.
	Limit    float64 `json:"limit"`
	Relative bool    `json:"relative"`
}

// ParseGate reads a gate on one of GateMeasures; see ParseGateOf.
func ParseGate(text string) (Gate, error) { return ParseGateOf(text, GateMeasures) }

// ParseGateOf reads a gate on one of the known measures: see limit.ParseChange, also for
// the errors.
func ParseGateOf(text string, known []Measure) (Gate, error) {
	var measures []limit.Measure
	for _, m := range known {
		measures = append(measures, limit.Measure{
			Key: m.Key, Unit: m.Unit, HigherIsBetter: m.Better == Higher, OfLoad: m.Quantile > 0 || m.Key == Throughput.Key,
			OfTarget: m.Level == Pooled && !m.FirstByte, OfFunction: m.Key == functionKey,
		})
	}
	c, err := limit.ParseChange(text, measures)
	if err != nil {
		return Gate{}, err
	}
	g := Gate{Text: c.Text, Measure: known[c.Measure], Function: c.Function, Op: c.Op, Limit: c.Limit, Relative: c.Relative}
	if g.Function != "" {
		g.Measure = g.Measure.OfFunction(g.Function)
	}
	g.Measure.Target = c.Target // as the user named it, see Referee.TellApart
	return g, nil
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
// interval of the change keeps to the limit, failed if none of it does, and else open.
// A change smaller than what the measure tells apart (Measure.Floor) is none.
func (g Gate) Judge(v Verdict) (Outcome, string) {
	low, high := g.interval(v)
	if math.IsInf(high-low, 0) || math.IsNaN(high-low) {
		if v.Reason == "" {
			return Open, "there is no interval of the change"
		}
		return Open, v.Reason
	}
	text := units.Span(low, high)
	if !g.Relative {
		u := units.FamilyOf(g.Measure.Unit).Pick(low, high)
		text = fmt.Sprintf("%s ... %s %s", signed(low/u.Scale), signed(high/u.Scale), u.Name)
		if u.Name == "" {
			text += g.Measure.Unit
		}
	}
	outcome := judge(g.Op, low, high, g.Limit)
	switch {
	case outcome == Open && g.passedBefore(v):
		outcome = Passed // what was measured again, with fewer blocks, is a difference within the limit
	case outcome == Failed && v.OnlyDisturbed != "":
		return Open, v.OnlyDisturbed
	case v.First == nil:
	case outcome == Failed:
		text += ", confirmed"
	default:
		text += fmt.Sprintf("; %s in the first stage", span(v.First.Low, float64(v.First.High)))
	}
	return outcome, "change " + text
}

// passedBefore says that the first stage showed the gate to hold.
func (g Gate) passedBefore(v Verdict) bool {
	if v.First == nil {
		return false
	}
	v.Low, v.High = v.First.Low, float64(v.First.High)
	low, high := g.interval(v)
	return !math.IsInf(high-low, 0) && judge(g.Op, low, high, g.Limit) == Passed
}

// interval is that of the change, in the terms of the limit; infinite where there is none.
// The interval is of the ratio, so that of the difference takes A as it was observed.
func (g Gate) interval(v Verdict) (low, high float64) {
	if math.IsInf(v.High, 1) || v.Low <= 0 { // a ratio of 0 has an infinite logarithm
		return math.Inf(-1), math.Inf(1)
	}
	from := max(v.A, g.Measure.Floor)
	low, high = from*(v.Low-1), from*(v.High-1)
	if math.Abs(low) < g.Measure.Floor {
		low = 0
	}
	if math.Abs(high) < g.Measure.Floor {
		high = 0
	}
	switch {
	case !g.Relative:
		return low, high
	case from > 0:
		return low / from, high / from
	default: // nothing is known of A itself
		return v.Low - 1, v.High - 1
	}
}

// judge compares an interval with a bound.
func judge(o limit.Op, low, high, bound float64) Outcome {
	switch {
	case o.Holds(low, bound) && o.Holds(high, bound):
		return Passed
	case o.Opposite().Holds(low, bound) && o.Opposite().Holds(high, bound):
		return Failed
	}
	return Open
}

// Need estimates what it takes to settle a gate that is open on a verdict, should the
// estimate stay where it is, by the same law as Verdict.Need; nil if it is not open, or
// no number of starts would do.
func (g Gate) Need(v Verdict) *Need {
	if outcome, _ := g.Judge(v); outcome != Open || v.Starts < 1 {
		return nil
	}
	low, high := g.interval(v)
	if math.IsInf(high-low, 0) || math.IsNaN(high-low) {
		return v.Need
	}
	middle := (low + high) / 2
	off := g.Limit - middle
	if off == 0 {
		return nil
	}
	n := &Need{Starts: more(v.Starts, square((high-low)/2/off))}
	n.Factor = float64(v.Starts+n.Starts) / float64(v.Starts)
	return n
}

// signed writes a difference with its sign.
func signed(v float64) string {
	switch text := units.Digits(math.Abs(v)); {
	case v > 0:
		return "+" + text
	case v < 0:
		return "-" + text
	default:
		return text
	}
}
