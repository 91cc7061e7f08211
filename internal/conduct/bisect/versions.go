package bisect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Versions is a history of the user's program with the versions of one module that it requires: a repository of hone's
// own, with a commit and a tag for each version, the oldest first. All else is as in the user's HEAD.
type Versions struct {
	// Dir is the user's directory in it.
	Dir string
	// Worktrees is a directory for checkouts of it, which goes with it.
	Worktrees string
	// Left are the versions that the program cannot be built with, each with the reason.
	Left []string

	temp *tempdir.Dir
}

// MakeVersions makes the history of a module from a version to another one, for the program in a directory of a
// repository. env is the environment of go. Versions come from the proxy, as go list -m -versions says.
//
// Errors: fail.BadInput for a module or versions that are not there.
func MakeVersions(ctx context.Context, dir string, env []string, module, good, bad string) (v *Versions, err error) {
	head, err := git.FindCommit(ctx, dir, "HEAD")
	if err != nil {
		return nil, err
	}
	below, err := git.Below(ctx, dir)
	if err != nil {
		return nil, err
	}
	v = &Versions{}
	if v.temp, err = tempdir.Make(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, v.Close())
		}
	}()
	tree := filepath.Join(v.temp.Path, "versions")
	if err := git.Checkout(ctx, dir, head, tree); err != nil {
		return v, err
	}
	v.Dir, v.Worktrees = filepath.Join(tree, filepath.FromSlash(below)), filepath.Join(v.temp.Path, "worktrees")
	versions, err := versionsOf(ctx, v.Dir, env, module, good, bad) // there, since go list may write go.sum
	if err != nil {
		return v, err
	}
	for _, one := range versions {
		if why := v.require(ctx, env, module, one.Version); why != nil {
			if ctx.Err() != nil || one.Version == good || one.Version == bad {
				return v, fail.New(fail.Or(fail.BadInput, why), "require %s %s: %w", module, one.Version, why)
			}
			v.Left = append(v.Left, fmt.Sprintf("%s was left out: %s", one.Version, firstLine(why.Error())))
			continue
		}
		if err := git.Record(ctx, tree, module+" "+one.Version, one.Version, one.Time); err != nil {
			return v, err
		}
	}
	return v, nil
}

// Close removes the history.
func (v *Versions) Close() error { return v.temp.Remove() }

// require makes the program require a version.
func (v *Versions) require(ctx context.Context, env []string, module, version string) error {
	if _, _, err := gocommand.Ask(ctx, env, v.Dir, "get", module+"@"+version); err != nil {
		return err
	}
	root, _, err := gocommand.Ask(ctx, env, v.Dir, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(firstLine(string(root)), "vendor", "modules.txt")); err != nil {
		return nil
	}
	_, _, err = gocommand.Ask(ctx, env, v.Dir, "mod", "vendor")
	return err
}

// moduleVersion is what go list says of a version.
type moduleVersion struct {
	Version  string
	Time     time.Time
	Versions []string
}

// versionsOf are the versions of a module from one to another, the oldest first.
func versionsOf(ctx context.Context, dir string, env []string, module, good, bad string) ([]moduleVersion, error) {
	const hint = "name two versions that the proxy has: go list -m -versions MODULE lists them"
	listed, err := listVersions(ctx, dir, env, "-versions", module)
	if err != nil {
		return nil, fail.New(fail.BadInput, "list the versions of module %s: %w", module, err).WithHint("%s", hint)
	}
	versions := listed[0].Versions
	from, to := slices.Index(versions, good), slices.Index(versions, bad)
	switch {
	case from < 0 || to < 0:
		missing := good
		if from >= 0 {
			missing = bad
		}
		return nil, fail.New(fail.BadInput, "module %s has no version %s", module, missing).WithHint("it has %s",
			strings.Join(versions, " "))
	case from >= to:
		return nil, fail.New(fail.BadInput, "version %s of %s is not newer than %s", bad, module,
			good).WithHint("name the older version first")
	}
	var args []string
	for _, version := range versions[from : to+1] {
		args = append(args, module+"@"+version)
	}
	all, err := listVersions(ctx, dir, env, args...)
	if err != nil {
		return nil, fail.New(fail.BadInput, "list the versions of module %s: %w", module, err).WithHint("%s", hint)
	}
	return all, nil
}

// listVersions asks go for versions of modules; without an error there is one at least.
func listVersions(ctx context.Context, dir string, env []string, args ...string) ([]moduleVersion, error) {
	out, _, err := gocommand.Ask(ctx, env, dir, append([]string{"list", "-m", "-mod=mod", "-json"}, args...)...)
	if err != nil {
		return nil, err
	}
	all, err := gocommand.Documents[moduleVersion](out)
	if err == nil && len(all) == 0 {
		err = errors.New("the go command lists none")
	}
	return all, err
}
