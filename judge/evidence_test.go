package judge

import (
	"math"
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
