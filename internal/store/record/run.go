package record

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/sources"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// The schemas of the documents that the ledger keeps and --json prints. A change that
// an old reader would misread gets a new number.
const (
	RunSchema        = "hone.run/1"
	ComparisonSchema = "hone.comparison/2"
)

// Run is the document of one run.
type Run struct {
	Head
	Target     string        `json:"target"`
	Assumption string        `json:"assumption,omitempty"`
	Plan       load.Plan     `json:"plan"`
	RateHz     float64       `json:"rate_hz,omitempty"` // of an open loop, requests per second
	Slice      time.Duration `json:"slice_ns"`
	Slices     int           `json:"slices"`
	Starts     int           `json:"starts"` // fresh processes
	// Arrangement says how the variants stood beside each other, and why.
	Arrangement Arrangement `json:"arrangement"`
	Why         string      `json:"arrangement_reason,omitempty"`

	// Counts accounts for all load, warm-up and captures included.
	Counts load.Counts `json:"counts"`
	// Causes names the failures: cause to count.
	Causes     map[string]uint64 `json:"causes,omitempty"`
	Stalled    int               `json:"stalled"`
	Reconnects int               `json:"reconnects"`
	// GeneratorBusy is the share of its CPU that the generator used, RightShare that
	// of the settled requests that were answered right; 0 to 1.
	GeneratorBusy float64      `json:"generator_busy"`
	RightShare    float64      `json:"right_share,omitzero"`
	Doubts        []load.Doubt `json:"doubts,omitempty"`
	// Output is what the program wrote over all starts; nil if it wrote nothing.
	Output *Output `json:"output,omitempty"`

	// CPUNanos is the CPU time per request with its interval over the slices; nil
	// where nothing was answered.
	CPUNanos *Interval `json:"cpu_ns_per_request,omitempty"`
	// Load is the command that loaded the program; nil where hone did. Requests are then its operations, and latency
	// and the share of right answers are not known.
	Load *LoadCommand `json:"load_command,omitempty"`
	// RequestsPerSecond is right answers over all slices and the time that they took; in a comparison the middle of
	// its pairs' slices.
	RequestsPerSecond float64 `json:"requests_per_second"`
	// Latency is the service time of right answers in nanoseconds, in an open loop the
	// response time; nil without any.
	Latency *Latency `json:"latency,omitempty"`
	// Targets are the parts of the targets that the load tells apart; nil where there are not several.
	Targets []TargetRow `json:"targets,omitempty"`
	// Thresholds say which conditions of --fail-if held; nil without any.
	Thresholds []recording.ThresholdResult `json:"thresholds,omitempty"`
	// Streams is what answers showed that are streams; nil without any.
	Streams    *Streams   `json:"streams,omitempty"`
	PerRequest PerRequest `json:"per_request"`
	// Box is nil where the program had all of the machine.
	Box *Box `json:"box,omitempty"`
	// PeakRSSBytes is the largest resident set of a start, and ResidentBytes what was resident at the end of its
	// timed load: the median of the starts.
	PeakRSSBytes  uint64 `json:"peak_rss_bytes"`
	ResidentBytes uint64 `json:"resident_bytes,omitempty"`
	GCCycles      uint64 `json:"gc_cycles"`
	// ReadyAfter is how long a process took from its beginning until it listened: the median of the starts; 0 where it
	// is not known.
	ReadyAfter time.Duration `json:"ready_after_ns,omitempty"`
	// Runtime sums up the timeline; nil without the probe.
	Runtime *RuntimeSummary `json:"runtime,omitempty"`
	// Growth is what a run keeps of each request; nil where nothing rises, and in a comparison, which has measures of
	// it.
	Growth *Growth `json:"growth,omitempty"`
	// Holders says who held the memory at the end; nil where it was not asked for, or is not known.
	Holders *Holders `json:"holders,omitempty"`
	// Memory is where the memory of the main process was at the end of the timed load; nil where it is not known.
	Memory *memory.Account `json:"memory,omitempty"`
	// Tracing is what the trace behind the wait profile took; nil where none was read.
	Tracing *Tracing `json:"tracing,omitempty"`
	// Waits are the largest parts of what it says; hone tail has the rest.
	Waits *walltime.Digest `json:"waits,omitempty"`
	// Metrics are the time series that were recorded; nil if none were.
	Metrics *RecordedMetrics `json:"metrics,omitempty"`
	// Needs are the programs that were started before it.
	Needs []needs.Facts `json:"needs,omitempty"`
	// Agents are the names of those that loaded it; nil: hone did.
	Agents []string `json:"agents,omitempty"`
	// AgentsApart is by how much they began apart; nil for fewer than two.
	AgentsApart *AgentsApart `json:"agents_apart,omitempty"`
	// Asked is what the run was asked for, for Again; nil in documents of earlier hones.
	Asked *spec.Stored `json:"asked,omitempty"`
}

// NodeCPUs says what the runtime would choose on a node of production that has more CPUs than this machine; empty where
// that is the same, or the runtime was told.
func (r Run) NodeCPUs() string {
	v, sees := r.Binary.Variant, len(r.Environment.SubjectCPUs)
	told := slices.ContainsFunc(slices.Concat(v.Env, v.RunEnv),
		func(e string) bool { return strings.HasPrefix(e, "GOMAXPROCS=") })
	switch b := r.Box; {
	case b == nil || b.CPUs == 0 || told || b.GOMAXPROCS != sees:
		return ""
	case r.Binary.IgnoresQuota:
		return fmt.Sprintf("GOMAXPROCS is %d, the number of CPUs that the program sees on this machine: by its toolchain, "+
			"or by the go line of its go.mod, the runtime does not go by the limit. On a node of 16 CPUs it is 16: measure "+
			"with --env GOMAXPROCS=16, too", sees)
	case math.Ceil(b.CPUs) > float64(sees):
		return fmt.Sprintf("GOMAXPROCS is %d, the number of CPUs of this machine; on a node with more of them it is %.0f",
			sees, math.Ceil(b.CPUs))
	}
	return ""
}

// TakeFigures gives a document the figures that its slices and starts show.
func (r *Run) TakeFigures(shown judge.Sample) {
	for _, f := range figures {
		if x, ok := shown[f.measure.Key]; ok && f.set != nil {
			f.set(r, x)
		}
	}
}

// Figure is the value of a measure in a document; nil where it has none.
func (r *Run) Figure(m judge.Measure) *float64 {
	if f := figureOf(m); f != nil {
		return f.of(r)
	}
	return nil
}

// Measures are the results of a run that lists and histories show.
func (r Run) Measures() []ledger.MeasureValue {
	var all []ledger.MeasureValue
	for _, f := range figures {
		value := f.of(&r)
		if value == nil {
			continue
		}
		m := ledger.MeasureValue{Name: f.measure.Key, Unit: f.measure.Unit, Value: *value}
		if c := r.CPUNanos; f.measure == measure.CPU && c.Conf > 0 {
			m.Low, m.High = &c.Low, &c.High
		}
		all = append(all, m)
	}
	return all
}

// GrowthOf puts the figures that the run has everywhere into what the rules see of its growth.
func (r Run) growthOf(g *facts.Growth) {
	for _, one := range []struct {
		figure *float64
		into   *float64
	}{{r.PerRequest.HeapKept, &g.HeapBytes}, {r.PerRequest.GoroutinesKept, &g.Goroutines},
		{r.PerRequest.DescriptorsKept,
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

// ModuleDir is the root of the module that the program was built from.
func (r Run) ModuleDir() string {
	return sources.ModuleDir(r.Binary.Dir, r.Binary.Package, r.Binary.Module)
}
