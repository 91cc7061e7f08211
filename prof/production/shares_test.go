package production

import (
	"math"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

func TestShares(t *testing.T) {
	b := proftest.BuildCPU().Ticks(60, "main.rank < main.serve.func1 < main.main").Ticks(30,
		"main.rank < main.rank < main.serve.func1 < main.main").Ticks(10, inMark)
	b.P.Sample[0].Label = map[string][]string{"region": {"eu"}}
	_, s, err := NewShares([]prof.Capture{capturetest.CPU(b, 0)}, []prof.Capture{capturetest.CPU(b, 0), capturetest.CPU(b, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string]float64{"main.rank": 0.9, "main.serve.func1": 0.9, "main.main": 0.9,
		"main.none": 0} {
		if got := s.Of(function); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s has %v, want %v", function, got, want)
		}
	}
	if s.Samples != 200 || s.Most() != 0.015 {
		t.Errorf("%v samples, at most %v", s.Samples, s.Most())
	}
	eu, _ := prof.ParseTagFilter("region=eu")
	some, err := prof.Selection{TagFocus: eu}.Captures([]prof.Capture{capturetest.CPU(b, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err := NewShares(some, some); err != nil || s.Of("main.rank") != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, _, err := NewShares(nil, some); err == nil {
		t.Error("nothing has shares")
	}
}
