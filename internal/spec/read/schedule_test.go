package read

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		name  string
		asked spec.Spec
		want  string // part of the error; empty for a schedule
		check func(load.Schedule) bool
	}{
		{"closed", spec.Spec{Parts: spec.Parts{Load: spec.Load{Duration: time.Second}}}, "",
			func(s load.Schedule) bool { return !s.Open() && s.Duration == time.Second }},
		{"a number", spec.Spec{Sending: spec.Sending{Number: 9}}, "",
			func(s load.Schedule) bool { return !s.Open() && s.Requests == 9 }},
		{"a rate", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 5, Duration: time.Second}},
			Sending: spec.Sending{ToHz: 5}}, "", func(s load.Schedule) bool {
			return slices.Equal(s.Stages, load.OpenLoop(5, time.Second).Stages)
		}},
		{"a rate for a number", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 5}},
			Sending: spec.Sending{ToHz: 5, Number: 7}}, "", func(s load.Schedule) bool {
			return s.Requests == 7 && s.Stages[0].From == 5 && s.Length() >= 1400*time.Millisecond
		}},
		{"a ramp", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 0, Duration: time.Second}},
			Sending: spec.Sending{ToHz: 10}}, "", func(s load.Schedule) bool {
			return s.Stages[0] == load.Stage{To: 10, For: time.Second}
		}},
		{"a staircase", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 100, Duration: 3 * time.Second}},
			Sending: spec.Sending{ToHz: 300, Steps: 3}}, "",
			func(s load.Schedule) bool {
				return len(s.Stages) == 3 && s.Stages[1] == load.Stage{From: 200, To: 200, For: time.Second}
			}},
		{"poisson", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 5, Duration: time.Second},
			Test: spec.Test{Seed: 3}}, Sending: spec.Sending{ToHz: 5, Arrivals: poisson}}, "",
			func(s load.Schedule) bool { return s.Arrivals == load.Poisson && s.Seed == 3 }},
		{"nothing", spec.Spec{}, "neither a duration (-d) nor a number", nil},
		{"steps of one rate", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 5, Duration: time.Second}},
			Sending: spec.Sending{ToHz: 5, Steps: 2}}, "needs a range", nil},
		{"a ramp for ever", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 1}},
			Sending: spec.Sending{ToHz: 5, Number: 9}}, "a ramp needs a duration", nil},
		{"poisson of a closed loop", spec.Spec{Parts: spec.Parts{Load: spec.Load{Duration: time.Second}},
			Sending: spec.Sending{Arrivals: poisson}}, "needs a --rate", nil},
		{"rate and replay", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 1}},
			Sending: spec.Sending{ToHz: 1, Moments: []time.Duration{0}}}, "exclude each other", nil},
		{"beyond the bound", spec.Spec{Parts: spec.Parts{Load: spec.Load{RateHz: 1e9, Duration: time.Second}},
			Sending: spec.Sending{ToHz: 1e9}}, "rate is 1e+09/s", nil},
	} {
		s, err := scheduleOf(&c.asked)
		if c.want == "" {
			if err != nil || !c.check(s) {
				t.Errorf("%s: %+v, %v", c.name, s, err)
			}
			continue
		}
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
