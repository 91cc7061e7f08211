package honecli

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/judge"
)

const contest = `{"schema": "hone.compare/2", "comparison": {"elapsed_ns": 30000000000, "blocks": 8, "block_time_ns": 2500000000, "verdict": "slower",
	"gates": [{"gate": {"gate": "cpu<+2%"}, "outcome": "failed"}, {"gate": {"gate": "allocs<=0"}, "outcome": "passed"}],
	"contests": [{"verdict": "slower", "why": {"changes": [{"function": "main.dig"}]}, "verdicts": [
		{"measure": {"key": "cpu"}, "verdict": "slower", "first": {"verdict": "slower", "again": true}, "ratio": 1.03, "low": 1.02, "high": 1.04, "starts": 8},
		{"measure": {"key": "rate"}, "verdict": "same", "ratio": 1}, {"measure": {"key": "p99"}, "verdict": "faster", "ratio": 0.9}]}]}}`

// Everything that was called different is in the line, and what the second stage takes back is not.
func TestSaid(t *testing.T) {
	read := func(changes ...string) Said {
		c, err := ReadComparison([]byte(strings.NewReplacer(changes...).Replace(contest)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.said()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := read()
	if s.Word != judge.Slower || s.First != judge.Slower || !s.Confirmed || !s.Alarm() || s.Ratio != 1.03 ||
		s.Low != 1.02 || s.High != 1.04 || s.Starts != 8 || s.Seconds != 20 {
		t.Errorf("%+v", s)
	}
	if want := []string{"cpu", "p99", "gate cpu<+2%", "function main.dig"}; !slices.Equal(s.Different, want) {
		t.Errorf("different are %q, want %q", s.Different, want)
	}
	s = read(`"verdict": "slower", "first"`, `"verdict": "undecided", "reason": "not confirmed", "first"`,
		`[{"verdict": "slower"`, `[{"verdict": "undecided"`)
	if s.Alarm() || s.First != judge.Slower || s.Confirmed || s.TakenBack != "not confirmed" ||
		!slices.Equal(s.FirstDifferent, []string{"cpu", "p99"}) || slices.Contains(s.Different, "cpu") {
		t.Errorf("taken back: %+v", s)
	}
	// Equal builds take the word back, whatever the verdict says.
	if s = read(`[{"verdict": "slower"`, `[{"verdict": "same"`); s.Word != judge.Same || s.Confirmed ||
		s.First != judge.Slower {
		t.Errorf("equal builds: %+v", s)
	}
	// What is excluded is read, and why nothing was measured.
	s = read(`"verdict": "slower", "first"`, `"verdict": "no change", "excluded": 0.019, "first"`,
		`[{"verdict": "slower"`, `[{"verdict": "no change"`)
	if s.Bound() != 0.019 {
		t.Errorf("bound %v in %+v", s.Bound(), s)
	}
	s = read(`"blocks": 8`, `"blocks": 1, "stopped": "not executed"`)
	if s.Unmeasured != NotExecuted {
		t.Errorf("not executed: %+v", s)
	}
	if c, err := ReadComparison([]byte(`{"schema": "hone.compare/2"}`)); err == nil {
		t.Errorf("nothing was read as %+v", c)
	}
}
