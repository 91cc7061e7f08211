package agents

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// Run carries out one load test, as loadtest.Tester.Run does.
func (c *Coordinator) Run(soft, hard context.Context, r loadtest.Task) (*loadtest.Result, error) {
	started := time.Now()
	rec, discard, err := c.measure(soft, hard, r, 0)
	if err != nil {
		return nil, err
	}
	out := &loadtest.Result{Recording: rec}
	if err = c.Keep(r, out, started, loadtest.Verdict(rec)); fail.KindOf(err) != fail.Storage {
		discard()
	}
	return out, err
}

// FindMax searches the highest rate at which the limits of r hold, as loadtest.Tester.FindMax does. Each rate is a load
// test of its own: the agents connect and start together anew.
func (c *Coordinator) FindMax(soft, hard context.Context, r loadtest.Task) (*loadtest.Result, error) {
	started, count := time.Now(), 0
	by := func(s load.Schedule) (*recording.Recording, error) {
		one := r
		one.Schedule = s
		rec, discard, err := c.measure(soft, hard, one, count)
		if err != nil {
			return nil, err
		}
		discard()
		count = len(rec.Header.Parts) // each rate is tried with as many
		if d := load.Invalid(rec.Final.Doubts); d != nil && d.Name == load.DoubtLost {
			return nil, loadtest.Verdict(rec) // no rate is at fault
		}
		return rec, loadtest.CheckTargets(r.FindMax, rec.Header.Targets)
	}
	out, err := c.Search(soft, r, loadtest.Searching{Probe: by, Measure: by, Tries: mostTries, LoadOnly: true})
	if out == nil {
		return nil, err
	}
	return out, c.Keep(r, out, started, err)
}

// mostTries bounds the rates that are tried: each takes some 4 s for itself.
const mostTries = 12

// measure carries out one load test, with count agents unless that is 0. The recordings of the agents stay in the
// directory of the ledger until discard is called.
func (c *Coordinator) measure(soft, hard context.Context, r loadtest.Task, count int) (rec *recording.Recording,
	discard func(), err error) {
	if err := r.Validate(); err != nil {
		return nil, nil, err
	}
	last, err := c.do(soft, hard, Call{Do: Test, Count: count, Job: jobOf(r)}, nil)
	if err == nil && last.Tested == nil {
		err = errors.New("hone-agent answered without a result")
	}
	if err != nil {
		return nil, nil, err
	}
	kept, err := openSpool(c.setup.Dir, last.Tested.Run)
	if err != nil {
		return nil, nil, err
	}
	defer kept.Close()
	if rec, err = c.result(r, last.Tested, kept); err != nil {
		return nil, nil, err
	}
	return rec, func() {
		if err := kept.Discard(); err != nil {
			c.Progress.Warn(fmt.Sprintf("remove what agents recorded: %v", err))
		}
	}, nil
}

// jobOf is a load test as it is sent.
func jobOf(r loadtest.Task) *Job {
	return &Job{Load: r.Load, Sending: r.Sending}
}

// result makes one recording of those of the agents.
func (c *Coordinator) result(r loadtest.Task, t *Tested, kept *Spool) (*recording.Recording, error) {
	var parts []*recording.Recording
	var doubts []load.Doubt
	notes := []string{}
	for _, m := range t.Agents {
		if m.Complete {
			rec, err := kept.Read(m.ID)
			if err != nil {
				return nil, err
			}
			parts = append(parts, rec)
			note := fmt.Sprintf("agent %s (CPUs: %d): connections: %d, answered: %s of %s",
				m.Name, m.CPUs, rec.Header.Plan.Connections, units.Count(rec.Final.Counts.Answered),
				units.Count(rec.Final.Counts.Sent))
			notes = append(notes, note)
		}
		if m.Lost != "" {
			doubts = append(doubts, load.Doubt{Name: load.DoubtLost, Text: m.Lost, Fatal: !c.setup.Link.KeepGoing})
		}
	}
	if len(parts) == 0 {
		return nil, t.Why.Err()
	}
	notes = append(notes, fmt.Sprintf("the agents began %v apart, +-%v", t.Apart.Round(10*time.Microsecond),
		t.Uncertain.Round(10*time.Microsecond)))
	if t.Late > 0 {
		notes = append(notes,
			fmt.Sprintf("%d pieces of recordings came after their agents were lost, and are not part of the result",
				t.Late))
	}
	return loadtest.Combine(r, parts, doubts, notes)
}
