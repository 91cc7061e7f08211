package service

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/capture"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/load"
)

// Profiles are as long as enough samples take, of a program that was busy for a part of the time.
func TestProfilesAreLongEnough(t *testing.T) {
	for _, c := range []struct {
		busy    time.Duration // of each second
		samples int
		want    time.Duration
	}{
		{time.Second, 0, 2 * time.Second},        // as asked for
		{time.Second, 70, 2 * time.Second},       // there are enough
		{time.Second / 2, 350, 10 * time.Second}, // 100 samples of a second, of which the profiler sees 70
		{time.Millisecond, 350, longestProfile},  // it would take an hour
		{0, 350, 2 * time.Second},                // not known
	} {
		m := &services{Measurement: &lab.Measurement{}}
		m.Task.ProfileTime, m.Task.ProfileSamples = 2*time.Second, c.samples
		s := &start{service: &service{}}
		s.timed.Samples = []timed.Sample{{Loaded: load.Slice{Duration: time.Second},
			Counters: usage.Counters{CPU: c.busy}}}
		if got := m.profileTime([]*capture.Program{{Timed: &s.timed}}); got.Round(time.Millisecond) != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
