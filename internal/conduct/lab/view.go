package lab

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/program/sources"
	"github.com/gohone/hone/prof"
)

// ViewKinds are the profiles that rules look at.
var ViewKinds = []string{"cpu", "allocs", "heap", "goroutine", "mutex"}

// ViewOf is what the rules of package advice look at: the document of a run, its profiles by kind, added up, and where
// its wall time went and what its runtime did, both nil where that is not known. The source is the caller's to add.
func ViewOf(r Record, captures map[string]prof.Capture, waits *walltime.Digest, runtime *Timeline) *advice.View {
	v := &advice.View{
		Run: r.ID, Code: prof.Code{Module: r.Binary.Module, MainPackage: r.Binary.Package},
		Captures: captures, Waits: waits, Numbers: numbersOf(r), Build: buildOf(r),
		ModuleDir: r.moduleDir(), Compare: CompareAgain(r),
	}
	v.Setting = func(entry string) string {
		return r.Command.Setting(r.Binary.Variant.Name, r.Binary.Package != "", entry).String()
	}
	if flags, ok := Completing(r); ok {
		v.MeasuredAgain, v.Completing = true, strings.TrimSuffix(" "+flags, " ")
	}
	if r.Holders != nil && len(r.Holders.Holders) > 0 {
		v.Holder = &r.Holders.Holders[0]
	}
	if runtime != nil {
		v.Numbers.Growth, v.Numbers.MaxProcs = runtime.growth(), runtime.maxProcs()
	}
	r.growthOf(&v.Numbers.Growth)
	return v
}

// growthOf puts the figures that the run has everywhere into what the rules see of its growth.
func (r Record) growthOf(g *advice.Growth) {
	for _, one := range []struct {
		figure *float64
		into   *float64
	}{{r.PerRequest.HeapKept, &g.HeapBytes}, {r.PerRequest.GoroutinesKept, &g.Goroutines}, {r.PerRequest.DescriptorsKept,
		&g.Descriptors}} {
		if one.figure != nil {
			*one.into = *one.figure
		}
	}
	if g.Starts > 0 { // its readings were taken before the collection that the figures are of
		g.FromHeap, g.ToHeap = 0, 0
	}
	g.Longer = r.Command.Longer().String()
}

// moduleDir is the root of the module that the program was built from.
func (r Record) moduleDir() string {
	return sources.ModuleDir(r.Binary.Dir, r.Binary.Package, r.Binary.Module)
}

func numbersOf(r Record) advice.Numbers {
	value := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	n := advice.Numbers{
		RateHz: r.RequestsPerSecond, Requests: r.Counts.Answered, Unanswered: r.Counts.Unanswered,
		Connections: r.Plan.Connections, Depth: r.Plan.Depth, OpenLoop: r.RateHz > 0,
		Reads: value(r.PerRequest.ReadCalls), Writes: value(r.PerRequest.WriteCalls), ReadBytes: value(r.PerRequest.ReadBytes), WriteBytes: value(r.PerRequest.WriteBytes), Allocs: value(r.PerRequest.Allocs), AllocBytes: value(r.PerRequest.AllocBytes),
		Resident: r.ResidentBytes, CPUs: len(r.Environment.SubjectCPUs),
	}
	if r.CPUNanos != nil {
		n.CPUNanos = r.CPUNanos.Value
	}
	if r.Latency != nil {
		n.LatencyP50, n.LatencyP99 = time.Duration(r.Latency.P50), time.Duration(r.Latency.P99)
	}
	if n.CPUs == 0 {
		n.CPUs = r.Environment.CPUs
	}
	n.Box = boxOf(r)
	traced := r.Tracing != nil && r.Tracing.Conditions.Noticeable()
	n.Disturbed = traced || 2*r.Conditions.Noticeable > r.Conditions.Slices
	if s := r.Runtime; s != nil {
		n.Cycles, n.Time, n.HeapLive, n.HeapGoal = s.Cycles, s.Time, s.HeapLiveBytes, s.HeapGoalBytes
	}
	return n
}

func buildOf(r Record) advice.Build {
	v := r.Binary.Variant
	b := advice.Build{Flags: v.BuildFlags, Env: v.Env}
	flags := strings.Join(append(slices.Clone(v.BuildFlags), v.Env...), " ") + " "
	b.Race = strings.Contains(flags, "-race ")
	if _, compiler, ok := strings.Cut(flags, "-gcflags"); ok {
		b.Unoptimised = slices.ContainsFunc(strings.FieldsFunc(compiler, func(c rune) bool { return c == ' ' || c == '=' || c == '\'' || c == '"' }), func(w string) bool { return w == "-N" || w == "-l" })
	}
	return b
}

func (t *Timeline) maxProcs() int {
	if all := t.latest(); len(all) > 0 {
		last := all[len(all)-1]
		return int(min(last.GOMAXPROCS/uint64(max(last.Processes, 1)), math.MaxInt32))
	}
	return 0
}
