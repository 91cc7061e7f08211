package bisect

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/search"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/judge"
)

// expectedErr is the standard error that the next probe is going to have.
func (l *line) expectedErr() float64 {
	var errs []float64
	for _, o := range l.history.Observations[1:] {
		errs = append(errs, o.Err)
	}
	if len(errs) == 0 {
		return math.Abs(l.whole) / apart
	}
	slices.Sort(errs)
	return max(errs[len(errs)/2], math.Abs(l.whole)/100)
}

// Bounds of the time of a probe.
const (
	leastProbe = 6 * time.Second
	mostProbe  = 48 * time.Second
)

// budget is the time in which a probe tells both levels apart: by the comparison of the ends, whose error shrinks with
// the square root of its time.
func (l *line) budget() time.Duration {
	need := l.err / (math.Abs(l.whole) / apart)
	return min(mostProbe, max(leastProbe<<l.wider,
		time.Duration(float64(l.result.Whole.Took)*need*need).Round(time.Second)))
}

// apart is how many standard errors of a probe lie between both levels. Half of them is the distance to the limit.
const apart = 6

// cost is the time that a probe of a place is expected to take, in seconds: a build counts once.
func (l *line) cost(at int) float64 {
	probe, build := max(mean(l.probes, l.budget()), time.Second), mean(l.builds, 5*time.Second)
	if l.built[at] {
		return probe.Seconds()
	}
	return (probe + build).Seconds()
}

func mean(all []time.Duration, otherwise time.Duration) time.Duration {
	if len(all) == 0 {
		return otherwise
	}
	sum := time.Duration(0)
	for _, d := range all {
		sum += d
	}
	return sum / time.Duration(len(all))
}

// probe compares a place with place 0, and notes what that shows. A place that cannot be measured is skipped.
func (l *line) probe(ctx context.Context, c search.Curve, at int) error {
	good, commit, began := l.places[0].first(), l.places[at].first(), time.Now()
	got, err := l.ask(ctx, commit, math.Exp(l.limit(c, at))-1)
	if err != nil {
		return err
	}
	e := l.entry(got)
	e.Commit, e.From, e.Go = commit.Hash, good.Hash, got.Go[1]
	trial := commitsearch.Trial{Commit: commit, Took: time.Since(began), Go: e.Go, Same: e.Same, Skipped: e.Skipped}
	if v, has := got.of(l.target); has && e.Skipped == "" {
		trial.Ratio, trial.Low, trial.High = v.Ratio, v.Low, v.High
	}
	if e.Same == "" {
		l.probes = append(l.probes, trial.Took)
	} else {
		l.builds = append(l.builds, trial.Took)
	}
	l.built[at] = true
	l.result.Probes = append(l.result.Probes, trial)
	if err := l.take(at, e); err != nil {
		return err
	}
	return l.task.Log.add(e, l.gitWord(e), commit)
}

// entry is what a comparison with place 0 found out.
func (l *line) entry(got *Reply) Entry {
	v, _ := got.of(l.target)
	log, sd, ok := observed(v)
	switch {
	case got.Refused != "":
		return Entry{Skipped: got.Refused}
	case got.Same:
		return Entry{Same: sameAsGood}
	case got.SameAsBad:
		return Entry{Same: sameAsBad}
	case !ok:
		return Entry{Skipped: l.target.String() + " has no interval: too few starts fit into a probe"}
	}
	return Entry{Log: log, Err: math.Hypot(sd, drift(l.target.Measure))}
}

// gitWord is that of git bisect for an entry.
func (l *line) gitWord(e Entry) string {
	switch {
	case e.Skipped != "":
		return "skip"
	case e.Same != "":
		return e.Same
	case math.Abs(e.Log) < math.Abs(e.Log-l.whole):
		return sameAsGood
	}
	return sameAsBad
}

// ask compares a commit with place 0. Where the time of a probe is too short for an interval it is doubled, for all
// that follow.
func (l *line) ask(ctx context.Context, commit git.Commit, limit float64) (*Reply, error) {
	for {
		budget := l.budget()
		got, err := l.task.Measurer.Compare(ctx, l.places[0].first(), commit,
			Question{Target: &l.target, Probe: true, Limit: limit, Budget: budget})
		if err != nil || got.Refused != "" || got.Same || got.SameAsBad || budget >= mostProbe {
			return got, err
		}
		v, has := got.of(l.target)
		if _, _, ok := observed(v); ok || !has {
			return got, nil
		}
		l.wider++
	}
}

// limit is the level that a probe is to tell apart: the middle between the levels on both sides of the place, as far as
// they differ.
func (l *line) limit(c search.Curve, at int) float64 {
	for i, g := range c.Gaps {
		if g.From < at && at <= g.To && math.Abs(c.Level[i+1]-c.Level[i]) > math.Abs(l.whole)/4 {
			return (c.Level[i] + c.Level[i+1]) / 2
		}
	}
	return l.whole / 2
}

// drift is a standard error that no repetition within a comparison shows: of link orders and of the hour.
func drift(m judge.Measure) float64 {
	if m.Level == judge.Pooled {
		return 0.02
	}
	return 0.002
}
