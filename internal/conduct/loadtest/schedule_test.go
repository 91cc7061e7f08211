package loadtest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape Shape
		want  string // part of the error; empty for a schedule
		check func(load.Schedule) bool
	}{
		{"closed", Shape{Duration: time.Second}, "", func(s load.Schedule) bool { return !s.Open() && s.Duration == time.Second }},
		{"a number", Shape{Requests: 9}, "", func(s load.Schedule) bool { return !s.Open() && s.Requests == 9 }},
		{"a rate", Shape{FromHz: 5, ToHz: 5, Duration: time.Second}, "", func(s load.Schedule) bool { return slices.Equal(s.Stages, load.OpenLoop(5, time.Second).Stages) }},
		{"a rate for a number", Shape{FromHz: 5, ToHz: 5, Requests: 7}, "", func(s load.Schedule) bool {
			return s.Requests == 7 && s.Stages[0].From == 5 && s.Length() >= 1400*time.Millisecond
		}},
		{"a ramp", Shape{FromHz: 0, ToHz: 10, Duration: time.Second}, "", func(s load.Schedule) bool { return s.Stages[0] == load.Stage{To: 10, For: time.Second} }},
		{"a staircase", Shape{FromHz: 100, ToHz: 300, Steps: 3, Duration: 3 * time.Second}, "",
			func(s load.Schedule) bool {
				return len(s.Stages) == 3 && s.Stages[1] == load.Stage{From: 200, To: 200, For: time.Second}
			}},
		{"poisson", Shape{FromHz: 5, ToHz: 5, Duration: time.Second, Poisson: true, Seed: 3}, "",
			func(s load.Schedule) bool { return s.Arrivals == load.Poisson && s.Seed == 3 }},
		{"nothing", Shape{}, "neither a duration (-d) nor a number", nil},
		{"steps of one rate", Shape{FromHz: 5, ToHz: 5, Steps: 2, Duration: time.Second}, "needs a range", nil},
		{"a ramp for ever", Shape{FromHz: 1, ToHz: 5, Requests: 9}, "a ramp needs a duration", nil},
		{"poisson of a closed loop", Shape{Poisson: true, Duration: time.Second}, "needs a --rate", nil},
		{"rate and replay", Shape{FromHz: 1, ToHz: 1, Replay: []time.Duration{0}}, "exclude each other", nil},
		{"beyond the bound", Shape{FromHz: 1e9, ToHz: 1e9, Duration: time.Second}, "rate is 1e+09/s", nil},
	} {
		s, err := c.shape.Schedule()
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

func TestReadReplay(t *testing.T) {
	got, err := ReadReplay("f", strings.NewReader("# head\n2026-01-31T12:00:00.5Z GET /\n\n2026-01-31T12:00:01.5Z,x\n"), 2)
	if err != nil || len(got) != 2 || got[0] != 0 || (got[1]-500*time.Millisecond).Abs() > time.Microsecond {
		t.Errorf("got %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"2\n1\n": "f:2: the moment lies before", "": "f holds no moments", "-1\n": "f:1: \"-1\" is not a moment", "NaN": "f:1", "1\nx y\n": "f:2: \"x\" is neither",
	} {
		if _, err := ReadReplay("f", strings.NewReader(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := ReadReplay("f", strings.NewReader("1\n"), 0); err == nil {
		t.Error("a speed of 0 is accepted")
	}
}

// Whatever the text, moments ascend from 0.
func FuzzReadReplay(f *testing.F) {
	f.Add("0\n1.5\n", 1.0)
	f.Add("2026-01-31T12:00:00Z\n", 2.0)
	f.Add("1e9,\n9999999999 x", 1e-3)
	f.Fuzz(func(t *testing.T, text string, speed float64) {
		all, err := ReadReplay("f", strings.NewReader(text), speed)
		if err != nil {
			return
		}
		last := time.Duration(0)
		for _, at := range all {
			if at < last {
				t.Fatalf("%v behind %v", at, last)
			}
			last = at
		}
		if all[0] != 0 {
			t.Fatalf("begins at %v", all[0])
		}
	})
}
