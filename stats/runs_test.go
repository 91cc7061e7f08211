package stats

import (
	"math"
	"testing"
)

// Of five values of two kinds the ten orders have two runs twice, three three times, four four times, and five once.
func TestRunsP(t *testing.T) {
	for text, want := range map[string]float64{"aabbb": 0.2, "abbba": 0.5, "ababb": 0.9, "babab": 1, "aaaa": 1, "": 1,
		"aaaaaabbbbbb": 2.0 / 924} {
		var kinds []bool
		for _, c := range text {
			kinds = append(kinds, c == 'b')
		}
		if p := RunsP(kinds); math.Abs(p-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", text, p, want)
		}
	}
}
