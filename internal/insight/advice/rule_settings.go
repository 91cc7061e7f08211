package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// Settings of the runtime and of the build.

var gcThrash = &Rule{
	Name: "gc-thrash", Title: "a collector that runs often over a small heap",
	Looks: "the collector's part of the CPU time where no other finding is the reason for most of it, with a live heap " +
		"that is small for the machine",
	Thresholds: []Threshold{
		{Name: "gain", Value: 0.08, Reason: "under this the collector is not what limits"},
		{Name: "often", Value: 50,
			Reason: "cycles per second; where it runs more rarely, its part has to be above the first threshold beyond chance"},
		{Name: "live", Value: 128 << 20,
			Reason: "bytes; a larger heap would need much memory to be collected more rarely"},
	},
	Remedy: Remedy{
		Change: "The collector starts when the heap has grown by GOGC percent of what is live, so a small live heap is " +
			"collected very often. A larger GOGC, or GOGC=off with GOMEMLIMIT at what the machine can spare, divides the " +
			"number of collections and costs memory.",
		Before: "GOGC=100",
		After:  "GOGC=400, or GOGC=off GOMEMLIMIT=1GiB",
	},
	Find: func(v *search, r *Rule) []*found {
		n := v.Numbers
		if n.HeapLive == 0 || float64(n.HeapLive) > r.threshold("live") || v.Collector == 0 {
			return nil
		}
		tight, perSecond := n.TightHeap(), 0.0
		if n.Time > 0 {
			perSecond = float64(n.Cycles) / n.Time.Seconds()
		}
		if main := v.dominated(); main != nil && !tight && !v.byChance(v.Collector, r.threshold("gain")) {
			v.besideCode(main)
			return nil
		}
		if v.Collector < r.threshold("gain") ||
			!tight && (v.dominated() != nil ||
				perSecond < r.threshold("often") && v.byChance(v.Collector, r.threshold("gain"))) {
			return nil
		}
		rate := "?"
		if n.Time > 0 {
			rate = units.Digits(perSecond)
		}
		f := &found{Finding: Finding{
			Title: fmt.Sprintf("the collector runs %s times per second over a live heap of %s", rate,
				units.Bytes(float64(n.HeapLive))), Costs: Costs{Measure: CPU, Cost: v.Collector, Gain: v.Collector},
			Evidence: []Evidence{
				{Source: "cpu", Text: fmt.Sprintf("%s of the CPU time is the collector's work", units.Share(v.Collector))},
				{Source: "counters", Text: fmt.Sprintf("%s per request, heap goal %s", units.Bytes(n.AllocBytes),
					units.Bytes(float64(n.HeapGoal)))},
			},
		}}
		if s, ok := v.rarerCollections(); ok && !tight {
			f.Gain = s.gain // sweeping stays
			f.Evidence = append(f.Evidence, v.beside(s))
		}
		if tight {
			f.Title += fmt.Sprintf(", which may grow to %s only", units.Bytes(float64(n.HeapGoal)))
			for _, set := range v.References() {
				if set.Pkg == "runtime/debug" && (set.Name == "SetGCPercent" || set.Name == "SetMemoryLimit") {
					f.Place = set.Place
				}
			}
			v.uncharge()
		}
		return []*found{f}
	},
}

// uncharge takes the collector's work from the findings so far: it goes with the setting, whatever they allocate.
func (v *search) uncharge() {
	for _, f := range v.found {
		if f.Measure != CPU {
			continue
		}
		for _, i := range f.stacks {
			work := v.Stacks[i].Cost - v.Stacks[i].CPU
			f.Cost, f.Gain = max(0, f.Cost-work), max(0, f.Gain-work)
		}
	}
}

var procs = &Rule{
	Name: "procs", Title: "too many or too few processors for the scheduler",
	Looks: "GOMAXPROCS, compared with the processors that the program may use, and how long requests wait to run",
	Thresholds: []Threshold{
		{Name: "waiting", Value: 0.20,
			Reason: "part of a typical request's time in which it could run and had no processor"},
	},
	Remedy: Remedy{
		Change: "Leave GOMAXPROCS alone: since Go 1.25 the runtime follows the CPU limit of the container. Remove the call " +
			"of runtime.GOMAXPROCS or the variable, or set it to the number of processors that the program has.",
		Before: "runtime.GOMAXPROCS(64) // in a container with 2 CPUs",
		After:  "// the runtime's own choice",
	},
	Find: func(v *search, r *Rule) []*found {
		n := v.Numbers
		if n.MaxProcs == 0 || n.CPUs == 0 || n.MaxProcs == n.CPUs {
			return nil
		}
		waiting := v.waitingToRun()
		many := n.MaxProcs > 2*n.CPUs
		if !many && (n.MaxProcs > n.CPUs || waiting < r.threshold("waiting")) {
			return nil
		}
		var place code.Place
		for _, set := range v.References() {
			if set.Pkg == "runtime" && set.Name == "GOMAXPROCS" {
				place = set.Place
			}
		}
		return []*found{{Finding: Finding{
			Title: fmt.Sprintf("GOMAXPROCS is %d where the program has %s", n.MaxProcs, units.Plural(n.CPUs, "CPU")),
			Place: place, Costs: Costs{Measure: Latency, Cost: waiting},
			Evidence: []Evidence{
				{Source: "counters", Text: fmt.Sprintf("GOMAXPROCS %d, CPUs of the program %d", n.MaxProcs, n.CPUs)},
				{Source: "wait", Text: fmt.Sprintf("a typical request waits to run for %s of its time",
					units.Share(waiting))},
			},
		}}}
	},
}

// waitingToRun is the part of a typical request's time in which it could run and had no processor.
func (v *search) waitingToRun() (share float64) {
	if v.Waits == nil {
		return 0
	}
	c := v.Waits.Cohort(walltime.TypicalName)
	if c == nil || c.LatencyNanos <= 0 {
		return 0
	}
	for _, p := range c.Parts {
		if p.State == walltime.Runnable || p.State == walltime.Requests {
			share += p.Nanos / c.LatencyNanos
		}
	}
	return share
}

var slowBuild = &Rule{
	Name: "slow-build", Title: "a build that is slow by its flags",
	Looks: "-race, and -gcflags with -N or -l, in the flags of the build",
	Remedy: Remedy{
		Change: "Measure and ship a build without the flag. The race detector costs 2 to 20 times the CPU time and 5 to 10 " +
			"times the memory (go.dev/doc/articles/race_detector); -N and -l switch optimisation and inlining off.",
		Before: "go build -race ./cmd/server",
		After:  "go build ./cmd/server",
	},
	Find: func(v *search, _ *Rule) []*found {
		b := v.Build
		what := ""
		switch {
		case b.Race:
			what = "the race detector"
		case b.Unoptimised:
			what = "a build without optimisation"
		default:
			return nil
		}
		gain := 0.0
		for i := range v.Stacks {
			if b.Race && v.Stacks[i].Find(func(f *facts.Frame) bool {
				return strings.HasPrefix(f.Function, "runtime.race") || strings.Contains(f.Function, "__tsan") ||
					strings.HasPrefix(f.Function, "racecall")
			}) >= 0 {
				gain += v.Stacks[i].CPU
			}
		}
		return []*found{{Finding: Finding{
			Title: "this is " + what, Costs: Costs{Measure: CPU, Cost: gain, Gain: gain},
			Evidence: []Evidence{{Source: "build",
				Text: "build flags: " + strings.Join(append(append([]string{}, b.Env...), b.Flags...), " ")}},
		}}}
	},
}
