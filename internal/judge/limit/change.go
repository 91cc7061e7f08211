package limit

import (
	"fmt"
	"math"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Measure is what the language has to know of a measure whose change is limited.
type Measure struct {
	// Key is its name.
	Key string
	// Unit is that of its values: "ns", "B", "requests/s".
	Unit string
	// HigherIsBetter: a fall makes it worse.
	HigherIsBetter bool
	// OfLoad says that a threshold of a load test has a metric of that name.
	OfLoad bool
	// OfTarget says that it is known of one of several targets, whose name stands after its key in braces: p99{/items}.
	OfTarget bool
	// OfFunction says that it is of one function, whose name stands after its key in brackets:
	// func(main.work).
	OfFunction bool
}

// Change is a limit on the change of a measure from A to B.
type Change struct {
	// Text is the limit as its user wrote it.
	Text string
	// Measure is the place of the measure among those known.
	Measure int
	// Function is what stands in the brackets of a measure of one function.
	Function string
	// Target is what stands in the braces of a measure of one target.
	Target string
	Op     Op
	// Limit is a fraction if Relative (B/A - 1), else B - A in the measure's unit.
	Limit    float64
	Relative bool
}

// changesOf is the grammar of limits on the change of measures.
func changesOf(known []Measure) grammar {
	return grammar{kind: "gate", subject: "measure", names: strings.Join(keys(known), ", "),
		examples: examplesOf(known)}
}

// mostExamples is how many gates an error shows.
const mostExamples = 3

// examplesOf are gates on some of the measures: on those that most are about, or else the first.
func examplesOf(known []Measure) string {
	usual := map[string]string{"cpu": "cpu<+2%", "rate": "rate>-5%", "allocs": "allocs<=0"}
	var common, others []string
	for _, m := range known {
		switch {
		case usual[m.Key] != "":
			common = append(common, usual[m.Key])
		case m.OfFunction:
		case m.HigherIsBetter:
			others = append(others, m.Key+">-5%")
		default:
			others = append(others, m.Key+"<+5%")
		}
	}
	all := append(common, others...)
	all = all[:min(mostExamples, len(all))]
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// ParseChange reads MEASURE OP VALUE, with or without spaces between them: a limit on the
// change of one of the known measures, named by its key, from A to B.
//
// VALUE is a percentage, which is a change relative to A (+2%, -10 %, 5%), or a signed
// number with the unit of the measure (+100us, +1MB, +0.5), which is the difference B - A;
// 0 needs neither sign nor unit. OP is < or <= where less is better, else > or >=: the
// other way round a limit would let everything pass that gets worse.
//
// Errors are *fail.Error of kind BadInput and name the column, from 1.
func ParseChange(text string, known []Measure) (Change, error) {
	g := changesOf(known)
	p, err := g.cut(text)
	if err != nil {
		return Change{}, err
	}
	name, target := cutTarget(p.name.text)
	name, function := cutFunction(name)
	place, fault := g.measureOf(name, known)
	if fault == nil {
		fault = checkFunction(known[place], p.name.text, function)
	}
	if fault == nil && target != "" && !known[place].OfTarget {
		fault = fail.New(fail.BadInput, "%s is not known of one target",
			name).WithHint("percentiles of the latency are, such as p99{%s}", target)
	}
	if fault != nil {
		return Change{}, p.at(p.name, fault)
	}
	c := changeParser{grammar: g, measure: known[place],
		Change: Change{Text: strings.TrimSpace(text), Measure: place, Function: function, Target: target,
			Op: Op(p.op.text)}}
	if fault := c.setLimit(p.value.text); fault != nil {
		return Change{}, p.at(p.value, fault)
	}
	if fault := c.checkDirection(p.value.text); fault != nil {
		return Change{}, p.at(p.op, fault)
	}
	if c.Relative && c.Limit <= -1 {
		return Change{}, p.at(p.value, fail.New(fail.BadInput, "nothing falls by 100 %% or more").
			WithHint("write a limit over -100%%, such as %s%s-10%%", c.measure.Key, c.Op))
	}
	return c.Change, nil
}

// changeParser is a change that is being read.
type changeParser struct {
	grammar
	measure Measure
	Change
}

// setLimit reads the value. Errors have hints and no position.
func (c *changeParser) setLimit(text string) *fail.Error {
	digits := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-"), " ")
	sign := text[:min(1, len(text))]
	if sign != "+" && sign != "-" {
		sign, digits = "", text
	}
	number, unit := cutNumber(digits)
	n, ok := parseNumber(number)
	key := c.measure.Key
	switch {
	case text == "":
		return c.noValue()
	case !ok:
		return fail.New(fail.BadInput, "%q is not a number", text).WithHint("write a change such as %s",
			c.valueExamples())
	}
	scale, known := c.measure.scales()[unit]
	switch {
	case unit == "%":
		scale, c.Relative = 0.01, true
	case unit == "" && n == 0:
		scale = 1
	case !known && unit == "":
		return fail.New(fail.BadInput, "%s has no unit", text).
			WithHint("write a change such as %s", c.valueExamples())
	case !known:
		return fail.New(fail.BadInput, "%q is not a unit of %s", unit, key).WithHint("write a change such as %s",
			c.valueExamples())
	case sign == "" && n != 0:
		return c.noSign(text)
	}
	if c.Limit = n * scale; math.IsInf(c.Limit, 0) {
		return fail.New(fail.BadInput, "%s is too large", text).WithHint("write a change such as %s", c.valueExamples())
	}
	if sign == "-" && n != 0 {
		c.Limit = -c.Limit
	}
	return nil
}

// noSign is the error for what looks like a limit on the value itself.
func (c *changeParser) noSign(text string) *fail.Error {
	err := fail.New(fail.BadInput, "%s has no sign, and a gate is a limit on the change from A to B", text)
	gate := c.measure.Key + string(c.Op)
	if !c.measure.OfLoad {
		return err.WithHint("write %s+%s, or a relative change such as %s+2%%", gate, text, gate)
	}
	return err.WithHint("write %s+%s; a limit on %s itself is for hone load TARGET --fail-if '%s%s%s'",
		gate, text, c.measure.Key, c.measure.Key, c.Op.Opposite(), text)
}

// checkDirection refuses a gate that no worsening could fail.
func (c *changeParser) checkDirection(value string) *fail.Error {
	downward := c.Op == Less || c.Op == AtMost
	lower := !c.measure.HigherIsBetter
	if downward == lower {
		return nil
	}
	// The user meant "fail if", or took the sign for the direction.
	better, sign, limit := "lower", "+", strings.TrimLeft(value, "+- ")
	if !lower {
		better, sign = "higher", "-"
	}
	return fail.New(fail.BadInput, "%s is better when it is %s: what gets worse would pass", c.measure.Key, better).
		WithHint("a gate says what has to hold: write %s%s%s%s", c.measure.Key, c.Op.Opposite(), sign, limit)
}

// scales are the units in which a difference of the measure is written, in its own.
func (m Measure) scales() map[string]float64 {
	switch stem, _, _ := strings.Cut(m.Unit, "/"); stem {
	case "ns":
		return nanos
	case "sec", "s":
		return map[string]float64{"ns": 1e-9, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ms": 1e-3, "s": 1}
	case "B":
		return map[string]float64{"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20,
			"GiB": 1 << 30}
	case "requests", "1", "":
		return map[string]float64{"": 1, "/s": 1, "k": 1e3, "k/s": 1e3}
	default:
		return map[string]float64{"": 1, stem: 1, m.Unit: 1}
	}
}

// valueExamples are values that hints show for the measure.
func (c *changeParser) valueExamples() string {
	sign, number := "+", "0.5"
	if c.measure.HigherIsBetter {
		sign, number = "-", "100/s"
	}
	switch stem, _, _ := strings.Cut(c.measure.Unit, "/"); stem {
	case "ns", "sec", "s":
		number = "100us"
	case "B":
		number = "1kB"
	}
	return fmt.Sprintf("%s2%% (of A) or %s%s", sign, sign, number)
}
