package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// Side is a side with what it is built from.
type Side struct {
	benchmarks.Side

	Note  string   // on files of a checkout that are not as plain git would have them
	Root  string   // of a checkout; "" of any other directory
	Dir   string   // where go is run
	Env   []string // whole, of the build and the benchmarks
	Flags []string // of go list and go test -c
	// Replaced are files that each build of the side sees instead of others, by absolute path: those of the working tree
	// that a checkout lacks, and a planted slow-down.
	Replaced map[string]string
}

// Origin is where the sides come from.
type Origin struct {
	WorkDir string // B's; empty is the current directory
	Vs      string // A's: a git ref or a directory
	Temp    string // where a checkout is made, which the benchmarks may write into
	Options build.VariantOptions
}

// Find finds both sides.
func Find(ctx context.Context, from Origin) (both [2]*Side, err error) {
	work, err := filepath.Abs(from.WorkDir)
	if err != nil {
		return both, fail.New(fail.Environment, "find working directory: %w", err)
	}
	both[1] = &Side{Side: benchmarks.Side{Name: "B", Label: "working tree"}, Dir: work}
	both[1].Commit, both[1].Dirty = git.CommitOf(ctx, work)
	if both[0], err = sideA(ctx, work, from.Vs, from.Temp); err != nil {
		return both, err
	}
	variants, err := from.Options.Apply([]build.Variant{{Name: "A"}, {Name: "B"}}, nil)
	if err != nil {
		return both, err
	}
	for i, s := range both {
		v := variants[i]
		s.Toolchain, s.Flags, s.Env = v.Toolchain, v.BuildFlags, build.Env(v)
		if s.GoVersion, err = goVersion(ctx, s); err != nil {
			return both, fmt.Errorf("side %s: %w", s.Name, err)
		}
	}
	if a, b := both[0], both[1]; a.Commit != "" && a.Commit == b.Commit && !b.Dirty && a.Dir != b.Dir &&
		a.BuiltLike(b) {
		return both, fail.New(fail.BadInput, "%s is the commit of the working tree, and nothing was changed since",
			from.Vs).
			WithHint("name an older ref (--vs HEAD~1), or the directory itself to see what the machine's noise does (--vs ./)")
	}
	return both, nil
}

// BuiltLike says whether the sides differ in nothing but their source.
func (s *Side) BuiltLike(o *Side) bool {
	return s.GoVersion == o.GoVersion && slices.Equal(s.Env, o.Env) && slices.Equal(s.Flags, o.Flags)
}

// sideA takes the text for a directory if it can be nothing else, then for a git ref,
// then for a directory after all.
func sideA(ctx context.Context, work, vs, temp string) (*Side, error) {
	dir := vs
	if !filepath.IsAbs(vs) {
		dir = filepath.Join(work, vs)
	}
	first, _, _ := strings.Cut(filepath.ToSlash(vs), "/")
	if first == "." || first == ".." || filepath.IsAbs(vs) {
		if !isDirectory(dir) {
			return nil, fail.New(fail.BadInput, "--vs %s: there is no directory %s", vs, dir).
				WithHint("name a directory with the older source, or a git ref without ./ in front")
		}
		return directorySide(ctx, vs, dir), nil
	}
	commit, err := git.FindCommit(ctx, work, vs)
	switch {
	case err == nil:
		return checkoutSide(ctx, work, vs, commit, temp)
	case ctx.Err() == nil && isDirectory(dir):
		return directorySide(ctx, vs, dir), nil
	default:
		return nil, err
	}
}

func directorySide(ctx context.Context, label, dir string) *Side {
	s := &Side{Side: benchmarks.Side{Name: "A", Label: label}, Dir: dir}
	s.Commit, s.Dirty = git.CommitOf(ctx, dir)
	return s
}

// checkoutSide is the same directory of the repository as the working one, at the ref.
func checkoutSide(ctx context.Context, work, ref, commit, temp string) (*Side, error) {
	prefix, err := git.Below(ctx, work)
	if err != nil {
		return nil, fail.New(fail.BadInput, "find %s in its repository: %w", work, err)
	}
	root := filepath.Join(temp, "source")
	if err := git.Checkout(ctx, work, commit, root); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fail.New(fail.Or(fail.Environment, err), "check out %.12s: %w", commit, err)
	}
	note, err := git.Unfiltered(ctx, work, root)
	if err != nil {
		return nil, err
	}
	s := &Side{Side: benchmarks.Side{Name: "A", Label: ref, Commit: commit}, Note: note, Root: root,
		Dir: filepath.Join(root, filepath.FromSlash(prefix))}
	if !isDirectory(s.Dir) {
		return nil, fail.New(fail.BadInput, "there is no directory %q at git ref %s", prefix, ref).
			WithHint("run hone in a directory that both sides have, or name a directory with --vs")
	}
	return s, nil
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// goVersion asks go which toolchain it uses here; one that is not there, or cannot be
// downloaded, shows first.
func goVersion(ctx context.Context, s *Side) (string, error) {
	out, err := GoCommand(ctx, s, func(why error) error {
		return fail.New(fail.BadInput, "choose toolchain %s: %w", s.Toolchain, why).
			WithHint("name a release in full (go1.25.5); it is downloaded as a module, where GOPROXY allows it")
	}, "env", "GOVERSION")
	return strings.TrimSpace(out), err
}
