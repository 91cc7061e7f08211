package advice

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/units"
)

// Settings of the runtime that do not go with the limits of a container.

var throttled = &Rule{
	Name: "throttled", Title: "more threads at once than the limit of CPU time has room for",
	Looks: "GOMAXPROCS, compared with the limit of CPU time of a box, and how long the kernel held the program back",
	Thresholds: []Threshold{
		{Name: "throttled", Value: 0.05, Reason: "part of the time; under this hardly a request meets it"},
	},
	Remedy: Remedy{
		Change: "Set GOMAXPROCS to the limit, rounded up. Threads that run at the same time use up the CPU time of a " +
			"period of 100 ms at its beginning, and then all requests wait for the next one. Since Go 1.25 the runtime goes " +
			"by the limit, but never below 2; before that, and by a go line of go.mod before 1.25, it is the number of CPUs " +
			"of the node. A program that needs more CPU time than its limit is throttled whatever GOMAXPROCS is: raise the " +
			"limit.",
		Before: "resources: {limits: {cpu: 500m}} # GOMAXPROCS is 2",
		After:  `env: [{name: GOMAXPROCS, value: "1"}]`,
	},
	Find: func(v *search, r *Rule) []*found {
		n, b := v.Numbers, v.Numbers.Box
		if b == nil || b.CPUs == 0 || b.Throttled < r.threshold("throttled") ||
			float64(n.MaxProcs) <= math.Ceil(b.CPUs) {
			return nil
		}
		const title = "GOMAXPROCS is %d for a limit of %s: throttled %s of the time"
		const evidence = "box of %s, GOMAXPROCS %d, p50 %s, p99 %s"
		p50, p99 := units.Nanos(float64(n.LatencyP50)), units.Nanos(float64(n.LatencyP99))
		one := Finding{
			Title: fmt.Sprintf(title, n.MaxProcs, b.CPUText(), units.Share(b.Throttled)), Costs: Costs{Measure: Tail},
			Evidence: []Evidence{{Source: "counters", Text: fmt.Sprintf(evidence, b.Limits, n.MaxProcs, p50, p99)}},
		}
		v.addThrottled(&one)
		return []*found{{Finding: one, setting: fmt.Sprintf("GOMAXPROCS=%.0f", math.Ceil(b.CPUs))}}
	},
}

// addThrottled says how much of a latency passed while the quota held the program back: of slow or of typical
// requests, of which it is more. The part of the time in which it was held back is another figure: a request that
// comes then waits for the rest of the period.
func (v *search) addThrottled(f *Finding) {
	if v.Waits == nil {
		return
	}
	typical, slow := v.Waits.Cohort(walltime.TypicalName), v.Waits.Cohort(walltime.SlowName)
	for m, c := range map[Measure]*walltime.Cohort{Latency: typical, Tail: slow} {
		if c == nil || c.LatencyNanos <= 0 {
			continue
		}
		held := 0.0
		for _, p := range c.Parts {
			if p.State == walltime.Throttled {
				held += p.Nanos
			}
		}
		if share := held / c.LatencyNanos; share > f.Cost || share == f.Cost && share > 0 && m == Tail {
			f.Measure, f.Cost, f.Whole = m, share, c.LatencyNanos
		}
	}
}

var memoryLimit = &Rule{
	Name: "memory-limit", Title: "a collector that does not know the memory limit",
	Looks: "GOMEMLIMIT, and calls of debug.SetMemoryLimit, compared with the memory limit of a box and the most that " +
		"was in use",
	Thresholds: []Threshold{
		{Name: "used", Value: 0.5, Reason: "part of the limit; with less, twice the heap still fits"},
	},
	Remedy: Remedy{
		Change: "Set GOMEMLIMIT to about nine tenths of the limit. The collector lets the heap grow to twice of what is " +
			"live, whatever the container may have, and the kernel kills a program that goes beyond its limit. With " +
			"GOMEMLIMIT the collector works more when memory is short; what is not its heap, such as memory of C and mapped " +
			"files, needs the rest.",
		Before: "resources: {limits: {memory: 256Mi}}",
		After:  "env: [{name: GOMEMLIMIT, value: 230MiB}]",
	},
	Find: func(v *search, r *Rule) []*found {
		b := v.Numbers.Box
		if b == nil || b.Memory == 0 {
			return nil
		}
		used := float64(b.PeakMemory) / float64(b.Memory)
		title := ""
		switch {
		case b.MemoryLimit > b.Memory:
			title = fmt.Sprintf("GOMEMLIMIT is %s, and the memory limit is %s",
				cgroup.Limits{Memory: b.MemoryLimit}.MemoryText(), b.MemoryText())
		case b.MemoryLimit == 0 && used >= r.threshold("used") && !v.setsMemoryLimit():
			title = fmt.Sprintf("the collector does not know the memory limit of %s, of which %s was in use",
				b.MemoryText(), units.Share(used))
		default:
			return nil
		}
		return []*found{{Finding: Finding{
			Title: title, Costs: Costs{Measure: Memory, Of: "within the limit", Cost: min(1, used), Whole: float64(b.Memory)},
			Evidence: []Evidence{{Source: "counters",
				Text: fmt.Sprintf("box of %s, peak %s, heap live %s, goal %s", b.Limits,
					units.Bytes(float64(b.PeakMemory)),
					units.Bytes(float64(v.Numbers.HeapLive)), units.Bytes(float64(v.Numbers.HeapGoal)))}},
		}, setting: "GOMEMLIMIT=" + b.GoMemLimit()}}
	},
}

// setsMemoryLimit says that the user's code calls debug.SetMemoryLimit.
func (v *search) setsMemoryLimit() bool {
	for _, set := range v.References() {
		if set.Pkg == "runtime/debug" && set.Name == "SetMemoryLimit" {
			return true
		}
	}
	return false
}
