package lab

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// In a box the slices of a comparison have many periods, starts have more time, and the program sees all CPUs.
func TestRequestsForABox(t *testing.T) {
	half := Task{Parts: spec.Parts{Program: spec.Program{Box: cgroup.Limits{CPUs: 0.5}, ReadyTimeout: 10 * time.Second},
		Load: spec.Load{WarmUp: 200 * time.Millisecond}}}
	memory := Task{Parts: spec.Parts{Program: spec.Program{Box: cgroup.Limits{Memory: 1 << 30},
		ReadyTimeout: 10 * time.Second}, Load: spec.Load{WarmUp: 200 * time.Millisecond}}}
	if r := half.boxed(); r.WarmUp != boxWarmUp || r.readyIn() != 20*time.Second || r.leastSlice() < 10*cgroup.Period ||
		len(r.programCPUs([]int{0, 1}, []int{1})) != 2 {
		t.Errorf("half a CPU: %v, %v, %v", r.WarmUp, r.readyIn(), r.leastSlice())
	}
	if r := memory.boxed(); r.WarmUp != memory.WarmUp || r.readyIn() != memory.ReadyTimeout || r.leastSlice() != 0 ||
		len(r.programCPUs([]int{0, 1}, []int{1})) != 1 {
		t.Errorf("memory alone: %v, %v, %v", r.WarmUp, r.readyIn(), r.leastSlice())
	}
	cut := warmUp{took: time.Second, answered: 100_000, median: time.Millisecond}.slicing(0, half.leastSlice())
	if cut.slice != boxSlice || cut.perPair != 1 {
		t.Errorf("cut %+v", cut)
	}
}
