package optimise

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// take has an agent do a task, and judges what it changed.
func (c config) take(ctx context.Context, t trial) (r record, err error) {
	dir, err := os.MkdirTemp(c.Dir, "task-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	r = record{Agent: t.agent.name, Task: t.Name(), Kind: t.kind, Budget: c.budget}
	from := filepath.Join(dir, "agent")
	if err := t.forAgent(ctx, c.clones, from); err != nil {
		return r, err
	}
	began := time.Now()
	if r.GaveUp, err = c.work(ctx, t, dir, from); err != nil {
		return r, err
	}
	r.Worked = seconds(began)
	began = time.Now()
	err = c.judge(ctx, t.task, dir, from, &r)
	r.Judged = seconds(began)
	return r, err
}

func seconds(since time.Time) float64 { return time.Since(since).Round(time.Second).Seconds() }

// work has the agent change the files in from, and says why it gave up.
func (c config) work(ctx context.Context, t trial, dir, from string) (gaveUp string, err error) {
	text := filepath.Join(dir, "task.txt")
	if err := os.WriteFile(text, []byte(t.text(c.limit)), 0o600); err != nil {
		return "", fmt.Errorf("write the task: %w", err)
	}
	limited, cancel := context.WithTimeoutCause(ctx, c.limit, errors.New("its time was over"))
	defer cancel()
	if err := t.agent.work(limited, job{c, t.task, from, text}); err != nil && ctx.Err() == nil {
		gaveUp = err.Error()
	}
	return gaveUp, context.Cause(ctx)
}

// judge judges the files in from, and puts what came of it into r.
func (c config) judge(ctx context.Context, t task, dir, from string, r *record) error {
	base, reference, err := merged(ctx, c.clones, t.Commit, dir)
	if err != nil {
		return err
	}
	if r.patch, err = ofAgent(ctx, base, from); err != nil {
		return err
	}
	if len(r.text) == 0 {
		r.Outcome = nothing
		return nil
	}
	if r.Said, err = c.ask(ctx, t.Commit, base, r.text); err != nil {
		return err
	}
	switch {
	case r.Said.refused() != "" || r.Said.gain() <= 0:
	case bytes.Equal(r.text, reference.text):
		r.Reference = r.Said
	default:
		if r.Reference, err = c.ask(ctx, t.Commit, base, reference.text); err != nil {
			return err
		}
	}
	r.Outcome, r.Reason, r.Score = conclude(r.Said, r.Reference)
	return nil
}
