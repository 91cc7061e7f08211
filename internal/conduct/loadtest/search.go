package loadtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/search"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// How a search spends its time: the closed loop, the tries, the measurement at the end. What is left is for a second
// measurement where the first fails, and for the answers that are waited for after each.
const (
	ceilingShare = 0.1
	triesShare   = 0.6 // of all before, the closed loop included
	finalShare   = 0.25
	// tries is how many of them there are at most, if nothing takes longer than it should.
	tries = 24
	// leastTry is the least that one takes: enough for a p99 of 1,000 requests per second.
	leastTry = 100 * time.Millisecond
	// finals is how often a rate is measured at the end, each time a lower one.
	finals = 2
	// over is how far above the closed loop's rate rates are tried: it may have been disturbed, too.
	over = 1.25
	// lower is by how much a second measurement at the end is lower, at least.
	lower = 1.05
	// likely is the probability of the interval.
	likely = 0.9
	// mostDisturbed is how many tries in a row may say nothing before that counts as a rate that does not hold.
	mostDisturbed = 3
	// fewestAnswers of a try give a p99 (docs/load.md: 100 values), with some to spare.
	fewestAnswers = 110
)

// FindMax searches the highest rate at which the limits of r.FindMax hold, on one set of live connections, in
// r.Duration: the rate of a closed loop bounds it from above, then short tries narrow it down (search.Rates): one that
// the machine disturbed does not decide. At the end a rate that most likely holds is measured for longer, and that
// measurement is the outcome's recording.
//
// Errors are as for Run; of kind Regression if no rate holds the limits.
func (t *Tester) FindMax(soft, hard context.Context, r Task) (out *Result, err error) {
	one, err := t.open(soft, r)
	if err != nil {
		return nil, err
	}
	if err := CheckTargets(r.FindMax, load.TargetNames(one.target.Protocol)); err != nil {
		return nil, errors.Join(err, one.close())
	}
	one.kept = one.keep(r)
	defer func() {
		err = errors.Join(err, one.close())
		err = errors.Join(err, one.kept.end(out, err))
	}()
	if err := one.warm(soft, hard); err != nil {
		return nil, err
	}
	return t.Search(soft, r, Searching{
		Probe: func(s load.Schedule) (*recording.Recording, error) { return one.probe(soft, hard, s) },
		Measure: func(s load.Schedule) (*recording.Recording, error) {
			return one.measure(soft, hard, s, nil, nil)
		},
	})
}

// probe measures one stretch that is kept nowhere.
func (t *test) probe(soft, hard context.Context, s load.Schedule) (*recording.Recording, error) {
	j := &journal{rec: recording.New(recording.Header{Targets: load.TargetNames(t.target.Protocol),
		Setup: recording.Setup{Plan: t.task.Plan, Schedule: s}})}
	err := t.run(soft, hard, s, 0, func(got load.Slice) error {
		t.tick(s, got)
		return j.slice(got)
	})
	err = errors.Join(err, j.keep())
	j.rec.Final.Counts = j.tally.Counts
	return j.rec, err
}

// Searching is how a search measures a schedule: shortly, or as its result. A recording is nil only together with an error.
type Searching struct {
	Probe, Measure func(load.Schedule) (*recording.Recording, error)
	// Tries is how many rates are tried at most; 0: 24.
	Tries int
	// LoadOnly says that a try takes time for itself, which does not count in the time of the search.
	LoadOnly bool
}

// Search finds the highest rate at which the limits hold, see FindMax, by any way to measure. The outcome's recording
// is of the last measurement; it is kept nowhere.
func (t *Tester) Search(soft context.Context, r Task, by Searching) (*Result, error) {
	s := &searcher{
		Tester: t, Searching: by, task: r, soft: soft, began: time.Now(), answers: fewestAnswers,
		found: loadtests.Search{Limits: r.FindMax, Within: r.Duration},
	}
	if err := s.ceiling(); err != nil {
		return nil, err
	}
	if err := s.narrow(); err != nil {
		return nil, err
	}
	rec, err := s.confirm()
	if rec == nil {
		return nil, err
	}
	if err == nil {
		err = Verdict(rec)
	}
	s.found.Took = time.Since(s.began).Round(time.Millisecond)
	return &Result{Recording: rec, Search: &s.found}, err
}

// searcher is a search under way.
type searcher struct {
	*Tester
	Searching
	task    Task
	soft    context.Context
	began   time.Time
	loaded  time.Duration // the tries so far, without what each takes for itself
	rates   *search.Rates
	answers float64 // that a try needs to say something
	found   loadtests.Search
}

// spent is the time of the search so far.
func (s *searcher) spent() time.Duration {
	if s.LoadOnly {
		return s.loaded
	}
	return time.Since(s.began)
}

// part is a share of the time that the search was given.
func (s *searcher) part(share float64) time.Duration {
	return max(leastTry, time.Duration(share*float64(s.found.Within)))
}

// ceiling finds a rate that is too much, by a closed loop. What makes every rate invalid is said at once.
func (s *searcher) ceiling() error {
	length := s.part(ceilingShare)
	s.Progress.Phase("find the ceiling", length)
	s.loaded += length
	rec, err := s.Probe(load.ClosedLoop(length))
	if err := s.interrupted(err); err != nil {
		return err
	}
	tally := rec.Tally()
	doubts := load.Evidence{Plan: s.task.Plan, Tally: tally, Pace: true}.Judge()
	limitsErrors := slices.ContainsFunc(s.found.Limits,
		func(l limit.Threshold) bool { return l.Metric.Kind == limit.Errors })
	for _, d := range doubts {
		if tally.Answered == 0 || d.Fatal && slices.Contains(ofAnyRate, d.Name) && !limitsErrors {
			return fail.New(fail.Invalid, "measurement invalid: %s", d.Text).WithHint("%s", HintFor(d))
		}
	}
	if tally.AnsweredHz() == 0 {
		return fail.New(fail.Invalid, "measurement invalid: no right answer in %v",
			length).WithHint("look at one rate with --rate")
	}
	s.rates = search.NewRates(tally.AnsweredHz() * over)
	return nil
}

// ofAnyRate are the doubts that a lower rate does not mend.
var ofAnyRate = []string{load.DoubtNoAnswer, load.DoubtWrong, load.DoubtUnmatched, load.DoubtEndless, load.DoubtLive}

// narrow tries rates until the time for it is over: also where all agree, since the first tries may have misled.
func (s *searcher) narrow() error {
	disturbed, most := 0, cmp.Or(s.Tries, tries)
	for range most {
		rate := s.rates.Next()
		length := max(s.part((triesShare-ceilingShare)/float64(most)),
			time.Duration(s.answers/rate*float64(time.Second)))
		if s.spent()+length > s.part(triesShare) {
			return nil
		}
		p, err := s.try(rate, length)
		if err != nil {
			return err
		}
		if disturbed++; p.Disturbed && disturbed < mostDisturbed {
			continue
		}
		disturbed = 0
		s.rates.Observe(rate, p.Held)
	}
	return nil
}

// try tries a rate.
func (s *searcher) try(rate float64, length time.Duration) (loadtests.TriedRate, error) {
	s.Progress.Phase(fmt.Sprintf("try %.0f/s", rate), length)
	s.loaded += length
	rec, err := s.Probe(load.OpenLoop(rate, length))
	if err := s.interrupted(err); err != nil {
		return loadtests.TriedRate{}, err
	}
	p, doubt := s.assess(rec, rate)
	s.found.Probes = append(s.found.Probes, p)
	s.found.Generator = !p.Held && doubt != nil && slices.Contains(ofGenerator, doubt.Name)
	return p, nil
}

// ofGenerator are the doubts that say that the generator could not send as it should.
var ofGenerator = []string{load.DoubtLag, load.DoubtSaturated, load.DoubtPauses}

// assess says whether the limits held, and the measurement with them.
func (s *searcher) assess(rec *recording.Recording, rate float64) (loadtests.TriedRate, *load.Doubt) {
	tally := rec.Tally()
	p := loadtests.TriedRate{RateHz: rate, Held: true}
	p.AchievedHz = tally.AnsweredHz()
	l := recording.LatencyOf(tally.Latency())
	p.P50, p.P99, p.Count = l.P50, l.P99, l.Count
	for _, limit := range s.found.Limits {
		switch v, holds, err := measured(limit, rec.Header.Targets, tally); {
		case err != nil:
			p.Held, p.Why, p.Disturbed = false, err.Error(), true
			s.answers *= 2
		case !holds:
			p.Held, p.Why = false, "not "+limit.String()+": "+limit.Metric.Format(v)
		}
	}
	doubt := load.Invalid(doubtsOf(rec, tally, s.task))
	switch {
	case doubt == nil || p.Held && slices.Contains(late, doubt.Name):
		// Response time counts from the moment a request was due: a limit that holds although the generator was late,
		// holds.
	default:
		p.Disturbed = p.Disturbed || slices.Contains(late, doubt.Name)
		p.Held, p.Why = false, doubt.Text
	}
	return p, doubt
}

// late are the doubts that the machine is disturbed, at any rate.
var late = []string{load.DoubtLag, load.DoubtPauses}

// confirm measures a rate that holds most likely, and a lower one if it does not hold for longer.
func (s *searcher) confirm() (rec *recording.Recording, err error) {
	defer s.conclude()
	rate := s.rates.Quantile(0.25)
	for range finals {
		s.found.BestHz = rate
		rec, err = s.Measure(load.OpenLoop(rate, s.part(finalShare)))
		if rec == nil || err != nil || s.soft.Err() != nil {
			return rec, err
		}
		p, _ := s.assess(rec, rate)
		s.found.Probes = append(s.found.Probes, p)
		if s.rates.Observe(rate, p.Held); p.Held {
			return rec, nil
		}
		s.rates.Observe(rate, p.Held) // a longer measurement says more
		rate = min(s.rates.Quantile(0.1), rate/lower)
	}
	s.found.BestHz = 0
	low, high := s.rates.Interval(likely)
	return rec, fail.New(fail.Regression,
		"no rate was found at which %s holds for %v: shorter tries say that the highest is %s ... %s",
		words(s.found.Limits), s.part(finalShare), units.Rate(low), units.Rate(high)).
		WithHint("look at one of these with --rate, or give the search more time: -d %v", 4*s.found.Within)
}

// conclude completes what was found.
func (s *searcher) conclude() {
	s.found.LowHz, s.found.HighHz = s.rates.Interval(likely)
	if s.found.BestHz > 0 {
		s.found.LowHz = min(s.found.LowHz, s.found.BestHz)
	}
	for _, p := range s.found.Probes {
		high := !p.Held && !p.Disturbed && p.RateHz > max(s.found.BestHz, s.found.LowHz)
		if high && (s.found.WorstHz == 0 || p.RateHz < s.found.WorstHz) {
			s.found.WorstHz = p.RateHz
		}
	}
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
