// Package timed is what a variant showed under timed load: samples of slices, what its starts used up and did besides
// answering, readings of the runtime; and the figures, batches and rows that are worked out of them.
package timed

import (
	"time"

	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// Load is what the timed load of a variant showed, over all of its starts.
type Load struct {
	Compared  bool           // with other variants
	AtOnce    int            // requests that may be under way together; 0 where that is not known
	Account   load.Counts    // of all load, warm-up and captures included
	Starts    []judge.Sample // what each start showed as a whole
	Effects   []*Effects     // what each start of a comparison did besides answering
	Samples   []Sample
	Compacted int         // samples that are compact
	Saved     int         // samples that the ledger has
	Tally     load.Tally  // of all samples
	onTime    load.Counts // of the samples in which the generator was on time: what was due and sent
	Consumed  Consumption
	PeakRSS   uint64
	Moments   []Moment            // of the runtime
	Runtime   probeclient.Runtime // of all moments together
	Covered   Coverage            // of the readings
	Memory    []*memory.Account   // of the main process at the end of each start's timed load
	Box       cgroup.Counters     // of all starts together, under load of boxTime
	BoxTime   time.Duration
}

// Keep adds a slice to what was measured.
func (t *Load) Keep(s Sample) {
	t.Tally.Add(s.Loaded)
	s.Sample = BatchOf([]Sample{s}).values()
	if h := s.Loaded.Latency(); h != nil {
		s.p50, s.P99 = time.Duration(h.ValueAtQuantile(50)), time.Duration(h.ValueAtQuantile(99))
	}
	t.Samples = append(t.Samples, s)
	if !s.Late {
		t.onTime.Scheduled, t.onTime.Sent = t.onTime.Scheduled+s.Loaded.Scheduled, t.onTime.Sent+s.Loaded.Sent
	}
}

// OnTime are the counts of the slices of a comparison in which the generator was on time; nil of a run.
func (t *Load) OnTime() *load.Counts {
	if !t.Compared {
		return nil
	}
	return &t.onTime
}

// Conditions are what the machine did during the slices.
func (t *Load) Conditions() []machine.Disturbance {
	var all []machine.Disturbance
	for _, s := range t.Samples {
		all = append(all, s.Conditions)
	}
	return all
}

// GCCycles is 0 where not all of the program was read.
func (t *Load) GCCycles() uint64 {
	if t.Covered.Incomplete() {
		return 0
	}
	return t.Consumed.GCCycles
}

// PerRequest is what is not a figure.
func (t *Load) PerRequest() record.PerRequest {
	per := func(n, requests uint64, known bool) *float64 {
		if requests == 0 || !known {
			return nil
		}
		one := float64(n) / float64(requests)
		return &one
	}
	c := t.Consumed
	return record.PerRequest{
		ReadBytes: per(c.ReadBytes, c.Answered, c.Reads > 0), WriteBytes: per(c.WriteBytes, c.Answered, c.Writes > 0),
		VoluntarySwitches:   per(c.Voluntary, c.Answered, true),
		InvoluntarySwitches: per(c.Involuntary, c.Answered, true),
	}
}
