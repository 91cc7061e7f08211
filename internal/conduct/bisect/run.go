package bisect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/search"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// run is one call of Run.
type run struct {
	request Request
	result  *Result
	trees   *trees
	dirs    []string // that the subject is built from; nil: not known
}

func (r *run) now() time.Time {
	if r.request.Now != nil {
		return r.request.Now()
	}
	return time.Now()
}

// Run searches. The result is not nil as soon as there is anything to show, with an error too.
//
// Errors: fail.BadInput for refs and packages, and where the ends cannot be measured; fail.Interrupted when ctx is done; those of the
// Measurer.
func Run(ctx context.Context, request Request) (result *Result, err error) {
	if err := request.Validate(); err != nil {
		return nil, err
	}
	request.Bad, request.Most = cmp.Or(request.Bad, "HEAD"), cmp.Or(request.Most, DefaultMost)
	r := &run{request: request}
	began := r.now()
	commits, err := r.ends(ctx)
	if err != nil {
		return nil, err
	}
	r.result.Started = began
	if r.trees, err = newTrees(ctx, request.Dir); err != nil {
		return nil, err
	}
	defer func() {
		r.result.Elapsed = r.now().Sub(began)
		err = errors.Join(err, r.trees.remove())
	}()
	err = r.all(ctx, commits)
	if ctx.Err() != nil {
		r.result.Stopped = Interrupted
		err = fail.New(fail.Interrupted, "interrupted after %s", units.Plural(len(r.result.Probes), "probe"))
	}
	return r.result, err
}

// ends finds both ends and the commits between them.
func (r *run) ends(ctx context.Context) (commits []git.Commit, err error) {
	dir, res := r.request.Dir, &Result{Schema: Schema, GoodRef: r.request.Good, BadRef: r.request.Bad, Module: r.request.Module, Notes: r.request.Notes}
	good, err := git.FindCommit(ctx, dir, r.request.Good)
	if err != nil {
		return nil, err
	}
	bad, err := git.FindCommit(ctx, dir, r.request.Bad)
	if err != nil {
		return nil, err
	}
	base, err := git.Base(ctx, dir, good, bad)
	if err != nil {
		return nil, err
	}
	switch {
	case good == bad:
		return nil, fail.New(fail.BadInput, "%s and %s are one commit: %.12s", r.request.Good, r.request.Bad, good).WithHint("name an older commit as the good one")
	case base == bad:
		return nil, fail.New(fail.BadInput, "%s is older than %s", r.request.Bad, r.request.Good).
			WithHint("name the older commit first: hone bisect %s %s", r.request.Bad, r.request.Good)
	case base != good:
		res.Notes = append(res.Notes, fmt.Sprintf("%s is not an ancestor of %s: the search begins at %.12s, the newest commit that both contain", r.request.Good, r.request.Bad, base))
	}
	if res.Good, err = git.Describe(ctx, dir, base); err != nil {
		return nil, err
	}
	if res.Bad, err = git.Describe(ctx, dir, bad); err != nil {
		return nil, err
	}
	if commits, err = git.History(ctx, dir, base, bad); err != nil {
		return nil, err
	}
	res.Commits = len(commits)
	r.result = res
	return commits, nil
}

// all is everything from the comparison of the ends to the steps.
func (r *run) all(ctx context.Context, commits []git.Commit) (err error) {
	if r.dirs, err = r.request.Measurer.Prepare(ctx, r.trees, r.result.Good, r.result.Bad); err != nil {
		return err
	}
	if err := r.request.Log.begin(r.result.Good, r.result.Bad); err != nil {
		return err
	}
	if err := r.compareEnds(ctx); err != nil || r.result.Stopped != "" {
		return err
	}
	still, err := quiet(ctx, r.request.Dir, commits, r.dirs, r.request.Measurer.Matters)
	if err != nil {
		return err
	}
	if !slices.Contains(still, false) { // the ends differ nevertheless
		clear(still)
	}
	for _, q := range still {
		if q {
			r.result.Quiet++
		}
	}
	log, sd, ok := observed(*r.result.Whole.Verdict)
	if !ok {
		log, sd = math.Log(r.result.Whole.Verdict.Ratio), 0
	}
	l, err := r.newLine(*r.result.Target, r.result.Good, commits, still, log, math.Hypot(sd, drift(r.result.Target.Measure)))
	if err != nil {
		return err
	}
	if err := l.recall(r.request.Log.Earlier); err != nil {
		return err
	}
	return r.steps(ctx, l)
}

// compareEnds compares the bad end with the good one, and chooses what to follow. Result.Stopped says where there is nothing.
func (r *run) compareEnds(ctx context.Context) error {
	for _, e := range r.request.Log.Earlier {
		if e.Whole != nil && e.Target != nil && e.Commit == r.result.Bad.Hash && e.From == r.result.Good.Hash {
			r.result.Target, r.result.Whole = e.Target, e.Whole
			return r.request.Log.add(e, "", r.result.Bad)
		}
	}
	r.request.Progress.Phase(fmt.Sprintf("bisect: compare %s with %s", r.result.BadRef, r.result.GoodRef), 0)
	began := r.now()
	got, err := r.request.Measurer.Compare(ctx, r.result.Good, r.result.Bad, Question{})
	if err != nil {
		return err
	}
	if got.Refused != "" {
		return fail.New(fail.Subject, "%s cannot be compared with %s: %s", r.result.BadRef, r.result.GoodRef, got.Refused).
			WithHint("both ends have to be measurable: name another good commit; a benchmark that one of them lacks: --tests B")
	}
	if got.Note != "" {
		r.result.Notes = append(r.result.Notes, got.Note)
	}
	r.result.Whole = &Whole{Same: got.Same, Comparison: got.ID, Go: got.Go, Took: r.now().Sub(began)}
	if got.Go[0] != got.Go[1] && got.Go[1] != "" {
		r.result.Notes = append(r.result.Notes, fmt.Sprintf("%s is built with %s, %s with %s: each commit with its own; --toolchain builds all with one", r.result.GoodRef, got.Go[0], r.result.BadRef, got.Go[1]))
	}
	if got.Same {
		r.result.Stopped = Nothing
		return nil
	}
	chosen, err := r.choose(got)
	if err != nil {
		return err
	}
	v := chosen.Verdict
	r.result.Whole.Verdict, r.result.Target = &v, &chosen.Target
	r.result.Whole.Others = others(got, chosen.Target)
	switch {
	case v.Word.Different():
		e := Entry{Commit: r.result.Bad.Hash, From: r.result.Good.Hash, Target: &chosen.Target, Whole: r.result.Whole}
		return r.request.Log.add(e, "", r.result.Bad)
	}
	r.result.Whole.Below = bounded(got, chosen.Target.Measure.Key)
	if r.result.Stopped = NotSure; v.Word == judge.Same || r.result.Whole.Below <= max(v.Delta, smallest) {
		r.result.Stopped = Nothing
	}
	return nil
}

// others are the targets that differ besides the one that is followed, the largest difference first.
func others(c *Reply, followed Target) (all []TargetVerdict) {
	for _, t := range c.Verdicts {
		if t.Verdict.Word.Different() && t.Target != followed {
			all = append(all, t)
		}
	}
	size := func(t TargetVerdict) float64 { return math.Abs(math.Log(t.Verdict.Ratio)) }
	slices.SortStableFunc(all, func(a, b TargetVerdict) int { return cmp.Compare(size(b), size(a)) })
	return all
}

// smallest is the difference below which there is nothing to search for, as a fraction: the probes would take hours.
const smallest = 0.02

// bounded is what all differences of a measure are shown to be smaller than, as a fraction; 1 where one has no interval.
func bounded(c *Reply, key string) (bound float64) {
	for _, t := range c.Verdicts {
		switch v := t.Verdict; {
		case t.Target.Measure.Key != key:
		case !v.Bounded():
			return 1
		default:
			bound = max(bound, v.High-1, 1-v.Low)
		}
	}
	return bound
}

// nearly is the part of the largest difference from which on a measure that comes first is followed instead: the deciding measure of a
// benchmark is always observed, its CPU time is not.
const nearly = 0.7

// choose takes the target with the largest difference among those of the measure that was asked for, or else of all. Where nothing
// differs it is the first one that is in doubt, or the first.
func (r *run) choose(c *Reply) (best TargetVerdict, err error) {
	var all []TargetVerdict
	var keys []string
	for _, t := range c.Verdicts {
		if r.request.Measure == "" || t.Target.Measure.Key == r.request.Measure {
			all = append(all, t)
		}
		if !slices.Contains(keys, t.Target.Measure.Key) {
			keys = append(keys, t.Target.Measure.Key)
		}
	}
	if len(all) == 0 {
		return best, fail.New(fail.BadInput, "%s was not observed", cmp.Or(r.request.Measure, "no measure")).
			WithHint("these were: %s", strings.Join(keys, ", "))
	}
	best = all[0]
	size := func(t TargetVerdict) float64 {
		switch {
		case t.Verdict.Word.Different():
			return 2 + math.Abs(math.Log(t.Verdict.Ratio))
		case t.Verdict.Word == judge.Undecided && t.Target.Measure.Key == all[0].Target.Measure.Key:
			return 1
		}
		return 0
	}
	for _, t := range all[1:] {
		if size(t) > size(best) {
			best = t
		}
	}
	for _, t := range all {
		if largest := math.Abs(math.Log(best.Verdict.Ratio)); t.Verdict.Word.Different() && math.Abs(math.Log(t.Verdict.Ratio)) >= nearly*largest {
			return t, nil
		}
	}
	return best, nil
}

// steps searches along a line, and confirms what it finds. What is not confirmed is no step, and the search goes on.
func (r *run) steps(ctx context.Context, l *line) error {
	defer func() { r.result.Curve = l.curve() }()
	for {
		gaps, stopped, err := l.find(ctx)
		if err != nil {
			return err
		}
		if stopped != Found || len(gaps) == 0 {
			r.result.Stopped = cmp.Or(stopped, Unconfirmed)
			return nil
		}
		var steps []Step
		again := false
		for _, g := range gaps {
			s, ok, err := r.confirm(ctx, l, g)
			if err != nil {
				return err
			}
			again = again || !ok
			steps = append(steps, s)
		}
		if again && len(r.result.Probes) < r.request.Most {
			continue
		}
		r.result.Steps, r.result.Stopped = steps, Found
		if again || !slices.ContainsFunc(steps, Step.Confirmed) {
			r.result.Stopped = Unconfirmed
		}
		for i := range r.result.Steps {
			if err := r.complete(ctx, l, &r.result.Steps[i]); err != nil {
				return err
			}
		}
		r.result.Rest = l.rest(r.result.Steps)
		return nil
	}
}

// confirm compares the last commit of a gap with the one before the first. It is not ok if that shows that there is no step of the
// expected size: the places are taken to be equal then.
func (r *run) confirm(ctx context.Context, l *line, g search.Gap) (s Step, ok bool, err error) {
	first, last := l.places[g.From+1], l.places[g.To]
	s = Step{Commits: l.commitsOf(g), Before: first.before, Probability: g.Step}
	if g.From == 0 && g.To == l.history.Last() && l.places[0].first().Hash == s.Before.Hash && last.first().Hash == r.result.Bad.Hash && l.places[0].first().Hash == r.result.Good.Hash {
		s.Verdict, s.Comparison = r.result.Whole.Verdict, r.result.Whole.Comparison // the ends are neighbours
		return s, true, nil
	}
	r.request.Progress.Phase(fmt.Sprintf("bisect: compare %s with the commit before", last.first().Short()), 0)
	got, err := r.request.Measurer.Compare(ctx, s.Before, last.first(), Question{Target: &l.target})
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

// refute takes note that a gap has no step. Where commits were taken to change nothing, one of them does; else the ends of the gap are
// equal.
func (l *line) refute(g search.Gap) error {
	if reopened, err := l.reopen(g); err != nil || reopened {
		return err
	}
	l.history.Equal = append(l.history.Equal, [2]int{g.From, g.To})
	return nil
}

// rest is what the steps leave of the whole difference, as a ratio.
func (l *line) rest(steps []Step) float64 {
	left := l.whole
	for _, s := range steps {
		if s.Verdict == nil || !(s.Verdict.Ratio > 0) {
			return 0
		}
		left -= math.Log(s.Verdict.Ratio)
	}
	return math.Exp(left)
}

// complete adds to a step what explains it, after a look into the merge that it may be.
func (r *run) complete(ctx context.Context, l *line, s *Step) error {
	if err := r.inside(ctx, l.target, s); err != nil {
		return err
	}
	last := s.Commits[len(s.Commits)-1]
	s.Command = r.request.Measurer.Command(s.Before.Hash, last.Hash, l.target)
	if r.request.Module != "" { // there are no such commits after the search
		s.Command = "go get " + strings.Replace(last.Subject, " ", "@", 1)
	}
	var err error
	if s.Hunks, s.More, err = hunks(ctx, r.request.Dir, s.Before, last, s.names); err != nil {
		return err
	}
	if s.Modules, err = r.trees.modules(ctx, s.Before, last); err != nil && ctx.Err() == nil {
		err = nil // a go.mod that go cannot read: the commit is still named
	}
	return err
}

// names says whether the profiles of a step name a function.
func (s *Step) names(file, function string) bool {
	var explained []*prof.Explanation
	if s.Benchmark != nil {
		explained = append(explained, s.Benchmark.Explained)
	}
	if s.Contest != nil {
		explained = append(explained, s.Contest.Why, s.Contest.WhyAllocs)
	}
	for _, e := range explained {
		for _, c := range e.Claims() {
			if strings.HasSuffix(c.Function, "."+function) {
				return true
			}
		}
	}
	return false
}

// inside goes on among the commits that a merge brought, if the step is a single merge.
func (r *run) inside(ctx context.Context, t Target, s *Step) error {
	merge := s.Commits[0]
	if len(s.Commits) != 1 || len(merge.Parents) != 2 || r.request.FirstParent {
		return nil
	}
	base, err := git.Base(ctx, r.request.Dir, merge.Parents[0], merge.Parents[1])
	if err != nil {
		return err
	}
	commits, err := git.History(ctx, r.request.Dir, base, merge.Parents[1])
	if err != nil || len(commits) == 0 {
		return err
	}
	start, err := git.Describe(ctx, r.request.Dir, base)
	if err != nil {
		return err
	}
	tip := commits[len(commits)-1]
	r.request.Progress.Phase(fmt.Sprintf("bisect: compare the branch that %s merged with where it began", merge.Short()), 0)
	got, err := r.request.Measurer.Compare(ctx, start, tip, Question{Target: &t})
	if err != nil {
		return err
	}
	v, has := got.of(t)
	log, sd, ok := observed(v)
	if !has || !ok || !v.Word.Different() || s.Verdict != nil && (v.Ratio > 1) != (s.Verdict.Ratio > 1) {
		return nil // the branch alone does not show it: the merge does
	}
	still, err := quiet(ctx, r.request.Dir, commits, r.dirs, r.request.Measurer.Matters)
	if err != nil {
		return err
	}
	if !slices.Contains(still, false) {
		return nil
	}
	l, err := r.newLine(t, start, commits, still, log, math.Hypot(sd, drift(t.Measure)))
	if err != nil {
		return err
	}
	if err := l.recall(r.request.Log.Earlier); err != nil {
		return err
	}
	gaps, stopped, err := l.find(ctx)
	if err != nil || stopped != Found || len(gaps) == 0 {
		return err
	}
	found, _, err := r.confirm(ctx, l, gaps[0])
	if err != nil || !found.Confirmed() {
		return err
	}
	found.Merged = &merge
	*s = found
	return nil
}

// curve is what is known of each place.
func (l *line) curve() (all []Point) {
	c := l.history.Curve()
	likely := c.Places()
	for at, p := range l.places {
		point := Point{Commit: p.first(), Commits: len(p.commits), Probability: likely[at], Skipped: l.skipped[at]}
		if i := slices.Index(c.Points, at); i >= 0 && point.Skipped == "" {
			width := 1.96 * c.Err[i]
			point.Ratio, point.Low, point.High = math.Exp(c.Level[i]), math.Exp(c.Level[i]-width), math.Exp(c.Level[i]+width)
		}
		all = append(all, point)
	}
	return all
}
