package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Prepare runs a command that has to come before the build, such as go generate, in
// dir, which should be the root of the package's module (ModuleRoot). env is the whole
// environment of the build, nil for hone's own. No shell is involved.
//
// Errors: fail.Subject with the last 20 lines of output and the command to repeat,
// fail.Environment if there is no such command. When ctx is done, all processes of the
// command's group are killed and the error is ctx's.
func Prepare(ctx context.Context, argv []string, dir string, env []string) error {
	if len(argv) == 0 {
		return nil
	}
	if env == nil {
		env = os.Environ()
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "PWD="+dir)
	// without a mark: what it leaves may be meant for the user's program
	text, err := lifetime.WithOutput(cmd, lifetime.RunBound)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("prepare %s: %w", shellwords.Quote(argv[0]), ctx.Err())
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return fail.New(fail.Environment, "prepare: there is no command %q", argv[0]).
			WithHint("install it, or correct prepare in hone.yaml; it is run in %s", dir)
	}
	return fail.New(fail.Subject, "prepare with %s: %w\n%s", shellwords.Join(argv), err, output.LastLines(text)).
		WithHint("run it alone: (cd %s && %s)", shellwords.Quote(dir), shellwords.Join(argv))
}

// PrepareSources runs before the builds of variants what each needs: its Prepare in the root of its module, with the
// environment of its build. One command for several variants of one directory runs once, with the environment and the
// toolchain of the first of them. A source at a git ref is checked out for that, and Build takes the variants of the
// result from there. So it is with a released version, also without a command. say, if not nil, hears of each command.
//
// Errors: those of source.Resolve and Prepare, and fail.BadInput for variants that need
// different commands in one directory: the last would decide what all are built from.
func PrepareSources(ctx context.Context, variants []Variant, o source.Options,
	say func(v Variant, dir string)) ([]Variant, error) {
	any := slices.ContainsFunc(variants, func(v Variant) bool { return v.Prepare != nil })
	variants = slices.Clone(variants)
	done := map[string]int{} // variants by the directory that was prepared for them
	for i := range variants {
		v := &variants[i]
		if !any && !source.IsRelease(v.Source) {
			continue
		}
		env := Env(*v)
		o.Env, o.Flags = env, v.BuildFlags
		s, err := source.Resolve(ctx, v.Source, o)
		if err != nil {
			return nil, fmt.Errorf("variant %s: %w", v.Name, err)
		}
		if s.Checkout != nil || s.Release != "" {
			v.prepared = s
		}
		dir := ModuleRoot(s.Dir)
		if first, known := done[dir]; known {
			if !slices.Equal(variants[first].Prepare, v.Prepare) {
				return nil, differentCommands(variants[first], *v, dir)
			}
			continue
		}
		done[dir] = i
		if say != nil && v.Prepare != nil {
			say(*v, dir)
		}
		if err := Prepare(ctx, v.Prepare, dir, env); err != nil {
			return nil, fmt.Errorf("variant %s: %w", v.Name, err)
		}
	}
	return variants, nil
}

// differentCommands refuses two variants of one directory that are prepared differently.
func differentCommands(a, b Variant, dir string) error {
	return fail.New(fail.BadInput, "variants %s and %s need different commands before their builds, both in %s", a.Name,
		b.Name, dir).
		WithHint("give both the same prepare, or take one of them from a git ref")
}

// ModuleRoot returns the nearest directory with a go.mod at or above dir, or dir itself
// where there is none.
func ModuleRoot(dir string) string {
	for at := dir; ; {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}
