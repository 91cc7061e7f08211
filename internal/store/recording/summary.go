package recording

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// SummarySchema is the version of the JSON form of Summary.
const SummarySchema = 1

// Summary is what a recording says, as numbers in base units: nanoseconds, bytes, requests
// per second, shares from 0 to 1.
type Summary struct {
	Schema int `json:"schema"`
	// Run is the name of the test in the ledger; empty if it is not there.
	Run      string    `json:"run,omitempty"`
	Hone     string    `json:"hone,omitempty"`
	Target   string    `json:"target"`
	Protocol string    `json:"protocol,omitempty"`
	Start    time.Time `json:"start"`
	// Loop is "closed" or "open". Of a closed loop the headline latency is the service
	// time, of an open one the response time.
	Loop  string    `json:"loop"`
	Plan  load.Plan `json:"plan"`
	Parts []Part    `json:"parts,omitempty"`
	// Valid: no doubt is fatal.
	Valid  bool         `json:"valid"`
	Doubts []load.Doubt `json:"doubts,omitempty"`
	// Interrupted: the user ended the test. Truncated: its recording breaks off.
	Interrupted bool `json:"interrupted,omitempty"`
	Truncated   bool `json:"truncated,omitempty"`
	// The totals of the whole test, and Sending, the part of Duration without the drain:
	// what the rates of sending are over.
	Totals
	Sending time.Duration `json:"sending_ns"`
	// WarmUp is the load before that, which no other number here counts; nil if there was
	// none.
	WarmUp *WarmUp `json:"warm_up,omitempty"`
	// Account is the final one; it balances.
	Account Account `json:"account"`
	// Requests is what the slices counted.
	Requests Account `json:"requests"`
	// ErrorShare is the share of the settled requests that failed.
	ErrorShare float64 `json:"error_share"`
	Latencies  struct {
		Service  Latency  `json:"service"`
		Response *Latency `json:"response,omitempty"`
		Lag      *Latency `json:"lag,omitempty"`
		Age      *Latency `json:"age,omitempty"`
		Failed   *Latency `json:"failed,omitempty"`
		Connect  *Latency `json:"connect,omitempty"`
		// Of answers that are streams: the time to their first byte, that between their messages, and the age of
		// messages.
		FirstByte  *Latency `json:"first_byte,omitempty"`
		Gaps       *Latency `json:"gaps,omitempty"`
		MessageAge *Latency `json:"message_age,omitempty"`
	} `json:"latencies"`
	// Messages are those of streams: events, chunks, messages of calls.
	Messages   uint64  `json:"messages,omitempty"`
	MessagesHz float64 `json:"messages_per_second,omitempty"`
	// Codes counts answers by the protocol's status; Redirects those with an HTTP status
	// of 3xx; Causes the errors by cause.
	Codes     map[int]uint64    `json:"codes,omitempty"`
	Redirects uint64            `json:"redirects,omitempty"`
	Causes    map[string]uint64 `json:"causes,omitempty"`
	// WrongStatuses splits the cause "wrong status" by the protocol's status.
	WrongStatuses   load.Statuses     `json:"wrong_statuses,omitzero"`
	BytesSentHz     float64           `json:"bytes_sent_per_second"`
	BytesReceivedHz float64           `json:"bytes_received_per_second"`
	Stalled         int               `json:"stalled,omitempty"`
	Renewed         int               `json:"renewed,omitempty"`
	Generator       Generator         `json:"generator"`
	Calibration     *Calibration      `json:"calibration,omitempty"`
	Thresholds      []ThresholdResult `json:"thresholds,omitempty"`
	// Targets has a row for each target; nil where there are not several.
	Targets []TargetRow `json:"targets,omitempty"`
	// Stages has a row for each stage of an open loop of several, Timeline one for each
	// slice.
	Stages   []Row `json:"stages,omitempty"`
	Timeline []Row `json:"timeline"`
}

// TargetRow is what one of several targets had.
type TargetRow struct {
	Name     string `json:"name"`
	Answered uint64 `json:"answered"` // right
	Failed   uint64 `json:"failed"`
	// Latency is the response time of right answers in an open loop, else their service time.
	Latency Latency `json:"latency"`
}

// Account is the two identities: scheduled = sent + unsent, sent = answered + failed +
// unanswered.
type Account struct {
	Scheduled  uint64 `json:"scheduled"`
	Sent       uint64 `json:"sent"`
	Unsent     uint64 `json:"unsent"`
	Answered   uint64 `json:"answered"`
	Failed     uint64 `json:"failed"`
	Unanswered uint64 `json:"unanswered"`
	// Lost is the part of Failed that had no answer, Stray the replies that belong to no
	// request.
	Lost  uint64 `json:"lost,omitempty"`
	Stray uint64 `json:"stray,omitempty"`
}

// AccountOf is the account of some counts.
func AccountOf(c load.Counts) Account {
	return Account{c.Scheduled, c.Sent, c.Unsent, c.Answered, c.Failed, c.Unanswered, c.Lost, c.Stray}
}

func (a Account) plus(b Account) Account {
	return Account{
		a.Scheduled + b.Scheduled, a.Sent + b.Sent, a.Unsent + b.Unsent,
		a.Answered + b.Answered, a.Failed + b.Failed, a.Unanswered + b.Unanswered, a.Lost + b.Lost, a.Stray + b.Stray,
	}
}

// Generator is what the load cost on its own side.
type Generator struct {
	// Busy is the share of its CPU time that it used, Spin the share that went into
	// waiting for due moments.
	Busy   float64     `json:"busy"`
	Spin   float64     `json:"spin"`
	Pauses load.Pauses `json:"gc_pauses"`
	// CPUPerRequest is its CPU time, without that waiting, for each answer; 0 without any.
	CPUPerRequest time.Duration `json:"cpu_per_request_ns,omitempty"`
}

// The names of the doubts that are about the recording, not the measurement.
const (
	DoubtTruncated   = "recording-truncated"
	DoubtInterrupted = "interrupted"
	DoubtApart       = "parts-apart"
)

// Summarize works out the numbers. It takes about a millisecond for each slice.
func Summarize(r *Recording) Summary {
	c := r.condense()
	t := c.total
	h := r.Header
	s := Summary{
		Schema: SummarySchema, Hone: h.Hone, Target: h.Target, Protocol: h.Protocol, Start: h.Start,
		Loop: "closed", Plan: h.Plan, Parts: h.Parts,
		WarmUp: h.WarmUp, Interrupted: r.Final.Interrupted, Truncated: r.Truncated,
		Totals: totalsOf(&t), Sending: max(0, t.Duration-t.Draining),
		Account: AccountOf(r.Final.Counts), Requests: AccountOf(t.Counts),
		Codes: t.Codes, Stalled: t.Stalled, Renewed: t.Renewed,
		Calibration: h.Calibration, Thresholds: r.Final.Thresholds,
		Stages: c.stages, Timeline: c.rows,
	}
	s.Generator = Generator{Busy: t.Busy(), Spin: share(t.Spin, t.WorkerWall), Pauses: r.Final.Pauses}
	if n := t.Answered + t.Failed; n > 0 {
		s.Generator.CPUPerRequest = max(0, t.WorkerCPU-t.Spin) / time.Duration(n)
	}
	if h.Schedule.Open() {
		s.Loop = "open"
		s.AskedHz = MeanRate(h.Schedule, 0, h.Schedule.Length())
	}
	s.BytesSentHz, s.BytesReceivedHz = per(t.BytesSent, rateTime(&t)), per(t.BytesReceived, rateTime(&t))
	s.ErrorShare, _ = t.WrongShare()
	s.Latencies.Service = LatencyOf(t.Service)
	s.Latencies.Response, s.Latencies.Lag = optional(t.Response), optional(t.Lag)
	s.Latencies.Age, s.Latencies.Failed = optional(t.Age), optional(t.FailedLatency)
	s.Latencies.Connect = optional(r.Final.Connect)
	s.Latencies.FirstByte, s.Latencies.Gaps, s.Latencies.MessageAge = optional(t.FirstByte), optional(t.Gaps),
		optional(t.MessageAge)
	s.Messages, s.MessagesHz = t.Messages, per(t.Messages, t.Duration)
	for i, one := range t.Targets {
		s.Targets = append(s.Targets, TargetRow{Name: h.Targets[i], Answered: one.Answered, Failed: one.Failed,
			Latency: LatencyOf(one.Latency)})
	}
	s.Redirects = redirects(h.Protocol, t.Codes)
	s.Causes, s.WrongStatuses = t.ByCause(), t.WrongStatuses
	s.Doubts = r.doubts(t)
	s.Valid = load.Invalid(s.Doubts) == nil
	return s
}

// doubts are those of the final account and those about the recording itself. A recording
// that breaks off was never judged: that is made good here.
func (r *Recording) doubts(t load.Tally) []load.Doubt {
	out := append([]load.Doubt(nil), r.Final.Doubts...)
	if r.Truncated {
		out = append(out, load.Evidence{Plan: r.Header.Plan, Schedule: r.Header.Schedule, Tally: t,
			Pace: true}.Judge()...)
		out = append(out, load.Doubt{Name: DoubtTruncated, Text: fmt.Sprintf(
			"the recording breaks off after %d slices (%s): what follows is about that part", len(r.Slices),
			units.Seconds(t.Duration))})
	}
	if r.Final.Interrupted {
		out = append(out, load.Doubt{Name: DoubtInterrupted, Text: fmt.Sprintf(
			"interrupted after %s: what follows is about that part", units.Seconds(t.Duration))})
	}
	if apart := apartBy(r.Header.Parts); apart > 0 {
		out = append(out, load.Doubt{Name: DoubtApart, Fatal: true, Text: fmt.Sprintf(
			"the merged recordings did not run at the same time (%s apart): their rates do not add up",
			units.Seconds(apart))})
	}
	return out
}

// apartBy is the longest time that lies between the end of one part and the start of
// another; 0 if all were under way at some moment together.
func apartBy(parts []Part) time.Duration {
	var last time.Time // of the starts
	for _, p := range parts {
		if p.Start.After(last) {
			last = p.Start
		}
	}
	apart := time.Duration(0)
	for _, p := range parts {
		apart = max(apart, last.Sub(p.Start.Add(p.Took)))
	}
	return apart
}

func redirects(protocol string, codes map[int]uint64) (n uint64) {
	if protocol != "http" {
		return 0
	}
	for code, c := range codes {
		if code >= 300 && code <= 399 {
			n += c
		}
	}
	return n
}

// rateTime is the time that a rate is over: the time of sending or, where nothing was
// sent, all of it.
func rateTime(t *load.Tally) time.Duration {
	if t.Draining >= t.Duration {
		return t.Duration
	}
	return t.Duration - t.Draining
}

// per is n over d, 0 for no time.
func per(n uint64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

func share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
