package record

import (
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/production"
)

// Contest is one variant against another.
type Contest struct {
	// A and B are indices of Comparison.Runs.
	A int `json:"a"`
	B int `json:"b"`
	// Word is the verdict: that on CPU per request or, at a rate, on the latency that Leads names; or invalid.
	Word  judge.Word `json:"verdict"`
	Leads string     `json:"leads,omitempty"`
	// OneFact says that throughput and median latency changed alike, as they do in a closed loop: one follows from the
	// other.
	OneFact bool `json:"one_fact,omitempty"`
	// Equal says that both are one build, started alike: Word is not faster or slower then, whatever the verdict
	// on CPU per request, since any difference is the machine's.
	Equal bool `json:"equal_builds,omitempty"`
	// SameSource says that both are one program at two commits, so that one start of each was measured, and Word is the
	// same.
	SameSource bool `json:"same_source,omitempty"`
	// Unreached says that the load executes nothing that differs, so that one start of each was measured, and Word is
	// the same.
	Unreached bool `json:"unreached,omitempty"`
	// Verdicts are those on all measures, in the order of measure.All.
	Verdicts []judge.Verdict `json:"verdicts,omitempty"`
	// RequestsPerStart is how many requests a start of B answered in its timed slices, the median: what is kept was
	// seen for so many.
	RequestsPerStart uint64 `json:"requests_per_start,omitempty"`
	// Answers says whether both answered alike; nil where no answers were sampled.
	Answers *answers.Agreement `json:"answers,omitempty"`
	// Caveats are what else changed, so that CPU time alone would mislead.
	Caveats []Caveat `json:"caveats,omitempty"`
	// Gain is what a check of a gain has shown; nil: there was none.
	Gain *GainCheck `json:"gain_check,omitempty"`
	// Why explains the verdict by the CPU profiles.
	Why *diff.Explanation `json:"why,omitempty"`
	// Weighed is what the change comes to on production's profile; nil where that was not asked.
	Weighed *Weighed `json:"weighed,omitempty"`
	// WhyAllocs has the places that allocate more or less, if the allocations differ.
	WhyAllocs *diff.Explanation `json:"why_allocs,omitempty"`
	// WhyMemory has the parts of resident memory that differ, the largest first.
	WhyMemory []memory.Change `json:"why_memory,omitempty"`
	// WhyTime says where latency differs, from the traces; nil where there is none.
	WhyTime []TimeChange `json:"why_time,omitempty"`
	// Findings are those that came, went or changed from A to B, of those that explain the verdict or are of growth.
	// They are found out again each time that a comparison is shown, and not stored.
	Findings []advice.Change `json:"findings,omitempty"`
	// Tries says how often these programs were compared; nil where that is not known.
	Tries *Tries `json:"tries,omitempty"`
	// Held says what kept requests waiting besides the programs, where that is why a latency is not known; its verdict
	// has no interval then.
	Held string `json:"held,omitempty"`
}

// Tries counts comparisons of two programs in one ledger, under whatever load.
type Tries struct {
	Number     int `json:"number"`               // of this one, from 1
	Contradict int `json:"contradict,omitempty"` // earlier ones in which B was slower, the same or without a change
}

// NothingChanged says that both execute the same, whatever was measured.
func (c Contest) NothingChanged() bool { return c.Equal || c.SameSource || c.Unreached }

// OtherWork says why B's cost is not that of A's work: what it does less of besides answering, or elsewhere, or only
// where hone looks. It is empty where that is nothing, or the user allows it.
func (c Contest) OtherWork() string {
	var all []string
	for _, one := range c.Caveats {
		if one.Open {
			all = append(all, one.Text)
		}
	}
	return strings.Join(all, ", ")
}

// TakeFigures gives the verdicts of a contest the figures of its runs.
func (c *Contest) TakeFigures(a, b judge.Sample) {
	for i := range c.Verdicts {
		v := &c.Verdicts[i]
		ofA, knownA := a[v.Measure.Key]
		ofB, knownB := b[v.Measure.Key]
		switch {
		case !knownA || !knownB:
		case v.Measure.Level == judge.Pooled:
			*v = v.OfRuns(ofA, ofB)
		default:
			v.A = ofA
			v.B = v.LedTo(ofB)
		}
	}
}

// TimeChange says where the latency of two variants differs, from their execution traces.
type TimeChange struct {
	// Cohort is walltime.TypicalName or walltime.SlowName, A and B its mean latencies in the traces,
	// in nanoseconds. A trace costs the program time, and both have one.
	Cohort string  `json:"cohort"`
	A      float64 `json:"a_ns"`
	B      float64 `json:"b_ns"`
	// Causes are what B spends more time on than A, or less; their shares are of B - A.
	Causes []walltime.Cause `json:"causes,omitempty"`
}

// Weighed is what production's profile says of a contest.
type Weighed struct {
	// By is the name of the run or the file with the profile.
	By string `json:"by"`
	// Covered is how much of production's CPU time the load exercises in A, by functions, and Missing what production
	// spends most on and the load does not.
	Covered production.Overlap           `json:"covered"`
	Missing []production.CoveredFunction `json:"missing,omitempty"`
	// Change is what the change of the CPU time comes to in production; nil where it has no interval.
	Change *production.Weighing `json:"change,omitempty"`
}
