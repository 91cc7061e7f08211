package robust

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// ensureTemplates makes the sound ledgers if there are none yet.
func (r *rig) ensureTemplates(ctx context.Context) ([]template, error) {
	if r.templates != nil {
		return r.templates, nil
	}
	p, err := r.ensureProject(ctx)
	if err != nil {
		return nil, err
	}
	closed := filepath.Join(r.dir, "template-closed")
	for _, v := range []int{0, 1, 2, 3, 2, 0} {
		d := r.run(ctx, victims[v].invocation(p, closed))
		if err := d.sound(acceptable...); err != nil {
			return nil, fmt.Errorf("make a ledger: %w", err)
		}
	}
	killed := filepath.Join(r.dir, "template-killed")
	if err := os.CopyFS(killed, os.DirFS(closed)); err != nil {
		return nil, fmt.Errorf("copy ledger: %w", err)
	}
	if err := r.killWhileRunning(ctx, p, killed); err != nil {
		return nil, err
	}
	all := []template{{name: "closed well", dir: closed}, {name: "left by a killed hone", dir: killed}}
	for i := range all {
		if all[i].holds, err = r.read(ctx, all[i].dir); err != nil {
			return nil, err
		}
	}
	r.templates = all
	return all, nil
}

// killWhileRunning leaves a run under way and what is in the log by then.
func (r *rig) killWhileRunning(ctx context.Context, p *project, ledger string) error {
	long := victims[1].invocation(p, ledger)
	long.args[slices.Index(long.args, "-d")+1] = "60s"
	hone, err := r.start(ctx, long)
	if err != nil {
		return err
	}
	defer func() {
		hone.kill()
		hone.wait(generous)
		afterwards(hone.tag, nil)
	}()
	return hone.await(ctx, "a run is under way", func() bool {
		d := r.run(ctx, command{args: []string{"history", "--status", "running", "--json", "--ledger", ledger}})
		return bytes.Contains(d.stdout, []byte(`"running"`))
	})
}
