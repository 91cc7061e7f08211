package judge

import (
	"math"
	"strings"
	"testing"
)

// An interval that begins at 0 does not show a difference, whatever the test says.
func TestADifferenceIsClearOfZero(t *testing.T) {
	at := func(low, high float64) Word {
		e := Evidence{Value: math.Log1p((low + high) / 2), Low: math.Log1p(low), High: math.Log1p(high), P: 0.03, Level: 0.031, Shown: true, Starts: 6}
		e.EquivalenceLow, e.EquivalenceHigh = e.Low, e.High
		return e.Verdict(cpu, Options{}).Word
	}
	for _, c := range []struct {
		low, high float64
		want      Word
	}{
		{0, 0.024, Undecided},
		{0.00004, 0.024, Undecided},
		{0.0004, 0.024, Undecided},
		{0.0006, 0.024, Slower},
		{-0.024, -0.00004, Undecided},
		{-0.024, -0.0006, Faster},
		{0.00004, 0.004, Same},
	} {
		if got := at(c.low, c.high); got != c.want {
			t.Errorf("interval %v ... %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// A change that is undecided though its interval is on one side of 0 has a reason that does not deny that.
func TestReasonOfAnIntervalOnOneSideOfZero(t *testing.T) {
	near, far := math.Log(1.0003), math.Log(1.0023)
	for _, c := range []struct {
		what      string
		low       float64
		shown     bool
		p         float64
		questions int
		want      string
	}{
		{"it touches 0", near, true, 0.002, 0, "and is on one side of 0, but it comes within 0.05 % of 0"},
		{"many measures", far, false, 0.002, 15, "and is on one side of 0, but 15 measures share the level, so that this one alone is no proof"},
		{"an early look", far, false, 0.03, 15, "and is on one side of 0, but p = 0.03 is over the 0.02 allowed by now"},
		{"across 0", -far, false, 0.3, 15, "reaches over +-1 %, but not clear of 0"},
	} {
		high := math.Log(1.016)
		e := Evidence{Value: (c.low + high) / 2, Low: c.low, High: high, EquivalenceLow: c.low, EquivalenceHigh: high,
			P: c.p, Level: 0.02, Shown: c.shown, Starts: 12}
		v := e.Verdict(cpu, Options{Questions: c.questions})
		if v.Word != Undecided || !strings.HasSuffix(v.Reason, c.want) {
			t.Errorf("%s: %s: %q, want %q", c.what, v.Word, v.Reason, c.want)
		}
	}
}
