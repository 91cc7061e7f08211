package service

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/load"
)

// A run is held to limits on its program, too. What is not known fails.
func TestLimitsOnAProgram(t *testing.T) {
	kept, none := 120.0, 0.0
	leaks := record.Run{ReadyAfter: 40 * time.Millisecond, GCCycles: 9, PerRequest: record.PerRequest{HeapKept: &kept,
		GoroutinesKept: &none}}
	idle := leaks
	idle.GCCycles = 1
	for _, c := range []struct {
		rule     string
		of       record.Run
		failed   bool
		measured string
	}{
		{"start>100ms", leaks, false, "40.0 ms"},
		{"start>30ms", leaks, true, "40.0 ms"},
		{"growth>100B", leaks, true, "120 B"},
		{"growth>2kB", leaks, false, "120 B"},
		{"growth>100B", idle, true, "nothing"},
		{"goroutines>0", leaks, false, "0"},
		{"descriptors>0", leaks, true, "nothing"},
	} {
		rule, err := limit.ParseThreshold(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		m := &services{Measurement: &lab.Measurement{}}
		m.Task.FailIf = []limit.Threshold{rule}
		got := m.thresholds(&service{timed: timed.Load{Tally: load.Tally{}}}, c.of)
		if len(got) != 1 || got[0].Rule != c.rule || got[0].Failed != c.failed || got[0].Measured != c.measured {
			t.Errorf("%s: %+v, want failed %t, measured %s", c.rule, got, c.failed, c.measured)
		}
	}
	for _, bad := range []string{"growth>5s", "start>100", "growth{/}>1"} {
		if rule, err := limit.ParseThreshold(bad); err == nil {
			t.Errorf("%s is read as %v", bad, rule)
		}
	}
}
