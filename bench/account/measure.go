package account

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// named are the programs with these names; all without any.
func named(programs []*program, only []string) (some []*program, err error) {
	for _, name := range only {
		i := slices.IndexFunc(programs, func(p *program) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only: no program %q in the corpus", name)
		}
		some = append(some, programs[i])
	}
	if len(only) == 0 {
		some = programs
	}
	return some, nil
}

// measure asks hone about a program, and keeps also what went wrong.
func (c config) measure(ctx context.Context, p *program) ([]record, error) {
	r := record{Program: p.Name, secret: p.Closed && !c.closed, Skipped: p.lacks(c.Dir)}
	if r.Skipped != "" {
		return []record{r}, nil
	}
	err := c.take(ctx, p, &r)
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

// take builds a program, and asks hone about it while it stays. What hone does not answer is a result, too.
func (c config) take(ctx context.Context, p *program, r *record) error {
	binary := filepath.Join(c.Dir, p.Name)
	defer os.Remove(binary) // what is left goes with the directory
	if err := p.build(ctx, binary); err != nil {
		return err
	}
	var failed error
	t, err := p.observe(ctx, binary, func(pid int) error {
		r.Answer, failed = ask(ctx, c.Hone, pid)
		return nil
	})
	if err == nil {
		err = p.check(t)
	}
	if err != nil {
		r.Answer = nil
		return err
	}
	r.Truth = &t
	return failed
}
