// Package gate has the limits on the change of a measure that a user sets, as in cpu<+2%: parsed, and held against
// verdicts.
package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Gate is a limit on the change of a measure from A to B, as in cpu<+2% or allocs<=0.
// Within the limit is good: a gate says what has to hold.
type Gate struct {
	// Text is the gate as its user wrote it.
	Text    string        `json:"gate"`
	Measure judge.Measure `json:"measure"`
	// Function is the one that the measure is of, with what it calls; empty for the whole program.
	Function string   `json:"function,omitempty"`
	Op       limit.Op `json:"op"`
	// Limit of the change: a fraction if Relative (B/A - 1), else B - A in the measure's
	// unit.
	Limit    float64 `json:"limit"`
	Relative bool    `json:"relative"`
}

// Measures are what a gate on a comparison under load may be on.
var Measures = append(slices.Clone(measure.All), measure.FunctionCPU)

// Parse reads a gate on one of Measures; see ParseOf.
func Parse(text string) (Gate, error) { return ParseOf(text, Measures) }

// ParseOf reads a gate on one of the known measures: see limit.ParseChange, also for
// the errors.
func ParseOf(text string, known []judge.Measure) (Gate, error) {
	var measures []limit.Measure
	for _, m := range known {
		measures = append(measures, limit.Measure{
			Key: m.Key, Unit: m.Unit, HigherIsBetter: m.Better == judge.Higher,
			OfLoad:   m.Quantile > 0 || m.Key == measure.Throughput.Key,
			OfTarget: m.Level == judge.Pooled && !m.FirstByte, OfFunction: m.Key == measure.FunctionKey,
		})
	}
	c, err := limit.ParseChange(text, measures)
	if err != nil {
		return Gate{}, err
	}
	g := Gate{Text: c.Text, Measure: known[c.Measure], Function: c.Function, Op: c.Op, Limit: c.Limit,
		Relative: c.Relative}
	if g.Function != "" {
		g.Measure = measure.OfFunction(g.Measure, g.Function)
	}
	g.Measure.Target = c.Target // as the user named it, see compare.Referee.TellApart
	return g, nil
}

// CheckTargets refuses gates on unknown targets. Errors are *fail.Error of kind BadInput.
func CheckTargets(gates []Gate, targets []string) error {
	for _, g := range gates {
		if g.Measure.Target == "" {
			continue
		}
		if _, err := limit.FindTarget(g.Measure.Target, targets); err != nil {
			return err
		}
	}
	return nil
}

// Outcome is what became of a gate.
type Outcome string

// The outcomes. Open is not a pass: the limit lies within the interval.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	Open   Outcome = "undecided"
)

// Result is a gate with its outcome for one variant.
type Result struct {
	Gate    Gate    `json:"gate"`
	Variant string  `json:"variant"`
	Outcome Outcome `json:"outcome"`
	// Reason says why, with the interval of the change.
	Reason string `json:"reason"`
}

// Judge holds the gate against a verdict on its measure: it is passed if the whole
// interval of the change keeps to the limit, failed if none of it does, and else open.
// A gate that only a change passes is open where the verdict does not call it one.
// A change smaller than what the measure tells apart (Measure.Floor) counts as 0.
func (g Gate) Judge(v judge.Verdict) (Outcome, string) {
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
	outcome := g.outcomeOf(low, high)
	if outcome == Open && !g.WantsChange() && g.passedBefore(v) {
		outcome = Passed // what was measured again, with fewer blocks, is a difference within the limit
	}
	switch {
	case outcome == Failed && v.OnlyDisturbed != "":
		return Open, v.OnlyDisturbed
	case outcome == Passed && g.WantsChange() && v.Word == judge.Undecided:
		return Open, "change " + text + ", and it is undecided whether there is one: " + v.Reason
	case v.First == nil:
	case outcome == Failed:
		text += ", confirmed"
	default:
		text += fmt.Sprintf("; %s in the first stage", units.Span(v.First.Low-1, float64(v.First.High)-1))
	}
	return outcome, "change " + text
}

// JudgeLate is Judge where no second stage can follow: what that would have to confirm is open.
func (g Gate) JudgeLate(v judge.Verdict) (Outcome, string) {
	outcome, reason := g.Judge(v)
	if outcome == Failed || outcome == Passed && g.WantsChange() {
		return Open, reason + ": " + judge.SeenTooLate
	}
	return outcome, reason
}

// WantsChange says that a program that changes nothing does not pass the gate: a gain has to be there when it is
// measured again.
func (g Gate) WantsChange() bool { return !g.Op.Holds(0, g.Limit) }

// passedBefore says that the first stage showed the gate to hold.
func (g Gate) passedBefore(v judge.Verdict) bool {
	if v.First == nil {
		return false
	}
	v.Low, v.High = v.First.Low, float64(v.First.High)
	low, high := g.interval(v)
	return !math.IsInf(high-low, 0) && g.outcomeOf(low, high) == Passed
}

// interval is that of the change, in the terms of the limit; infinite where there is none.
// The interval is of the ratio, so that of the difference takes A as it was observed.
func (g Gate) interval(v judge.Verdict) (low, high float64) {
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

// outcomeOf compares an interval of the change with the limit.
func (g Gate) outcomeOf(low, high float64) Outcome {
	holds, fails := g.Op, g.Op.Opposite()
	switch {
	case holds.Holds(low, g.Limit) && holds.Holds(high, g.Limit):
		return Passed
	case fails.Holds(low, g.Limit) && fails.Holds(high, g.Limit):
		return Failed
	}
	return Open
}

// Need estimates what it takes to settle a gate that is open on a verdict, should the
// estimate stay where it is, by the same law as judge.Verdict.Need; nil if it is not open, or
// no number of starts would do.
func (g Gate) Need(v judge.Verdict) *judge.Need {
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
	half := (high - low) / 2
	return judge.NeedOf(v.Starts, half*half/(off*off))
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

// ConfirmingBlocks is how many blocks it takes to confirm that a verdict fails the gate; 0 if it does not.
func (g Gate) ConfirmingBlocks(v judge.Verdict) int {
	if outcome, _ := g.Judge(v); outcome != Failed {
		return 0
	}
	return judge.ConfirmingBlocks(v, g.Distance(v))
}

// Distance is how far a change lies from the limit, as a log ratio.
func (g Gate) Distance(v judge.Verdict) float64 {
	limit := 1 + g.Limit
	if !g.Relative {
		limit = 1 + g.Limit/max(v.A, g.Measure.Floor, math.SmallestNonzeroFloat64)
	}
	if limit <= 0 {
		return math.Inf(1)
	}
	return math.Log(v.Ratio) - math.Log(limit)
}
