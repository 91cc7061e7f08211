package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/ws"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// record fills the document of a run from what was measured.
func (m *services) record(v *service, status ledger.Status, reason string) record.Run {
	v.timed.Tally.Counts = v.timed.Account
	var doubts []load.Doubt
	if v.timed.Account.Scheduled > 0 { // else it never came to a measurement
		doubts = doubtsOf(m.Task, v.timed.Tally, v.timed.OnTime(), m.plan(), m.slicing.slice)
		if v.latest.notes != nil {
			doubts = append(ws.OrderDoubt(v.latest.notes()), doubts...)
		}
		if d := m.doubtAnswers(v); d != nil {
			doubts = append(doubts, *d)
		}
	}
	r := record.Run{
		Head:   m.Head(v.Side, record.RunSchema, status, reason, prof.KindNames(), v.timed.Conditions()),
		Target: redact.URL(m.targetOf(v)), Assumption: v.assumption,
		Plan: m.plan(), RateHz: m.Task.RateHz, Slice: m.slicing.slice, Slices: len(v.timed.Samples),
		Starts:      len(v.timed.Starts),
		Arrangement: m.arrangement, Why: m.why,
		Counts: v.timed.Account, Causes: v.timed.Account.ByCause(), Stalled: v.timed.Tally.Stalled,
		Reconnects:    v.timed.Tally.Reconnects,
		GeneratorBusy: v.timed.Tally.Busy(), RightShare: v.timed.Tally.RightShare(), Doubts: doubts, Output: v.wrote(),
		PerRequest: v.timed.PerRequest(), GCCycles: v.timed.GCCycles(),
		Runtime: v.timed.RuntimeSummary(), Holders: v.profiles.Holders, Memory: memory.Middle(v.timed.Memory), Tracing: v.profiles.Waits.Tracing,
		Waits:   v.profiles.Waits.Digest.Brief(),
		Metrics: v.metrics,
		Asked:   m.Task.Stored(m.WorkDir, m.Hide), Needs: m.needsRecord(v),
	}
	r.Dir, r.Warnings = v.home.Dir, v.allWarnings(len(m.Task.Protocol.Expect.Status) > 0)
	r.Copied, r.Box = m.Task.Copy, m.boxRecord(v)
	if m.Task.Agents != nil {
		r.Agents, r.AgentsApart = m.Task.Agents.Names, m.Task.Agents.Summary()
	}
	if v.home.Root != "" {
		r.DirRef = v.Binary.Checkout.Ref
	}
	if r.Load = loadRecord(m.Task, timed.BatchOf(v.timed.Samples).Answered); r.Load != nil {
		r.RightShare = 0
	}
	for i, t := range v.timed.Tally.Targets {
		r.Targets = append(r.Targets, record.TargetRow{Name: v.targets[i], Answered: t.Answered, Failed: t.Failed,
			Latency: record.LatencyOf(t.Latency)})
	}
	r.Latency, r.Streams = record.LatencyOf(v.timed.Tally.Latency()), streamsOf(v.timed.Tally)
	shown := v.timed.Figures()
	r.Growth = record.GrowthOf(v.timed.Timeline("", time.Time{}), shown)
	cpu, known := shown[measure.CPU.Key]
	r.CPUNanos = v.timed.CPUInterval(cpu, known)
	r.TakeFigures(shown)
	if len(v.timed.Samples) > 0 {
		r.Thresholds = m.thresholds(v, r)
	}
	return r
}

// streamsOf is nil where no answer was a stream.
func streamsOf(t load.Tally) *record.Streams {
	s := &record.Streams{Messages: t.Messages, FirstByte: record.LatencyOf(t.FirstByte), Gaps: record.LatencyOf(t.Gaps)}
	if s.FirstByte == nil && s.Messages == 0 {
		return nil
	}
	if t.Duration > 0 {
		s.MessagesPerSecond = float64(t.Messages) / t.Duration.Seconds()
	}
	return s
}

// save stores the slices that the ledger does not have yet.
func (v *service) save(started time.Time) error {
	if _, err := v.compactSamples(); err != nil { // those of a block that was broken off
		return err
	}
	var rows []packed.Slice
	for i, s := range v.timed.Samples[v.timed.Saved:] {
		rows = append(rows, s.Row(v.timed.Saved+i, started))
	}
	if err := v.Draft.AddSlices(rows); err != nil {
		return err
	}
	v.timed.Saved = len(v.timed.Samples)
	return nil
}

const timelineFile = "timeline.json"

// saveTimeline stores the timeline, if there is one.
func (v *service) saveTimeline(started time.Time) error {
	line := v.timed.Timeline(v.Draft.ID(), started)
	if line == nil {
		return nil
	}
	doc, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("encode timeline: %w", err)
	}
	_, err = v.Draft.AddArtefact(record.TimelineArtefact, timelineFile, bytes.NewReader(doc))
	return err
}
