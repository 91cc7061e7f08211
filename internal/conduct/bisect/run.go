package bisect

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// run is one call of Run.
type run struct {
	task   Task
	result *commitsearch.Result
	trees  *trees
	dirs   []string // that the subject is built from; nil: not known
}

// Run searches. The result is not nil as soon as there is anything to show, with an error too.
//
// Errors: fail.BadInput for refs and packages, and where the ends cannot be measured; fail.Interrupted when ctx is
// done; those of the Measurer.
func Run(ctx context.Context, task Task) (result *commitsearch.Result, err error) {
	if err := task.Validate(); err != nil {
		return nil, err
	}
	task.Bad, task.Most = cmp.Or(task.Bad, "HEAD"), cmp.Or(task.Most, DefaultMost)
	r := &run{task: task}
	began := time.Now()
	commits, err := r.ends(ctx)
	if err != nil {
		return nil, err
	}
	r.result.Started = began
	if r.trees, err = newTrees(ctx, task.Dir); err != nil {
		return nil, err
	}
	defer func() {
		r.result.Elapsed = time.Since(began)
		err = errors.Join(err, r.trees.remove())
	}()
	err = r.all(ctx, commits)
	if ctx.Err() != nil {
		r.result.Stopped = commitsearch.Interrupted
		err = fail.New(fail.Interrupted, "interrupted after %s", units.Plural(len(r.result.Probes), "probe"))
	}
	return r.result, err
}

// all is everything from the comparison of the ends to the steps.
func (r *run) all(ctx context.Context, commits []git.Commit) (err error) {
	if r.dirs, err = r.task.Measurer.Prepare(ctx, r.trees, r.result.Good, r.result.Bad); err != nil {
		return err
	}
	if err := r.task.Log.begin(r.result.Good, r.result.Bad); err != nil {
		return err
	}
	if err := r.compareEnds(ctx); err != nil || r.result.Stopped != "" {
		return err
	}
	still, err := quiet(ctx, r.task.Dir, commits, r.dirs, r.task.Measurer.Matters)
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
	log, sd, _ := observed(*r.result.Whole.Verdict) // a difference has an interval
	l, err := r.newLine(*r.result.Target, r.result.Good, commits, still, log,
		math.Hypot(sd, drift(r.result.Target.Measure)))
	if err != nil {
		return err
	}
	if err := l.recall(r.task.Log.Earlier); err != nil {
		return err
	}
	return r.steps(ctx, l)
}
