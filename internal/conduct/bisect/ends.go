package bisect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// ends finds both ends and the commits between them.
func (r *run) ends(ctx context.Context) (commits []git.Commit, err error) {
	dir, res := r.task.Dir, &commitsearch.Result{Schema: commitsearch.Schema, GoodRef: r.task.Good, BadRef: r.task.Bad,
		Module: r.task.Module, Notes: r.task.Notes}
	good, err := git.FindCommit(ctx, dir, r.task.Good)
	if err != nil {
		return nil, err
	}
	bad, err := git.FindCommit(ctx, dir, r.task.Bad)
	if err != nil {
		return nil, err
	}
	base, err := git.Base(ctx, dir, good, bad)
	if err != nil {
		return nil, err
	}
	switch {
	case good == bad:
		return nil, fail.New(fail.BadInput, "%s and %s are one commit: %.12s", r.task.Good, r.task.Bad,
			good).WithHint("name an older commit as the good one")
	case base == bad:
		return nil, fail.New(fail.BadInput, "%s is older than %s", r.task.Bad, r.task.Good).
			WithHint("name the older commit first: hone bisect %s %s", r.task.Bad, r.task.Good)
	case base != good:
		res.Notes = append(res.Notes,
			fmt.Sprintf("%s is not an ancestor of %s: the search begins at %.12s, the newest commit that both contain",
				r.task.Good, r.task.Bad, base))
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

// compareEnds compares the bad end with the good one, and chooses what to follow. Result.Stopped says where there is
// nothing.
func (r *run) compareEnds(ctx context.Context) error {
	for _, e := range r.task.Log.Earlier {
		if e.Whole != nil && e.Target != nil && e.Commit == r.result.Bad.Hash && e.From == r.result.Good.Hash {
			r.result.Target, r.result.Whole = e.Target, e.Whole
			return r.task.Log.add(e, "", r.result.Bad)
		}
	}
	r.task.Progress.Phase(fmt.Sprintf("bisect: compare %s with %s", r.result.BadRef, r.result.GoodRef), 0)
	began := time.Now()
	got, err := r.task.Measurer.Compare(ctx, r.result.Good, r.result.Bad, Question{})
	if err != nil {
		return err
	}
	if got.Refused != "" {
		return fail.New(fail.Subject, "%s cannot be compared with %s: %s", r.result.BadRef, r.result.GoodRef,
			got.Refused).
			WithHint("both ends have to be measurable: name another good commit; a benchmark that one of them lacks: --tests B")
	}
	if got.Note != "" {
		r.result.Notes = append(r.result.Notes, got.Note)
	}
	r.result.Whole = &commitsearch.Whole{Same: got.Same, Comparison: got.ID, Go: got.Go, Took: time.Since(began)}
	if got.Go[0] != got.Go[1] && got.Go[1] != "" {
		r.result.Notes = append(r.result.Notes,
			fmt.Sprintf("%s is built with %s, %s with %s: each commit with its own; --toolchain builds all with one",
				r.result.GoodRef, got.Go[0], r.result.BadRef, got.Go[1]))
	}
	if got.Same {
		r.result.Stopped = commitsearch.Nothing
		return nil
	}
	chosen, err := r.choose(got)
	if err != nil {
		return err
	}
	v := chosen.Verdict
	r.result.Whole.Verdict, r.result.Target = &v, &chosen.Target
	r.result.Whole.Others = others(got, chosen.Target)
	if v.Word.Different() {
		e := Entry{Commit: r.result.Bad.Hash, From: r.result.Good.Hash, Target: &chosen.Target, Whole: r.result.Whole}
		return r.task.Log.add(e, "", r.result.Bad)
	}
	r.result.Whole.Below = bounded(got, chosen.Target.Measure.Key)
	if r.result.Stopped = commitsearch.NotSure; v.Word == judge.Same || r.result.Whole.Below <= max(v.Delta, smallest) {
		r.result.Stopped = commitsearch.Nothing
	}
	return nil
}

// choose takes the target with the largest difference among those of the measure that was asked for, or else of all.
// Where nothing differs it is the first one that is in doubt, or the first.
func (r *run) choose(c *Reply) (best commitsearch.TargetVerdict, err error) {
	var all []commitsearch.TargetVerdict
	var keys []string
	for _, t := range c.Verdicts {
		if r.task.Measure == "" || t.Target.Measure.Key == r.task.Measure {
			all = append(all, t)
		}
		if !slices.Contains(keys, t.Target.Measure.Key) {
			keys = append(keys, t.Target.Measure.Key)
		}
	}
	if len(all) == 0 {
		return best, fail.New(fail.BadInput, "%s was not observed", cmp.Or(r.task.Measure, "no measure")).
			WithHint("these were: %s", strings.Join(keys, ", "))
	}
	best = all[0]
	size := func(t commitsearch.TargetVerdict) float64 {
		switch {
		case t.Verdict.Word.Different():
			return 2 + math.Abs(math.Log(t.Verdict.Ratio))
		case t.Verdict.Word != judge.Same && t.Target.Measure.Key == all[0].Target.Measure.Key:
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
		if largest := math.Abs(math.Log(best.Verdict.Ratio)); t.Verdict.Word.Different() &&
			math.Abs(math.Log(t.Verdict.Ratio)) >= nearly*largest {
			return t, nil
		}
	}
	return best, nil
}

// nearly is the part of the largest difference from which on a measure that comes first is followed instead: the
// deciding measure of a benchmark is always observed, its CPU time is not.
const nearly = 0.7

// others are the targets that differ besides the one that is followed, the largest difference first.
func others(c *Reply, followed commitsearch.Target) (all []commitsearch.TargetVerdict) {
	for _, t := range c.Verdicts {
		if t.Verdict.Word.Different() && t.Target != followed {
			all = append(all, t)
		}
	}
	size := func(t commitsearch.TargetVerdict) float64 { return math.Abs(math.Log(t.Verdict.Ratio)) }
	slices.SortStableFunc(all, func(a, b commitsearch.TargetVerdict) int { return cmp.Compare(size(b), size(a)) })
	return all
}

// smallest is the difference below which there is nothing to search for, as a fraction: the probes would take hours.
const smallest = 0.02

// bounded is what all differences of a measure are shown to be smaller than, as a fraction; 1 where one has no
// interval.
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
