package record

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
)

// Sums keep between the least and the most, and count what they say they count.
func TestFactsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Execution {
			return Execution{Spent: usage.Spent{
				User:        time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "user")),
				System:      time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "system")),
				Real:        time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "real")),
				MaxResident: rapid.Int64Range(0, 1<<40).Draw(t, "resident"),
				AtMost:      rapid.Bool().Draw(t, "at most"),
			}}
		}), 1, 30).Draw(t, "executions")
		f := FactsOf(all)
		known := 0
		for _, e := range all {
			if e.MaxResident > 0 && !e.AtMost {
				known++
			}
		}
		if (f.MaxResident != nil) != (known > 0) || f.Executions != len(all) {
			t.Fatalf("%d known of %d: %+v", known, len(all), f)
		}
		for name, s := range map[string]ExecutionSpread{"CPU": f.CPU, "user": f.User, "real": f.Real} {
			if s.Min > s.Median || s.Median > s.Max {
				t.Fatalf("%s: %+v", name, s)
			}
			if bounded := s.Conf > 0; bounded != (len(all) >= 6) ||
				bounded && (s.Low < s.Min || s.High > s.Max || s.Low > s.High) {
				t.Fatalf("%s of %d: %+v", name, len(all), s)
			}
		}
	})
}

func TestFactsOfOne(t *testing.T) {
	e := Execution{Spent: usage.Spent{User: 3, System: 4, Real: 10, MaxResident: 100, AtMost: true}}
	f := FactsOf([]Execution{e})
	if f.CPU.Median != 7 || f.Real.Median != 10 || f.MaxResident != nil || f.AtMost != 100 {
		t.Errorf("%+v", f)
	}
	if s := e.Sample(); len(s) != 2 || s[measure.ExecutionCPU.Key] != 7 {
		t.Errorf("a bound is no measure: %v", s)
	}
	if FactsOf(nil) != nil || len(FactsOf(nil).Measures()) != 0 {
		t.Error("facts of nothing")
	}
}
