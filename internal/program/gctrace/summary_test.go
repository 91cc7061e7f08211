package gctrace

import (
	"testing"
	"time"
)

func TestSummarize(t *testing.T) {
	var cycles []Cycle
	for i := range 101 {
		cycles = append(cycles, Cycle{
			Number: i + 1, At: time.Second + time.Duration(i)*100*time.Millisecond, Share: 7, Forced: i == 3,
			Clock: Clock{SweepTermination: time.Duration(100-i) * time.Microsecond, MarkTermination: time.Microsecond},
			Live:  uint64(i), Goal: 500,
		})
	}
	want := Summary{
		Cycles: 101, Forced: 1, Span: 10 * time.Second, PerSecond: 10, Share: 7,
		PauseP50: 51 * time.Microsecond, PauseP99: 100 * time.Microsecond, PauseMax: 101 * time.Microsecond, Live: 100,
		Goal: 500,
	}
	if got := Summarize(cycles); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Summarize(cycles[:1]); got.PerSecond != 0 || got.PauseMax != 101*time.Microsecond {
		t.Errorf("one cycle: %+v", got)
	}
	if got := Summarize(nil); got != (Summary{}) {
		t.Errorf("none: %+v", got)
	}
}
