package record

import (
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// ViewKinds are the profiles that rules look at.
var ViewKinds = []string{"cpu", "allocs", "heap", "goroutine", "mutex"}

// ViewOf is what the rules of package advice look at: the document of a run, its profiles by kind, added up, and where
// its wall time went and what its runtime did, both nil where that is not known. The source, and whether the run can be
// measured again, are the caller's to add.
func ViewOf(r Run, captures map[string]prof.Capture, waits *walltime.Digest, runtime *Timeline) *facts.View {
	v := &facts.View{
		Commands: facts.Commands{Run: r.ID, Compare: CompareAgain(r)},
		Tree: code.Tree{
			Code:      prof.Code{Module: r.Binary.Module, MainPackage: r.Binary.Package},
			ModuleDir: r.ModuleDir(),
		},
		Captures: captures, Waits: waits, Numbers: numbersOf(r), Build: buildOf(r),
	}
	v.Setting = func(entry string) string {
		return r.Command.Setting(r.Binary.Variant.Name, r.Binary.Package != "", entry).String()
	}
	if r.Holders != nil && len(r.Holders.Holders) > 0 {
		v.Holder = &r.Holders.Holders[0]
	}
	if runtime != nil {
		v.Numbers.Growth, v.Numbers.MaxProcs = runtime.Growth(), runtime.maxProcs()
	}
	r.growthOf(&v.Numbers.Growth)
	return v
}

func numbersOf(r Run) facts.Numbers {
	value := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	n := facts.Numbers{
		Load: facts.Load{RateHz: r.RequestsPerSecond, Requests: r.Counts.Answered, Unanswered: r.Counts.Unanswered,
			Connections: r.Plan.Connections, Depth: r.Plan.Depth, OpenLoop: r.RateHz > 0},
		PerRequest: facts.PerRequest{Reads: value(r.PerRequest.ReadCalls), Writes: value(r.PerRequest.WriteCalls),
			ReadBytes: value(r.PerRequest.ReadBytes), WriteBytes: value(r.PerRequest.WriteBytes),
			Allocs: value(r.PerRequest.Allocs), AllocBytes: value(r.PerRequest.AllocBytes)},
		Heap: facts.Heap{Resident: r.ResidentBytes}, Processors: facts.Processors{CPUs: len(r.Environment.SubjectCPUs)},
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

func buildOf(r Run) facts.Build {
	v := r.Binary.Variant
	b := facts.Build{Flags: v.BuildFlags, Env: v.Env}
	flags := strings.Join(append(slices.Clone(v.BuildFlags), v.Env...), " ") + " "
	b.Race = strings.Contains(flags, "-race ")
	if _, compiler, ok := strings.Cut(flags, "-gcflags"); ok {
		b.Unoptimised = slices.ContainsFunc(strings.FieldsFunc(compiler,
			func(c rune) bool { return c == ' ' || c == '=' || c == '\'' || c == '"' }),
			func(w string) bool { return w == "-N" || w == "-l" })
	}
	return b
}

// CompareAgain is the command that compares the program of a run, as it is now, with what it was at HEAD, under the
// load of the run; empty where that is not known.
func CompareAgain(r Run) string {
	return r.Command.Against(r.Binary.Variant.Name, r.Binary.Package != "").String()
}
