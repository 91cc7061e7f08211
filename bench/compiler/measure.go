package compiler

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gohone/hone/bench/corpus"
)

// task is a pair or a commit to ask hone about.
type task struct {
	pair *pair
	noOp corpus.NoOp
}

// String is a task as progress shows it.
func (t task) String() string {
	if t.pair != nil {
		return t.pair.Name
	}
	return t.noOp.String()
}

// tasks are pairs, all or those with some names, and so many commits of libraries, as evenly as they come.
func tasks(pairs []*pair, only []string, noOps int) (all []task, err error) {
	for _, name := range only {
		if !slices.ContainsFunc(pairs, func(p *pair) bool { return p.Name == name }) {
			return nil, fmt.Errorf("-only: no pair %q in the corpus", name)
		}
	}
	for _, p := range pairs {
		if len(only) == 0 || slices.Contains(only, p.Name) {
			all = append(all, task{pair: p})
		}
	}
	commits, err := corpus.NoOps()
	if err != nil {
		return nil, err
	}
	commits = slices.DeleteFunc(commits, func(c corpus.NoOp) bool { return c.Benchmark == "" })
	noOps = min(noOps, len(commits))
	for i := range noOps {
		all = append(all, task{noOp: commits[i*len(commits)/noOps]})
	}
	return all, nil
}

// measure asks hone about a pair or a commit, and keeps also what went wrong.
func (c config) measure(ctx context.Context, t task) ([]record, error) {
	r, err := c.take(ctx, t)
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

// take asks hone about one of them.
func (c config) take(ctx context.Context, t task) (r record, err error) {
	dir, err := os.MkdirTemp(c.Dir, "compiler-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	if p := t.pair; p != nil {
		r.Pair, r.secret = p.Name, p.Closed && !c.closed
		if err := p.commit(ctx, dir); err != nil {
			return r, err
		}
		r.Answer, err = c.ask(ctx, dir, "HEAD^", ".")
		return r, err
	}
	r.NoOp = t.noOp.String()
	trees, err := c.clones.CheckOut(ctx, t.noOp.Commit, dir)
	if err != nil {
		return r, err
	}
	r.Answer, err = c.ask(ctx, t.noOp.WorkDir(trees[1]), t.noOp.Base(), t.noOp.Pattern())
	return r, err
}
