package judge

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Blocks of two kinds that come in stretches are no difference, if one kind does not show it: a public commit whose path
// has six instructions fewer was called slower, since 33 pairs beside a busy thread had +7.9 %, and 11 others -0.7 %. In
// any order they are luck of starts. A difference that both kinds show stays, and so does one beyond what neighbours cost.
func TestBlocksThatComeInStretches(t *testing.T) {
	values := func(pattern string, calm, busy float64) (all []float64) {
		for i, kind := range pattern {
			v := calm
			if kind == 'b' {
				v = busy
			}
			all = append(all, v+0.004*math.Sin(float64(7*i)))
		}
		return all
	}
	stretch, mixed := strings.Repeat("c", 5)+strings.Repeat("b", 12), "cbbcbbbcbbcbbbcbb"
	for _, c := range []struct {
		name       string
		pattern    string
		calm, busy float64
		taken      bool
	}{
		{"a neighbour", stretch, -0.007, 0.076, true}, {"luck of starts", mixed, -0.007, 0.076, false},
		{"both kinds", stretch, 0.05, 0.1, false}, {"a faster B", stretch, 0.007, -0.076, true},
	} {
		blocks := values(c.pattern, c.calm, c.busy)
		middle := (5*c.calm + 12*c.busy) / 17
		v := Verdict{Word: Slower, Ratio: math.Exp(middle), Low: math.Exp(middle - 0.02), High: math.Exp(middle + 0.02),
			blocks: blocks}
		if why := v.inStretches(blocks); (why != "") != c.taken {
			t.Errorf("%s: %q", c.name, why)
		}
		slices.Reverse(blocks)
		if v.Ratio, v.Low, v.High = 3, 2.9, 3.1; v.inStretches(blocks) != "" {
			t.Errorf("%s: a difference beyond neighbours is taken", c.name)
		}
	}
}
