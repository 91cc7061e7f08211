package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/threshold"
)

// gateExamples are gates that hints show.
const gateExamples = "cpu<+2%, rate>-5% or allocs<=0"

// ParseGate reads a gate on one of Measures; see ParseGateOf.
func ParseGate(text string) (Gate, error) { return ParseGateOf(text, Measures) }

// ParseGateOf reads MEASURE OP VALUE, with or without spaces between them: a limit on the
// change of one of the known measures, named by its key, from A to B.
//
// VALUE is a percentage, which is a change relative to A (+2%, -10 %, 5%), or a signed
// number with the unit of the measure (+100us, +1MB, +0.5), which is the difference B - A;
// 0 needs neither sign nor unit. OP is < or <= where less is better, else > or >=: the
// other way round a gate would let everything pass that gets worse.
//
// Errors are *fail.Error of kind BadInput and name the column, from 1.
func ParseGateOf(text string, known []Measure) (Gate, error) {
	p := threshold.Cut("gate", text)
	if err := p.Check("measure", keys(known), gateExamples); err != nil {
		return Gate{}, err
	}
	m, fault := measureOf(p.Name.Text, known)
	if fault != nil {
		return Gate{}, p.At(p.Name, fault)
	}
	g := Gate{Text: strings.TrimSpace(text), Measure: m, Op: Op(p.Op.Text)}
	if fault := g.setLimit(p.Value.Text); fault != nil {
		return Gate{}, p.At(p.Value, fault)
	}
	if fault := g.checkDirection(p.Value.Text); fault != nil {
		return Gate{}, p.At(p.Op, fault)
	}
	if g.Relative && g.Limit <= -1 {
		return Gate{}, p.At(p.Value, fail.New(fail.BadInput, "nothing falls by 100 %% or more").
			WithHint("write a limit over -100%%, such as %s%s-10%%", m.Key, g.Op))
	}
	return g, nil
}

// setLimit reads the value. Errors have hints and no position.
func (g *Gate) setLimit(text string) *fail.Error {
	digits := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-"), " ")
	sign := text[:min(1, len(text))]
	if sign != "+" && sign != "-" {
		sign, digits = "", text
	}
	number, unit := threshold.CutNumber(digits)
	n, ok := threshold.ParseNumber(number)
	key := g.Measure.Key
	switch {
	case text == "":
		return fail.New(fail.BadInput, "no value").WithHint("write it like %s", gateExamples)
	case !ok:
		return fail.New(fail.BadInput, "%q is no number", text).WithHint("write a change such as %s", g.valueExamples())
	}
	scale, known := g.Measure.scales()[unit]
	switch {
	case unit == "%":
		scale, g.Relative = 0.01, true
	case unit == "" && n == 0:
		scale = 1
	case !known && unit == "":
		return fail.New(fail.BadInput, "%s has no unit", text).
			WithHint("write a change such as %s", g.valueExamples())
	case !known:
		return fail.New(fail.BadInput, "%q is no unit of %s", unit, key).WithHint("write a change such as %s", g.valueExamples())
	case sign == "" && n != 0:
		return g.noSign(text)
	}
	if g.Limit = n * scale; math.IsInf(g.Limit, 0) {
		return fail.New(fail.BadInput, "%s is too large", text).WithHint("write a change such as %s", g.valueExamples())
	}
	if sign == "-" && n != 0 {
		g.Limit = -g.Limit
	}
	return nil
}

// noSign is the error for what looks like a limit on the value itself.
func (g *Gate) noSign(text string) *fail.Error {
	err := fail.New(fail.BadInput, "%s has no sign, and a gate is a limit on the change from A to B", text)
	gate := g.Measure.Key + string(g.Op)
	if g.Measure.Quantile == 0 && g.Measure.Key != Throughput.Key {
		return err.WithHint("write %s+%s, or a relative change such as %s+2%%", gate, text, gate)
	}
	return err.WithHint("write %s+%s; a limit on %s itself is for hone load TARGET --fail-if '%s%s%s'",
		gate, text, g.Measure.Key, g.Measure.Key, g.Op.opposite(), text)
}

// checkDirection refuses a gate that no worsening could fail.
func (g *Gate) checkDirection(value string) *fail.Error {
	downward := g.Op == Less || g.Op == AtMost
	lower := g.Measure.Better != Higher
	if downward == lower {
		return nil
	}
	// The author meant "fail if", or took the sign for the direction.
	better, sign, limit := "lower", "+", strings.TrimLeft(value, "+- ")
	if !lower {
		better, sign = "higher", "-"
	}
	return fail.New(fail.BadInput, "%s is better when it is %s: what gets worse would pass", g.Measure.Key, better).
		WithHint("a gate says what has to hold: write %s%s%s%s", g.Measure.Key, g.Op.opposite(), sign, limit)
}

// opposite is what holds where o does not.
func (o Op) opposite() Op {
	switch o {
	case Less:
		return AtLeast
	case AtMost:
		return More
	case More:
		return AtMost
	default:
		return Less
	}
}

// scales are the units in which a difference of the measure is written, in its own.
func (m Measure) scales() map[string]float64 {
	switch stem, _, _ := strings.Cut(m.Unit, "/"); stem {
	case "ns":
		return map[string]float64{"ns": 1, "us": 1e3, "\u00b5s": 1e3, "\u03bcs": 1e3, "ms": 1e6, "s": 1e9}
	case "sec", "s":
		return map[string]float64{"ns": 1e-9, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ms": 1e-3, "s": 1}
	case "B":
		return map[string]float64{"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
	case "requests", "1", "":
		return map[string]float64{"": 1, "/s": 1, "k": 1e3, "k/s": 1e3}
	default:
		return map[string]float64{"": 1, stem: 1, m.Unit: 1}
	}
}

// valueExamples are values that hints show for the measure.
func (g *Gate) valueExamples() string {
	sign, number := "+", "0.5"
	if g.Measure.Better == Higher {
		sign, number = "-", "100/s"
	}
	switch stem, _, _ := strings.Cut(g.Measure.Unit, "/"); stem {
	case "ns", "sec", "s":
		number = "100us"
	case "B":
		number = "1kB"
	}
	return fmt.Sprintf("%s2%% (of A) or %s%s", sign, sign, number)
}
