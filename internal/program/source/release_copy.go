package source

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/text/fail"
)

// copy makes the copy of a module that it is built in, as the main module: go allows no overlay in the module cache,
// and hone adds the probe by one. A lock per module keeps two hones from making the same copy at once.
func (r *Release) copy(ctx context.Context, o Options) error {
	home, err := worktreeHome(o.Worktrees, "module "+r.Module)
	if err != nil {
		return fail.New(fail.Or(fail.Environment, err), "copy module %s: %w", r.Module, err)
	}
	unlock, err := filelock.Wait(ctx, filepath.Join(home, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	r.Root = filepath.Join(home, r.Version)
	if !r.isCopied() {
		err := os.RemoveAll(r.Root)
		if err == nil {
			err = os.CopyFS(r.Root, os.DirFS(r.frozen))
		}
		if err == nil { // of vendor there is only the list: modules hold no packages in it
			err = os.RemoveAll(filepath.Join(r.Root, "vendor"))
		}
		if err == nil {
			err = r.addGoMod()
		}
		if err != nil {
			return fail.New(fail.Or(fail.Storage, err), "copy module %s@%s: %w", r.Module, r.Version, err).
				WithHint("free some space in %s", home)
		}
	}
	now := time.Now()
	if err := os.Chtimes(r.Root, now, now); err != nil { // its last use
		return fail.New(fail.Or(fail.Storage, err), "copy module %s@%s: %w", r.Module, r.Version, err)
	}
	pruneCheckouts(home, now.Add(-checkoutAge))
	return r.complete(ctx, o)
}

// addGoMod gives a module from before modules the go.mod that the proxy has made for it.
func (r *Release) addGoMod() error {
	to := filepath.Join(r.Root, "go.mod")
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := os.ReadFile(r.goMod)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// isCopied says whether the copy has the files of the module, and no others. The go command may have completed go.mod
// and go.sum.
func (r *Release) isCopied() bool {
	names := map[string]bool{}
	list := func(root string, each func(name string) bool) bool {
		return fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case name == "vendor" || name == "go.mod" || name == "go.sum":
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case !d.IsDir() && !each(name):
				return fs.ErrInvalid
			}
			return nil
		}) == nil
	}
	if _, err := os.Lstat(filepath.Join(r.Root, "go.mod")); err != nil {
		return false
	}
	return list(r.frozen, func(name string) bool {
		names[name] = true
		a, errA := os.ReadFile(filepath.Join(r.frozen, name))
		b, errB := os.ReadFile(filepath.Join(r.Root, name))
		return errA == nil && errB == nil && bytes.Equal(a, b)
	}) && list(r.Root, func(name string) bool { return names[name] })
}

// complete has go add what go.mod and go.sum lack for the package, as go install does for a package at a version. Which
// modules there are is not changed by it where go.mod is complete. A fault of the package itself, its build says.
func (r *Release) complete(ctx context.Context, o Options) error {
	env := append(gocommand.Env(o.Env, r.Root), ReleaseEnv)
	args := []string{"list", "-mod=mod", "-buildvcs=false", "-e", "-deps", "-test", "-f", "{{with .Error}}{{.Err}}{{end}}",
		"--", "./" + r.Below()}
	faults, complaint, err := gocommand.Ask(ctx, env, r.Root, args...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if fault := r.replaced(ctx, env, string(faults)+complaint); fault != nil || err == nil {
		return fault
	}
	q := &question{word: r.Word(), path: r.Path, version: r.Version, env: env}
	return q.explain(ctx, &listedRelease{Path: r.Module, Version: r.Version}, complaint, err)
}
