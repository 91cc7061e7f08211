package diff

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// What the profiler missed is made up for: costs are the clock's, divided up as the
// profile has them.
func TestCostsAreThoseOfTheClock(t *testing.T) {
	c := capturetest.CPU(proftest.BuildCPU().Ticks(30, "main.f < main.main").Ticks(10, "main.g < main.main"), 100)
	c.Duration, c.Clock = time.Second, 80*proftest.Tick // it saw half
	d, err := New([]prof.Capture{c}, []prof.Capture{c}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := 80 * float64(proftest.Tick) / 100; d.A.Total != want || d.B.Total != want {
		t.Errorf("total %v, want %v", d.A.Total, want)
	}
	for _, row := range d.Rows {
		if want := 60 * float64(proftest.Tick) / 100; row.Function == "main.f" && row.A != want {
			t.Errorf("main.f %v, want %v", row.A, want)
		}
	}
	raw, err := New([]prof.Capture{c}, []prof.Capture{c}, Options{Basis: prof.Raw})
	if err != nil || raw.A.Total != 40*float64(proftest.Tick) {
		t.Errorf("raw: %v, %v", raw.A.Total, err)
	}
	without := c
	without.Clock = 0
	sum, err := prof.MergeCaptures([]prof.Capture{c, without})
	if err != nil || sum.Clock != 0 {
		t.Errorf("a clock of one of two captures: %v, %v", sum.Clock, err)
	}
}
