package conclusion

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/decisions"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/symbol"
)

// explaining gives decisions to the changes that they explain, each once.
type explaining struct {
	Measured
	decisions.Builds
	said map[string]bool
}

// explain adds to a change the decisions that go its way: those about the function itself, about those into which it is
// inlined, and about those that it calls where the change is of them, too. of says whether it is one of allocations.
func (x *explaining) explain(c *diff.Change, below map[string]bool, ofAllocs bool) {
	if below == nil {
		return
	}
	own := decisions.Name(c.Function)
	functions := []string{own}
	if c.Calls {
		for _, name := range slices.Sorted(maps.Keys(below)) {
			if name != own {
				functions = append(functions, name)
			}
		}
	}
	for _, f := range functions {
		found := x.Of(f)
		if f == own {
			found = atLine(found, int(c.Line))
		}
		for _, one := range found {
			x.say(c, f, one, ofAllocs)
		}
	}
	if slices.ContainsFunc(x.Of(own), func(one decisions.Change) bool { return one.Line != 0 }) {
		return // in its callers it would be the same
	}
	for _, caller := range x.Callers(own) {
		lines := x.InlinedAt(caller, own)
		for _, one := range x.Of(caller) {
			if one.Line != 0 && slices.Contains(lines, one.Line) {
				x.say(c, caller, one, ofAllocs)
			}
		}
	}
}

// say adds one decision about a function to a change, if it explains that.
func (x *explaining) say(c *diff.Change, function string, one decisions.Change, ofAllocs bool) {
	key := cmp.Or(one.Callee, one.Text) // of one callee it is one decision, whichever caller it is said of
	if one.Dearer != (c.Delta > 0) || x.said[key] || len(c.Compiler) == mostClauses {
		return
	}
	if ownTime := c.What == "" || c.What == symbol.Short(c.Function); one.Bounds &&
		(ofAllocs || !ownTime || len(c.Compiler) > 0) {
		return
	}
	text := one.Text
	if one.Line != 0 {
		more, ok := x.allocates(c, function, one)
		if !ok {
			return
		}
		text += more
	}
	x.said[key] = true
	c.Compiler = append(c.Compiler, text)
}

// allocates says whether values that escape are allocated when the program runs, which those of a path that it does not
// take are not: the function then allocates more, or less. It says how much, where the line is known.
func (x *explaining) allocates(c *diff.Change, function string, one decisions.Change) (text string, ok bool) {
	if x.Allocs == nil {
		return "", !x.counted() && strings.HasPrefix(c.What, "allocation ")
	}
	sum, whole := 0.0, 0.0
	for _, site := range x.Allocs.Changes {
		name := decisions.Name(site.Function)
		switch {
		case (site.Delta > 0) != one.Dearer:
		case name == function && int(site.Line) == one.Line, slices.Contains(x.InlinedAt(function, name), one.Line):
			sum += site.Delta
			ok = true
		case name == function && !one.Sized && !x.EscapesAt(function, int(site.Line)):
			ok = true // an expression of several lines
		}
		if site.Share != 0 {
			whole = x.Allocs.Total * site.Delta / site.Share
		}
	}
	if sum == 0 {
		return "", ok
	}
	return ": " + x.amount(sum, whole), true
}

// counted says whether allocations were counted.
func (x *explaining) counted() bool { return x.verdict(measure.Allocs.Key) != nil }

func (x *explaining) verdict(key string) *judge.Verdict {
	i := slices.IndexFunc(x.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == key })
	if i < 0 {
		return nil
	}
	return &x.Verdicts[i]
}

// wholly is the part of a change of allocations from which on a line has all of it: its bytes are those of the change.
const wholly = 0.95

// amount writes a change of allocations: "+1 allocation of 32 B per operation".
func (x *explaining) amount(allocs, whole float64) string {
	count, size, per := units.Digits(math.Abs(allocs)), "", ""
	if n := math.Round(allocs); math.Abs(n-allocs) < 0.05*math.Abs(allocs) && n != 0 { // profiles are samples
		count = units.Count(uint64(math.Abs(n)))
	}
	noun, sign := "allocations", "+"
	if count == "1" {
		noun = "allocation"
	}
	if allocs < 0 {
		sign = "-"
	}
	if v := x.verdict(measure.Allocs.Key); v != nil {
		_, per, _ = strings.Cut(v.Measure.Name, "allocations")
	}
	if v := x.verdict(measure.Bytes.Key); v != nil && allocs/whole >= wholly && (v.B-v.A)/whole > 0 {
		size = fmt.Sprintf(" of %s", units.Bytes((v.B-v.A)/whole))
	}
	return sign + count + " " + noun + size + per
}

// atLine leaves out values of other lines where some are of the line that changed.
func atLine(all []decisions.Change, line int) []decisions.Change {
	if !slices.ContainsFunc(all, func(c decisions.Change) bool { return c.Line == line }) {
		return all
	}
	return slices.DeleteFunc(all, func(c decisions.Change) bool { return c.Line != 0 && c.Line != line })
}
