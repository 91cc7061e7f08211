package bisect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/judge/search"
	"github.com/gohone/hone/internal/store/commitsearch"
)

// steps searches along a line, and confirms each step that it finds. If the confirmation refutes one, the search goes
// on.
func (r *run) steps(ctx context.Context, l *line) error {
	defer func() { r.result.Curve = l.curve() }()
	confirmed := map[string]commitsearch.Step{} // by the last commit
	for {
		gaps, stopped, err := l.find(ctx)
		if err != nil {
			return err
		}
		if stopped != commitsearch.Found || len(gaps) == 0 {
			r.result.Stopped = cmp.Or(stopped, commitsearch.Unconfirmed)
			return nil
		}
		steps, refuted, err := r.confirmAll(ctx, l, gaps, confirmed)
		if err != nil {
			return err
		}
		if refuted && len(r.result.Probes) < r.task.Most {
			continue
		}
		r.result.Steps, r.result.Stopped = steps, commitsearch.Found
		if refuted || !slices.ContainsFunc(steps, commitsearch.Step.Confirmed) {
			r.result.Stopped = commitsearch.Unconfirmed
		}
		r.result.Rest = l.rest(steps)
		for i := range steps {
			if err := r.complete(ctx, l, &steps[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// confirmAll confirms gaps, but for those that are confirmed already. refuted says that one of them has no step.
func (r *run) confirmAll(ctx context.Context, l *line, gaps []search.Gap,
	confirmed map[string]commitsearch.Step) (steps []commitsearch.Step, refuted bool, err error) {
	for _, g := range gaps {
		last := l.places[g.To].first().Hash
		s, ok := confirmed[last]
		if !ok {
			if s, ok, err = r.confirm(ctx, l, g); err != nil {
				return nil, false, err
			}
		}
		if s.Confirmed() {
			confirmed[last] = s
		}
		if refuted = refuted || !ok; refuted {
			return nil, true, nil // the places may be other ones now
		}
		steps = append(steps, s)
	}
	return steps, false, nil
}

// confirm compares the last commit of a gap with the commit before the first one. It is not ok if the comparison
// refutes the step: then the ends of the gap count as equal.
func (r *run) confirm(ctx context.Context, l *line, g search.Gap) (s commitsearch.Step, ok bool, err error) {
	first, last := l.places[g.From+1], l.places[g.To]
	s = commitsearch.Step{Commits: l.commitsOf(g), Before: first.before, Probability: g.Step}
	if g.From == 0 && g.To == l.history.Last() && l.places[0].first().Hash == s.Before.Hash &&
		last.first().Hash == r.result.Bad.Hash && l.places[0].first().Hash == r.result.Good.Hash {
		s.Verdict, s.Comparison = r.result.Whole.Verdict, r.result.Whole.Comparison // the ends are neighbours
		return s, true, nil
	}
	r.task.Progress.Phase(fmt.Sprintf("bisect: compare %s with the commit before", last.first().Short()), 0)
	got, err := r.task.Measurer.Compare(ctx, s.Before, last.first(), Question{Target: &l.target})
	if err != nil {
		return s, false, err
	}
	v, has := got.of(l.target)
	switch {
	case got.Refused != "":
		s.Refused = got.Refused // the step stays unconfirmed
		return s, true, nil
	case got.Same:
		return s, false, l.refute(g)
	case has:
		s.Verdict, s.Comparison, s.Benchmark, s.Contest = &v, got.ID, got.Benchmark, got.Contest
	default:
		s.Refused = l.target.Measure.Name + " was not observed"
	}
	// Half of the step that was expected is beyond the interval: it is not here.
	half := math.Abs(g.Size) / 2
	if has && v.Bounded() && !v.Word.Different() && math.Log(v.High) < half && math.Log(v.Low) > -half {
		return s, false, l.refute(g)
	}
	return s, true, nil
}

// refute takes note that a gap has no step. Where commits were taken to change nothing, one of them does; else the ends
// of the gap are equal.
func (l *line) refute(g search.Gap) error {
	if reopened, err := l.reopen(g); err != nil || reopened {
		return err
	}
	l.history.Equal = append(l.history.Equal, [2]int{g.From, g.To})
	return nil
}

// rest is what the steps leave of the whole difference, as a ratio.
func (l *line) rest(steps []commitsearch.Step) float64 {
	left := l.whole
	for _, s := range steps {
		if s.Verdict == nil || !(s.Verdict.Ratio > 0) {
			return 0
		}
		left -= math.Log(s.Verdict.Ratio)
	}
	return math.Exp(left)
}

// curve is what is known of each place.
func (l *line) curve() (all []commitsearch.Point) {
	c := l.history.Curve()
	likely := c.Places()
	for at, p := range l.places {
		point := commitsearch.Point{Commit: p.first(), Commits: len(p.commits), Probability: likely[at],
			Skipped: l.skipped[at]}
		if i := slices.Index(c.Points, at); i >= 0 && point.Skipped == "" {
			width := 1.96 * c.Err[i]
			point.Ratio, point.Low, point.High = math.Exp(c.Level[i]), math.Exp(c.Level[i]-width),
				math.Exp(c.Level[i]+width)
		}
		all = append(all, point)
	}
	return all
}
