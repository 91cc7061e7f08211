package service

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// In a box the slices of a comparison have many periods, starts have more time, and the program sees all CPUs.
func TestRequestsForABox(t *testing.T) {
	half := lab.Task{Parts: spec.Parts{Program: spec.Program{Box: cgroup.Limits{CPUs: 0.5},
		ReadyTimeout: 10 * time.Second},
		Load: spec.Load{WarmUp: 200 * time.Millisecond}}}
	memory := lab.Task{Parts: spec.Parts{Program: spec.Program{Box: cgroup.Limits{Memory: 1 << 30},
		ReadyTimeout: 10 * time.Second}, Load: spec.Load{WarmUp: 200 * time.Millisecond}}}
	if r := boxed(half); r.WarmUp != boxWarmUp || readyIn(r) != 20*time.Second || leastSlice(r) < 10*cgroup.Period ||
		len(programCPUs(r, []int{0, 1}, []int{1})) != 2 {
		t.Errorf("half a CPU: %v, %v, %v", r.WarmUp, readyIn(r), leastSlice(r))
	}
	if r := boxed(memory); r.WarmUp != memory.WarmUp || readyIn(r) != memory.ReadyTimeout || leastSlice(r) != 0 ||
		len(programCPUs(r, []int{0, 1}, []int{1})) != 1 {
		t.Errorf("memory alone: %v, %v, %v", r.WarmUp, readyIn(r), leastSlice(r))
	}
	cut := warmUp{took: time.Second, answered: 100_000, median: time.Millisecond}.slicing(0, leastSlice(half))
	if cut.slice != boxSlice || cut.perPair != 1 {
		t.Errorf("cut %+v", cut)
	}
}
