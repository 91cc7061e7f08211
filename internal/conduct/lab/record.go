package lab

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/ws"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// record fills the document of a run from what was measured.
func (m *services) record(v *service, status ledger.Status, reason string) record.Run {
	v.timed.tally.Counts = v.account
	var doubts []load.Doubt
	if v.account.Scheduled > 0 { // else it never came to a measurement
		doubts = m.task.judge(v.timed.tally, m.plan(), m.cut.slice)
		if v.latest.notes != nil {
			doubts = append(ws.OrderDoubt(v.latest.notes()), doubts...)
		}
		if d := m.doubtAnswers(v); d != nil {
			doubts = append(doubts, *d)
		}
	}
	r := record.Run{
		Head:   m.head(v.side, record.RunSchema, status, reason, prof.KindNames(), v.conditions()),
		Target: redact.URL(m.targetOf(v)), Assumption: v.assumption,
		Plan: m.plan(), RateHz: m.task.RateHz, Slice: m.cut.slice, Slices: len(v.timed.samples),
		Starts:      len(v.timed.starts),
		Arrangement: m.arrangement, Why: m.why,
		Counts: v.account, Causes: v.account.ByCause(), Stalled: v.timed.tally.Stalled,
		Reconnects:    v.timed.tally.Reconnects,
		GeneratorBusy: v.timed.tally.Busy(), RightShare: v.timed.tally.RightShare(), Doubts: doubts, Output: v.wrote(),
		PerRequest: v.perRequest(), GCCycles: v.gcCycles(),
		Runtime: v.runtimeSummary(), Holders: v.holding, Tracing: v.waits.tracing, Waits: v.waits.digest.Brief(),
		Metrics: v.metrics,
		Asked:   m.task.Stored(m.WorkDir, m.hide), Needs: m.needsRecord(v),
	}
	r.Dir, r.Warnings = v.home.Dir, v.allWarnings(len(m.task.Protocol.Expect.Status) > 0)
	r.Copied, r.Box = m.task.Copy, m.boxRecord(v)
	if m.task.Agents != nil {
		r.Agents, r.AgentsApart = m.task.Agents.Names, m.task.Agents.apart()
	}
	if v.home.Root != "" {
		r.DirRef = v.binary.Checkout.Ref
	}
	if r.Load = m.task.loadRecord(batchOf(v.timed.samples).answered); r.Load != nil {
		r.RightShare = 0
	}
	for i, t := range v.timed.tally.Targets {
		r.Targets = append(r.Targets, record.TargetRow{Name: v.targets[i], Answered: t.Answered, Failed: t.Failed,
			Latency: quantilesOf(t.Latency)})
	}
	r.Latency, r.Streams = quantilesOf(v.timed.tally.Latency()), streamsOf(v.timed.tally)
	shown := v.figures()
	r.Growth = record.GrowthOf(v.timeline(time.Time{}), shown)
	cpu, known := shown[measure.CPU.Key]
	r.CPUNanos = v.cpuInterval(cpu, known)
	r.TakeFigures(shown)
	if len(v.timed.samples) > 0 {
		r.Thresholds = m.thresholds(v, r)
	}
	return r
}

// streamsOf is nil where no answer was a stream.
func streamsOf(t load.Tally) *record.Streams {
	s := &record.Streams{Messages: t.Messages, FirstByte: quantilesOf(t.FirstByte), Gaps: quantilesOf(t.Gaps)}
	if s.FirstByte == nil && s.Messages == 0 {
		return nil
	}
	if t.Duration > 0 {
		s.MessagesPerSecond = float64(t.Messages) / t.Duration.Seconds()
	}
	return s
}

// quantilesOf has the quantiles of a histogram; nil where it has none.
func quantilesOf(h *hdrhistogram.Histogram) *record.Latency {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	q := h.ValueAtQuantile
	return &record.Latency{Count: h.TotalCount(), P50: q(50), P75: q(75), P90: q(90), P95: q(95), P99: q(99),
		P999: q(99.9), P9999: q(99.99), Max: h.Max()}
}

// gcCycles is 0 where not all of the program was read.
func (v *service) gcCycles() uint64 {
	if v.timed.covered.incomplete() {
		return 0
	}
	return v.timed.consumed.gcCycles
}

// perRequest is what is not a figure.
func (v *service) perRequest() record.PerRequest {
	per := func(n, requests uint64, known bool) *float64 {
		if requests == 0 || !known {
			return nil
		}
		one := float64(n) / float64(requests)
		return &one
	}
	c := v.timed.consumed
	return record.PerRequest{
		ReadBytes: per(c.readBytes, c.answered, c.reads > 0), WriteBytes: per(c.writeBytes, c.answered, c.writes > 0),
		VoluntarySwitches:   per(c.voluntary, c.answered, true),
		InvoluntarySwitches: per(c.involuntary, c.answered, true),
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
