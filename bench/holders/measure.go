package holders

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/bench/proc"
)

// costly are the programs whose large heaps show what hone costs: many small objects in a map, a list as long as they are many, and
// few large objects.
var costly = []string{"sessions", "chain", "blobs"}

// task is a program to ask hone about, at a size of its heap; 0 is its own, which is judged.
type task struct {
	*program
	bytes int64
}

// String is a task as progress shows it.
func (t task) String() string {
	if t.bytes == 0 {
		return t.Name
	}
	return fmt.Sprintf("%s of %g GB", t.Name, float64(t.bytes)/1e9)
}

// tasks are those of all programs or of some of them, or those of the large heaps if sizes has any.
func tasks(programs []*program, only []string, sizes []int64) (all []task, err error) {
	if len(sizes) > 0 && len(only) == 0 {
		only = costly
	}
	if len(sizes) == 0 {
		sizes = []int64{0}
	}
	for _, name := range only {
		if !slices.ContainsFunc(programs, func(p *program) bool { return p.Name == name }) {
			return nil, fmt.Errorf("-only: no program %q in the corpus", name)
		}
	}
	for _, bytes := range sizes {
		for _, p := range programs {
			if len(only) == 0 || slices.Contains(only, p.Name) {
				all = append(all, task{p, bytes})
			}
		}
	}
	return all, nil
}

// measure asks hone about a program, one of those that build here, and keeps also what went wrong.
func (c config) measure(ctx context.Context, t task, here []string) ([]record, error) {
	r := record{Program: t.Name, Bytes: t.bytes, secret: t.Closed && !c.closed && t.bytes == 0}
	if !slices.Contains(here, t.Name) {
		r.Skipped = "the go command leaves it out: it needs cgo"
		return []record{r}, nil
	}
	err := c.take(ctx, t, &r)
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

// take builds a program, has it dump its heap, and asks hone about the dump.
func (c config) take(ctx context.Context, t task, r *record) error {
	binary, file := filepath.Join(c.Dir, t.Name), filepath.Join(c.Dir, t.Name+".dump")
	defer func() { _ = errors.Join(os.Remove(binary), os.Remove(file)) }() // what is left goes with the directory
	if err := proc.BuildGo(ctx, corpusDir, binary, "./"+t.Name); err != nil {
		return err
	}
	f, err := dump(ctx, binary, file, t.bytes)
	if err != nil {
		return err
	}
	if err := f.check(t.Decoy); err != nil {
		return err
	}
	r.Figures = &f
	a, err := ask(ctx, c.Hone, file, binary)
	if err == nil {
		r.Answer = &a
	}
	return err
}
