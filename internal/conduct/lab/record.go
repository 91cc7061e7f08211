package lab

import (
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/ws"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// The schemas of the documents that the ledger keeps and --json prints. A change that
// an old reader would misread gets a new number.
const (
	RunSchema        = "hone.run/1"
	ComparisonSchema = "hone.comparison/2"
)

// Outcome is what Measure stored.
type Outcome struct {
	Runs []Record
	// Comparison is nil for a single run.
	Comparison *ComparisonRecord
}

// Loaded says whether a program got any request.
func (o *Outcome) Loaded() bool {
	return slices.ContainsFunc(o.Runs, func(r Record) bool { return r.Counts.Sent > 0 })
}

// Record is the document of one run.
type Record struct {
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
	// Load is the command that loaded the program; nil where hone did. Requests are then its operations, and latency and
	// the share of right answers are not known.
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
	// ReadyAfter is how long a process took from its beginning until it listened: the median of the starts; 0 where it is not known.
	ReadyAfter time.Duration `json:"ready_after_ns,omitempty"`
	// Runtime sums up the timeline; nil without the probe.
	Runtime *RuntimeSummary `json:"runtime,omitempty"`
	// Growth is what a run keeps of each request; nil where nothing rises, and in a comparison, which has measures of it.
	Growth *Growth `json:"growth,omitempty"`
	// Holders says who held the memory at the end; nil where it was not asked for, or is not known.
	Holders *Holders `json:"holders,omitempty"`
	// Tracing is what the trace behind the wait profile took; nil where none was read.
	Tracing *Tracing `json:"tracing,omitempty"`
	// Waits are the largest parts of what it says; hone tail has the rest.
	Waits *walltime.Digest `json:"waits,omitempty"`
	// Metrics are the time series that were recorded; nil if none were.
	Metrics *MetricsRecord `json:"metrics,omitempty"`
	// Needs are the programs that were started before it.
	Needs []needs.Facts `json:"needs,omitempty"`
	// Agents are the names of those that loaded it; nil: hone did.
	Agents []string `json:"agents,omitempty"`
	// AgentsApart is by how much they began apart; nil for fewer than two.
	AgentsApart *Apart `json:"agents_apart,omitempty"`
	// Asked is what the run was asked for, for Again; nil in documents of earlier hones.
	Asked *Asked `json:"asked,omitempty"`
}

// Output is how many bytes a program wrote.
type Output struct {
	Written uint64 `json:"written_bytes"`
	// Dropped is the part that was not kept: of each stream of a start the first and the
	// last 32 KiB are.
	Dropped uint64 `json:"dropped_bytes,omitempty"`
	// Waits is how often hone found the program's pipe full, so that it had to wait.
	Waits uint64 `json:"waits,omitempty"`
}

// MetricsRecord says what is recorded as time series.
type MetricsRecord struct {
	// Page is the program's own, as it was asked; empty if it has none.
	Page     string        `json:"page,omitempty"`
	Series   int           `json:"series"`
	Interval time.Duration `json:"interval_ns"`
}

// Interval is an estimate with its confidence interval. A confidence of 0 means that
// there were too few slices for one (under 6, for 95 %).
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	Conf  float64 `json:"confidence"`
}

// TargetRow is what one of several targets had, over all slices.
type TargetRow struct {
	Name     string `json:"name"`
	Answered uint64 `json:"answered"` // right
	Failed   uint64 `json:"failed"`
	// Latency is counted as Record.Latency is; nil without any.
	Latency *Latency `json:"latency,omitempty"`
}

// Streams are the numbers of answers that are streams, over all slices.
type Streams struct {
	// Messages are events, chunks, frames or messages of calls.
	Messages          uint64  `json:"messages"`
	MessagesPerSecond float64 `json:"messages_per_second"`
	// FirstByte is the time to the first byte, counted as Record.Latency is, Gaps the time between two messages of one
	// answer; nil without any.
	FirstByte *Latency `json:"first_byte,omitempty"`
	Gaps      *Latency `json:"gaps,omitempty"`
}

// Latency holds quantiles of a latency, in nanoseconds.
type Latency struct {
	// Count is how many answers they rest on, in an open loop with the requests that were
	// given up; 0 in documents of earlier hones. A quantile that takes more answers
	// (stats.Resolving) is the largest of them.
	Count int64 `json:"count,omitempty"`
	P50   int64 `json:"p50"`
	P75   int64 `json:"p75"`
	P90   int64 `json:"p90"`
	P95   int64 `json:"p95"`
	P99   int64 `json:"p99"`
	P999  int64 `json:"p99_9"`
	P9999 int64 `json:"p99_99"`
	Max   int64 `json:"max"`
}

// PerRequest is what one request costs the subject besides CPU time. NaN never
// occurs: what was not observed is nil.
type PerRequest struct {
	// The calls are those of subject.Counters: without recv and send.
	ReadCalls  *float64 `json:"read_calls,omitempty"`
	WriteCalls *float64 `json:"write_calls,omitempty"`
	// ReadBytes and WriteBytes went through the calls.
	ReadBytes           *float64 `json:"read_bytes,omitempty"`
	WriteBytes          *float64 `json:"write_bytes,omitempty"`
	VoluntarySwitches   *float64 `json:"voluntary_switches,omitempty"`
	InvoluntarySwitches *float64 `json:"involuntary_switches,omitempty"`
	Allocs              *float64 `json:"allocs,omitempty"`
	AllocBytes          *float64 `json:"alloc_bytes,omitempty"`
	// These are gained with each request.
	HeapKept        *float64 `json:"heap_kept_bytes,omitempty"`
	GoroutinesKept  *float64 `json:"goroutines_kept,omitempty"`
	DescriptorsKept *float64 `json:"descriptors_kept,omitempty"`
}

// ComparisonRecord is the document of a comparison.
type ComparisonRecord struct {
	Schema      string        `json:"schema"`
	ID          string        `json:"id"`
	Status      ledger.Status `json:"status"`
	Reason      string        `json:"reason,omitempty" printable:"lines"`
	Started     time.Time     `json:"started"`
	Elapsed     time.Duration `json:"elapsed_ns"`
	Runs        []string      `json:"runs"`
	Seed        uint64        `json:"seed"` // of the order of the slices
	Arrangement Arrangement   `json:"arrangement,omitempty"`
	Why         string        `json:"arrangement_reason,omitempty"`
	// Budget is what the comparison might have taken, Blocks the number of fresh starts of
	// every variant it took, BlockTime what one of them took on average, Stopped why it
	// ended: compare.StoppedDecided and so on.
	Budget    time.Duration `json:"budget_ns"`
	Blocks    int           `json:"blocks"`
	BlockTime time.Duration `json:"block_time_ns"`
	Stopped   string        `json:"stopped,omitempty"`
	// FirstStage is how many of the blocks were of the first stage, where there was a second one; LinkOrders is how many other
	// orders of their functions the variants had in that.
	FirstStage int `json:"first_stage_blocks,omitempty"`
	LinkOrders int `json:"link_orders,omitempty"`
	// Spread is how its values scattered, for the plan of the next comparison.
	Spread *Spread `json:"spread,omitempty"`
	// Looks are the interim looks, the last one included.
	Looks []judge.Look `json:"looks,omitempty"`
	// Word is that of the first contest, for lists.
	Word judge.Word `json:"verdict"`
	// Contests are the variants but the first, each against the first.
	Contests []Contest     `json:"contests"`
	Gates    []gate.Result `json:"gates,omitempty"`
	// SelfChecks are the A/A intervals of each variant, in the order of Runs.
	SelfChecks []compare.SelfCheckResult `json:"self_checks,omitempty"`
	// Calibration is what the comparison says of others like it: hone calibrate.
	Calibration *Calibration `json:"calibration,omitempty"`
	// Calibrated is the latest calibration under the same plan, where a gate is open.
	Calibrated *Calibrated `json:"calibrated,omitempty"`
}

// Contest is one variant against another.
type Contest struct {
	// A and B are indices of ComparisonRecord.Runs.
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
	// SameSource says that both are one program at two commits, so that one start of each was measured, and Word is the same.
	SameSource bool `json:"same_source,omitempty"`
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
	Why *prof.Explanation `json:"why,omitempty"`
	// Weighed is what the change comes to on production's profile; nil where that was not asked.
	Weighed *Weighed `json:"weighed,omitempty"`
	// WhyAllocs has the places that allocate more or less, if the allocations differ.
	WhyAllocs *prof.Explanation `json:"why_allocs,omitempty"`
	// WhyTime says where latency differs, from the traces; nil where there is none.
	WhyTime []TimeChange `json:"why_time,omitempty"`
	// Findings are those that came, went or changed from A to B, of those that explain the verdict or are of growth. They are found out
	// again each time that a comparison is shown, and not stored.
	Findings []advice.Change `json:"findings,omitempty"`
}

// record fills the document of a run from what was measured.
func (m *services) record(v *service, status ledger.Status, reason string) Record {
	v.timed.tally.Counts = v.account
	var doubts []load.Doubt
	if v.account.Scheduled > 0 { // else it never came to a measurement
		doubts = m.request.judge(v.timed.tally, m.plan(), m.cut.slice)
		if v.latest.notes != nil {
			doubts = append(ws.OrderDoubt(v.latest.notes()), doubts...)
		}
		if d := m.doubtAnswers(v); d != nil {
			doubts = append(doubts, *d)
		}
	}
	r := Record{
		Head: m.head(v.side, RunSchema, status, reason, prof.KindNames(), v.conditions()), Target: redact.URL(m.targetOf(v)), Assumption: v.assumption,
		Plan: m.plan(), RateHz: m.request.RateHz, Slice: m.cut.slice, Slices: len(v.timed.samples), Starts: len(v.timed.starts),
		Arrangement: m.arrangement, Why: m.why,
		Counts: v.account, Causes: v.account.ByCause(), Stalled: v.timed.tally.Stalled, Reconnects: v.timed.tally.Reconnects,
		GeneratorBusy: v.timed.tally.Busy(), RightShare: v.timed.tally.RightShare(), Doubts: doubts, Output: v.wrote(),
		PerRequest: v.perRequest(), GCCycles: v.gcCycles(),
		Runtime: v.runtimeSummary(), Holders: v.holding, Tracing: v.waits.tracing, Waits: v.waits.digest.Brief(),
		Metrics: v.metrics,
		Asked:   m.asked(), Needs: m.needsRecord(v),
	}
	r.Dir, r.Warnings = v.home.Dir, v.allWarnings(len(m.request.Protocol.Expect.Status) > 0)
	r.Copied, r.Box = m.request.Copy, m.boxRecord(v)
	if m.request.Agents != nil {
		r.Agents, r.AgentsApart = m.request.Agents.Names, m.request.Agents.apart()
	}
	if v.home.Root != "" {
		r.DirRef = v.binary.Checkout.Ref
	}
	if r.Load = m.request.loadRecord(batchOf(v.timed.samples).answered); r.Load != nil {
		r.RightShare = 0
	}
	for i, t := range v.timed.tally.Targets {
		r.Targets = append(r.Targets, TargetRow{Name: v.targets[i], Answered: t.Answered, Failed: t.Failed, Latency: quantilesOf(t.Latency)})
	}
	r.Latency, r.Streams = quantilesOf(v.timed.tally.Latency()), streamsOf(v.timed.tally)
	shown := v.figures()
	r.Growth = growthOf(v.timeline(time.Time{}), shown)
	cpu, known := shown[measure.CPU.Key]
	r.CPUNanos = v.cpuInterval(cpu, known)
	for _, f := range figures {
		if x, ok := shown[f.measure.Key]; ok && f.set != nil {
			f.set(&r, x)
		}
	}
	if len(v.timed.samples) > 0 {
		r.Thresholds = m.thresholds(v, r)
	}
	return r
}

// streamsOf is nil where no answer was a stream.
func streamsOf(t load.Tally) *Streams {
	s := &Streams{Messages: t.Messages, FirstByte: quantilesOf(t.FirstByte), Gaps: quantilesOf(t.Gaps)}
	if s.FirstByte == nil && s.Messages == 0 {
		return nil
	}
	if t.Duration > 0 {
		s.MessagesPerSecond = float64(t.Messages) / t.Duration.Seconds()
	}
	return s
}

// quantilesOf has the quantiles of a histogram; nil where it has none.
func quantilesOf(h *hdrhistogram.Histogram) *Latency {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	q := h.ValueAtQuantile
	return &Latency{Count: h.TotalCount(), P50: q(50), P75: q(75), P90: q(90), P95: q(95), P99: q(99), P999: q(99.9), P9999: q(99.99), Max: h.Max()}
}

// gcCycles is 0 where not all of the program was read.
func (v *service) gcCycles() uint64 {
	if v.timed.covered.incomplete() {
		return 0
	}
	return v.timed.consumed.gcCycles
}

// perRequest is what is not a figure.
func (v *service) perRequest() PerRequest {
	per := func(n, requests uint64, known bool) *float64 {
		if requests == 0 || !known {
			return nil
		}
		one := float64(n) / float64(requests)
		return &one
	}
	c := v.timed.consumed
	return PerRequest{
		ReadBytes: per(c.readBytes, c.answered, c.reads > 0), WriteBytes: per(c.writeBytes, c.answered, c.writes > 0),
		VoluntarySwitches: per(c.voluntary, c.answered, true), InvoluntarySwitches: per(c.involuntary, c.answered, true),
	}
}

// save stores the slices that the ledger does not have yet.
func (v *service) save(started time.Time) error {
	if _, err := v.compactSamples(); err != nil { // those of a block that was broken off
		return err
	}
	var rows []ledger.Slice
	for i, s := range v.timed.samples[v.timed.saved:] {
		rows = append(rows, s.row(v.timed.saved+i, started))
	}
	if err := v.draft.AddSlices(rows); err != nil {
		return err
	}
	v.timed.saved = len(v.timed.samples)
	return nil
}
