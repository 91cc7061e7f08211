package bisect

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/prof/diff"
)

// complete adds to a step what explains it, after a look into the merge that it may be.
func (r *run) complete(ctx context.Context, l *line, s *commitsearch.Step) error {
	if err := r.inside(ctx, l.target, s); err != nil {
		return err
	}
	last := s.Commits[len(s.Commits)-1]
	s.Command = r.task.Measurer.Command(s.Before.Hash, last.Hash, l.target)
	if r.task.Module != "" { // there are no such commits after the search
		s.Command = "go get " + shellwords.Join([]string{strings.Replace(last.Subject, " ", "@", 1)})
	}
	named := func(function string) bool { return profilesName(s, function) }
	var err error
	if s.Hunks, s.More, err = hunks(ctx, r.task.Dir, s.Before, last, named); err != nil {
		return err
	}
	// of a go.mod that go cannot read none: the commit is still named
	s.Modules, _ = r.trees.modules(ctx, s.Before, last)
	return ctx.Err()
}

// profilesName says whether the profiles of a step name a function.
func profilesName(s *commitsearch.Step, function string) bool {
	var explained []*diff.Explanation
	if s.Benchmark != nil {
		explained = append(explained, s.Benchmark.Explained, s.Benchmark.ExplainedAllocs)
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
func (r *run) inside(ctx context.Context, t commitsearch.Target, s *commitsearch.Step) error {
	merge := s.Commits[0]
	if len(s.Commits) != 1 || len(merge.Parents) != 2 || r.task.FirstParent {
		return nil
	}
	base, err := git.Base(ctx, r.task.Dir, merge.Parents[0], merge.Parents[1])
	if err != nil {
		return err
	}
	commits, err := git.History(ctx, r.task.Dir, base, merge.Parents[1])
	if err != nil || len(commits) == 0 {
		return err
	}
	start, err := git.Describe(ctx, r.task.Dir, base)
	if err != nil {
		return err
	}
	tip := commits[len(commits)-1]
	r.task.Progress.Phase(fmt.Sprintf("bisect: compare the branch that %s merged with where it began", merge.Short()),
		0)
	got, err := r.task.Measurer.Compare(ctx, start, tip, Question{Target: &t})
	if err != nil {
		return err
	}
	v, has := got.of(t)
	log, sd, ok := observed(v)
	if !has || !ok || !v.Word.Different() || s.Verdict != nil && (v.Ratio > 1) != (s.Verdict.Ratio > 1) {
		return nil // the branch alone does not show it: the merge does
	}
	still, err := quiet(ctx, r.task.Dir, commits, r.dirs, r.task.Measurer.Matters)
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
	if err := l.recall(r.task.Log.Earlier); err != nil {
		return err
	}
	gaps, stopped, err := l.find(ctx)
	if err != nil || stopped != commitsearch.Found || len(gaps) == 0 {
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
