package loadtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// Search is a search for the highest rate that keeps some limits.
type Search struct {
	// Limits are what must hold.
	Limits []limit.Threshold `json:"limits"`
	// Probes are the rates that were tried, in that order.
	Probes []TriedRate `json:"probes"`
	// BestHz is the highest rate that held, in requests per second, and WorstHz the
	// lowest that did not; 0 where there was none.
	BestHz  float64 `json:"best_hz"`
	WorstHz float64 `json:"worst_hz"`
	// Generator says that the search ended at what the generator can do: the target may
	// be able to take more.
	Generator bool `json:"generator,omitempty"`
}

// TriedRate is one rate that was tried.
type TriedRate struct {
	RateHz     float64       `json:"rate_hz"`
	AchievedHz float64       `json:"achieved_hz"` // right answers per second
	P50        time.Duration `json:"p50_ns"`
	P99        time.Duration `json:"p99_ns"`
	Count      int64         `json:"count"` // of the answers that they rest on
	Held       bool          `json:"held"`
	// Why is what did not hold; empty if all did.
	Why string `json:"why,omitempty"`
}

const (
	// searchRatio is how close the best and the worst rate have to come.
	searchRatio = 1.05
	// searchDepth bounds the halvings: from the closed loop's rate to a thousandth.
	searchDepth = 20
	// confirmations is how many times the best rate may fail when it is held for longer,
	// each time 5 % lower, before the search gives up.
	confirmations = 5
	// probeShare is the part of the final measurement's length that a probe takes.
	probeShare = 4
	// minProbe is the least a probe takes: enough for a p99 of 200 requests per second.
	minProbe = 500 * time.Millisecond
)

// FindMax searches the highest rate at which the limits hold, on one set of live
// connections: the rate of a closed loop bounds it from above, then halving narrows it
// down. A rate that fails is tried again before that counts. The best rate is measured
// once more for length, and that measurement is the outcome's recording.
//
// Errors are as for Run; of kind Regression if no rate holds the limits.
func (t *Tester) FindMax(soft, hard context.Context, r Request, limits []limit.Threshold, length time.Duration) (out *Result, err error) {
	one, err := t.open(soft, r)
	if err != nil {
		return nil, err
	}
	if err := CheckTargets(limits, load.TargetNames(one.target.Protocol)); err != nil {
		return nil, errors.Join(err, one.close())
	}
	one.kept = one.keep(r, limits)
	defer func() {
		err = errors.Join(err, one.close())
		err = errors.Join(err, one.kept.end(out, err))
	}()
	if err := one.warm(soft, hard); err != nil {
		return nil, err
	}
	return t.Search(soft, r, limits, length, Searching{
		Probe: func(s load.Schedule) (*recording.Recording, error) { return one.probe(soft, hard, s) },
		Measure: func(s load.Schedule) (*recording.Recording, error) {
			return one.measure(soft, hard, s, nil, nil)
		},
	})
}

// probe measures one stretch that is kept nowhere.
func (t *test) probe(soft, hard context.Context, s load.Schedule) (*recording.Recording, error) {
	j := &journal{rec: recording.New(recording.Header{Targets: load.TargetNames(t.target.Protocol), Setup: recording.Setup{Plan: t.request.Plan, Schedule: s}})}
	err := t.run(soft, hard, s, 0, func(got load.Slice) error {
		t.tick(s, got)
		return j.slice(got)
	})
	err = errors.Join(err, j.keep())
	j.rec.Final.Counts = j.tally.Counts
	return j.rec, err
}

// Searching is how a search measures a schedule: shortly, or as its result. A recording is nil only beside an error.
type Searching struct {
	Probe, Measure func(load.Schedule) (*recording.Recording, error)
}

// Search finds the highest rate at which the limits hold, see FindMax, by any way to measure. The outcome's recording is of the
// last measurement; it is kept nowhere.
func (t *Tester) Search(soft context.Context, r Request, limits []limit.Threshold, length time.Duration, by Searching) (*Result, error) {
	s := &searcher{Tester: t, Searching: by, request: r, soft: soft, length: max(minProbe, length/probeShare), found: Search{Limits: limits}}
	if err := s.narrow(); err != nil {
		return nil, err
	}
	rec, err := s.confirm(length)
	if rec == nil {
		return nil, err
	}
	if err == nil {
		err = Verdict(rec)
	}
	return &Result{Recording: rec, Search: &s.found}, err
}

// searcher is a search under way.
type searcher struct {
	*Tester
	Searching
	request Request
	soft    context.Context
	length  time.Duration // of a probe
	found   Search
}

// narrow brackets the rate.
func (s *searcher) narrow() error {
	s.Progress.Phase("find the ceiling", s.length)
	rec, err := s.Probe(load.ClosedLoop(s.length))
	if err := s.interrupted(err); err != nil {
		return err
	}
	most := rec.Tally()
	if most.Answered == 0 {
		doubts := load.Evidence{Plan: s.request.Plan, Tally: most, Pace: true}.Judge()
		return fail.New(fail.Invalid, "measurement invalid: %s", doubts[0].Text).WithHint("%s", HintFor(doubts[0]))
	}
	high := most.AnsweredHz()
	for range searchDepth {
		rate := high / 2
		if s.found.BestHz > 0 {
			if high/s.found.BestHz <= searchRatio {
				return nil
			}
			rate = math.Sqrt(s.found.BestHz * high)
		}
		held, err := s.try(rate)
		if err != nil {
			return err
		}
		if held {
			s.found.BestHz = rate
		} else {
			s.found.WorstHz, high = rate, rate
		}
	}
	return nil
}

// try probes a rate, a second time if the first fails: a hiccup of the machine should
// not pass for the target's.
func (s *searcher) try(rate float64) (held bool, err error) {
	for range 2 {
		s.Progress.Phase(fmt.Sprintf("try %.0f/s", rate), s.length)
		rec, err := s.Probe(load.OpenLoop(rate, s.length))
		if err := s.interrupted(err); err != nil {
			return false, err
		}
		p, doubt := s.assess(rec, rate)
		s.found.Probes = append(s.found.Probes, p)
		s.found.Generator = doubt != nil && slices.Contains(ofGenerator, doubt.Name)
		if p.Held {
			return true, nil
		}
	}
	return false, nil
}

// ofGenerator are the doubts that say that the generator could not send as it should.
var ofGenerator = []string{load.DoubtLag, load.DoubtSaturated, load.DoubtPauses}

// assess says whether the limits held, and the measurement with them.
func (s *searcher) assess(rec *recording.Recording, rate float64) (TriedRate, *load.Doubt) {
	tally := rec.Tally()
	p := TriedRate{RateHz: rate, Held: true}
	p.AchievedHz = tally.AnsweredHz()
	l := recording.LatencyOf(tally.Latency())
	p.P50, p.P99, p.Count = l.P50, l.P99, l.Count
	for _, limit := range s.found.Limits {
		switch v, holds, err := measured(limit, rec.Header.Targets, tally); {
		case err != nil:
			p.Held, p.Why = false, err.Error()
		case !holds:
			p.Held, p.Why = false, "not "+limit.String()+": "+limit.Metric.Format(v)
		}
	}
	doubt := load.Invalid(doubtsOf(rec, tally, s.request))
	if doubt != nil {
		p.Held, p.Why = false, doubt.Text
	}
	return p, doubt
}

// confirm measures the best rate for length, and lower ones while it fails.
func (s *searcher) confirm(length time.Duration) (*recording.Recording, error) {
	var last *recording.Recording
	for range confirmations {
		if s.found.BestHz == 0 {
			break
		}
		rec, err := s.Measure(load.OpenLoop(s.found.BestHz, length))
		if rec == nil || err != nil || s.soft.Err() != nil {
			return rec, err
		}
		p, _ := s.assess(rec, s.found.BestHz)
		s.found.Probes = append(s.found.Probes, p)
		if p.Held {
			return rec, nil
		}
		last, s.found.WorstHz = rec, s.found.BestHz
		s.found.BestHz /= searchRatio
	}
	s.found.BestHz = 0
	return last, fail.New(fail.Regression, "no rate was found at which %s holds", words(s.found.Limits)).
		WithHint("look at one rate with --rate, or at the service time of a closed loop")
}

// interrupted turns the end of the user's patience into an error.
func (s *searcher) interrupted(err error) error {
	if s.soft.Err() != nil {
		return fail.New(fail.Interrupted, "interrupted while searching; %d rates had been tried", len(s.found.Probes))
	}
	return err
}

func words(limits []limit.Threshold) string {
	var all []string
	for _, l := range limits {
		all = append(all, l.String())
	}
	return strings.Join(all, " and ")
}
