package tuning

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// AsIs is what the program without any setting did in a round.
type AsIs struct {
	Run   string `json:"run"`
	Label string `json:"label"`
	// CPUNanos is its CPU time per request; 0 where it was not observed.
	CPUNanos float64 `json:"cpu_ns_per_request"`
	Readings
}

// Readings are what one variant of a round was read to do, besides what is compared.
type Readings struct {
	// Collector is the collector's share of the CPU time, 0 to 1; nil where too few cycles ended.
	Collector *float64 `json:"gc_cpu_share,omitempty"`
	// Cycles are the collections that ended during the timed slices of all Starts.
	Cycles uint64 `json:"gc_cycles"`
	Starts int    `json:"starts"`
	// Probed says that the runtime was read: without it Collector, Cycles and HeapGoalBytes say
	// nothing.
	Probed bool `json:"probed"`
	// PeakRSSBytes is the largest resident set of all starts, HeapGoalBytes the largest size that
	// the heap was to reach until a collection.
	PeakRSSBytes  uint64 `json:"peak_rss_bytes"`
	HeapGoalBytes uint64 `json:"heap_goal_bytes"`
	// BytesPerSecond is what it allocated in a second of load; 0 where it is not known.
	BytesPerSecond float64 `json:"alloc_bytes_per_second,omitempty"`
}

// Effect is what a setting does to the program, against the program as it is.
type Effect struct {
	Setting
	// Run is its run in the ledger.
	Run string `json:"run"`
	// Claim is about CPU time per request.
	Claim Claim `json:"claim"`
	// Verdicts are those on all measures that were observed; their intervals hold for all
	// settings of the round at once.
	Verdicts []judge.Verdict `json:"verdicts"`
	Readings
	// Different says how its answers differ from those of the program as it is; empty if they
	// do not.
	Different string `json:"answers_differ,omitempty"`
	// Caveats are what else changed, so that CPU time alone would mislead.
	Caveats []record.Caveat `json:"caveats,omitempty"`
}

// On is the verdict on a measure; false if it was not observed.
func (e Effect) On(m judge.Measure) (judge.Verdict, bool) {
	return e.OnKey(m.Key)
}

// OnKey is On for a measure that is known by its key, such as p99.
func (e Effect) OnKey(key string) (judge.Verdict, bool) {
	i := slices.IndexFunc(e.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == key })
	if i < 0 {
		return judge.Verdict{}, false
	}
	return e.Verdicts[i], true
}

// Ratio is the estimate of the CPU time per request relative to that of the program as it is; 1
// where it was not observed.
func (e Effect) Ratio() float64 {
	if v, ok := e.On(measure.CPU); ok {
		return v.Ratio
	}
	return 1
}

// Setting is one way to build or start the program other than it is.
type Setting struct {
	// Name is what reports call it: GOGC=400, PGO, compression.
	Name string `json:"name"`
	// Kind is what it is a choice of: pgo, gc, gomaxprocs, goexperiment; together for several.
	// Empty where there is no choice.
	Kind string `json:"kind,omitempty"`
	// Does says what it is, where its name does not.
	Does string `json:"does,omitempty"`
	// Toolchain builds it instead of the variant's own.
	Toolchain string `json:"toolchain,omitempty"`
	// Env are KEY=VALUE additions for the program alone, BuildEnv those for its build as well.
	Env      []string `json:"env,omitempty"`
	BuildEnv []string `json:"build_env,omitempty"`
	// Args go behind the variant's own arguments.
	Args []string `json:"args,omitempty"`
	// Flags go to go build behind the variant's own, Tags are added to its build tags.
	Flags []string `json:"flags,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

// VariantOf is the variant with the setting, under a name of its own.
func (s Setting) VariantOf(v build.Variant, name string) (build.Variant, error) {
	v.Name, v.Toolchain = name, cmp.Or(s.Toolchain, v.Toolchain)
	v.Env = slices.Concat(v.Env, s.BuildEnv)
	v.RunEnv = slices.Concat(v.RunEnv, s.Env)
	v.Args = slices.Concat(v.Args, s.Args)
	v.BuildFlags = slices.Concat(v.BuildFlags, s.Flags)
	if len(s.Tags) == 0 {
		return v, nil
	}
	var err error
	v.BuildFlags, err = build.WithTags(os.Getenv("GOFLAGS"), v, s.Tags)
	return v, err
}

// OfCollector says whether it sets the collector.
func (s Setting) OfCollector() bool {
	return slices.ContainsFunc(s.Env, func(entry string) bool {
		return strings.HasPrefix(entry, "GOGC=") || strings.HasPrefix(entry, "GOMEMLIMIT=")
	})
}

// Claim is what the interval of the change of CPU time per request allows to say.
type Claim string

// The claims.
const (
	Less     Claim = "less"      // the whole interval lies below 0
	More     Claim = "more"      // the whole interval lies above 0
	None     Claim = "none"      // the interval covers 0
	NotKnown Claim = "not known" // there were too few starts for an interval
)

// ClaimOf reads the claim off an interval.
func ClaimOf(v judge.Verdict, ok bool) Claim {
	switch {
	case !ok || !v.Bounded():
		return NotKnown
	case v.High < 1:
		return Less
	case v.Low > 1:
		return More
	default:
		return None
	}
}
