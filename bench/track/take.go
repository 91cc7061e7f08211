package track

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/sys/machine"
)

// take carries out one trial.
func (c config) take(ctx context.Context, t trial) ([]record, error) {
	began := time.Now()
	r := record{Repo: t.repo, Commit: t.commit, Direct: t.direct != noBase, Base: t.direct, Only: t.only}
	var err error
	if r.Direct {
		r.Points, err = c.directly(ctx, t)
	} else {
		r.Points, err = c.tracked(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	r.Seconds = time.Since(began).Seconds()
	if !r.Direct {
		if r.Single, err = t.single(ctx, c.Dir); err != nil {
			return nil, err
		}
	}
	r.Load = machine.Describe().LoadAverage
	return []record{r}, nil
}

// tracked adds a commit to the series.
func (c config) tracked(ctx context.Context, t trial) ([]series.Point, error) {
	if err := t.checkOut(ctx, t.commit); err != nil {
		return nil, err
	}
	return c.track(ctx, t, filepath.Join(c.Dir, "series", filepath.Base(t.repo)), t.pattern(), c.budget)
}

// directly compares two commits: a series of these two alone.
func (c config) directly(ctx context.Context, t trial) (points []series.Point, err error) {
	store, err := os.MkdirTemp(c.Dir, "direct-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(store)
	pattern := t.pattern()
	if t.only != "" {
		pattern = t.patternOf(t.only)
	}
	for _, i := range []int{t.direct, t.commit} {
		if err := t.checkOut(ctx, i); err != nil {
			return nil, err
		}
		if points, err = c.track(ctx, t, store, pattern, c.long); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// track is hone track of what is checked out. Pages of comparisons are not kept.
func (c config) track(ctx context.Context, t trial, store, pattern string, budget time.Duration) ([]series.Point, error) {
	hone := c.Hone
	hone.Dir = t.dir
	var out series.Outcome
	args := []string{".", "--store", store, "--branch", branch, "--bench", pattern}
	if budget > 0 {
		args = append(args, "--budget", budget.String())
	}
	_, err := hone.Ask(ctx, &out, nil, "track --quiet", args...)
	if err != nil {
		return nil, err
	}
	if len(out.Points) == 0 {
		return nil, fmt.Errorf("hone track added no point: %v", out.Notes)
	}
	for i := range out.Points {
		out.Points[i].Report = ""
	}
	return out.Points, nil
}

// restore writes what the journal has of a library into the store that this session goes on with.
func (c config) restore(ctx context.Context, repo string, records []record) error {
	store := series.OpenDir(filepath.Join(c.Dir, "series", filepath.Base(repo)))
	return store.Append(ctx, pointsOf(records, repo), nil)
}

// single runs each benchmark once, as go test -bench does, and returns the seconds per operation by their names.
func (t trial) single(ctx context.Context, temp string) (map[string]float64, error) {
	binary, err := gotest.Build(ctx, filepath.Join(t.dir, t.subject.Dir), filepath.Join(temp, "single.test"))
	if err != nil {
		return nil, err
	}
	all, err := gotest.Side{Binary: binary, Pattern: t.pattern()}.RunAll(ctx, 1, time.Second)
	if err != nil {
		return nil, err
	}
	single := map[string]float64{}
	for name, seconds := range all {
		single[name] = seconds[0]
	}
	return single, nil
}
