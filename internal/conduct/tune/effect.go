package tune

import (
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
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

// Claim is what the interval of the change of CPU time per request allows to say.
type Claim string

// The claims.
const (
	Less     Claim = "less"      // the whole interval lies below 0
	More     Claim = "more"      // the whole interval lies above 0
	None     Claim = "none"      // the interval covers 0
	NotKnown Claim = "not known" // there were too few starts for an interval
)

// claimOf reads the claim off an interval.
func claimOf(v judge.Verdict, ok bool) Claim {
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

// ratio is the estimate of the CPU time per request relative to that of the program as it is; 1
// where it was not observed.
func (e Effect) ratio() float64 {
	if v, ok := e.On(measure.CPU); ok {
		return v.Ratio
	}
	return 1
}

func asIs(r record.Run) AsIs { return AsIs{Run: r.ID, Label: r.Label, Readings: readings(r)} }

func readings(r record.Run) Readings {
	out := Readings{Cycles: r.GCCycles, Starts: r.Starts, PeakRSSBytes: r.PeakRSSBytes}
	if r.Runtime != nil {
		out.Probed, out.Collector, out.HeapGoalBytes = true, r.Runtime.GCShare, r.Runtime.HeapGoalBytes
	}
	if per := r.PerRequest.AllocBytes; per != nil {
		out.BytesPerSecond = *per * r.RequestsPerSecond
	}
	return out
}

func effect(s Setting, r record.Run, c record.Contest) Effect {
	e := Effect{Setting: s, Run: r.ID, Verdicts: c.Verdicts, Readings: readings(r), Caveats: c.Caveats}
	e.Claim = claimOf(e.On(measure.CPU))
	if a := c.Answers; a != nil && a.Compared > 0 && !a.Same {
		e.Different = a.How()
	}
	return e
}
