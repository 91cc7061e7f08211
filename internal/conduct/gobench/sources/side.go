package sources

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// Side is a side with what it is built from.
type Side struct {
	benchmarks.Side

	Note  string   // on files of a checkout that are not as plain git would have them, and on a released version
	Root  string   // of a checkout; "" of any other directory
	Dir   string   // where go is run
	Env   []string // whole, of the build and the benchmarks
	Flags []string // of go list and go test -c
	// Patterns are the packages, as go list takes them in Dir.
	Patterns []string
	// Replaced are files that each build of the side sees instead of others, by absolute path: those of the working tree
	// that a checkout lacks, and a planted slow-down.
	Replaced map[string]string
}

// Origin is where the sides come from.
type Origin struct {
	WorkDir string // B's; empty is the current directory
	// Packages are B's, as go list takes them, or one word for those of a released version (source.IsRelease).
	Packages []string
	Vs       string // A's: a git ref, a directory, or a released version
	LabelB   string // what B is called; empty is the working tree
	Temp     string // where a checkout is made, which the benchmarks may write into
	Options  build.VariantOptions
}

// WorkingTree is the label of side B where it is the files as they are.
const WorkingTree = "working tree"

// Find finds both sides.
func Find(ctx context.Context, from Origin) (both [2]*Side, err error) {
	work, err := filepath.Abs(from.WorkDir)
	if err != nil {
		return both, fail.New(fail.Environment, "find working directory: %w", err)
	}
	variants, err := from.Options.Apply([]build.Variant{{Name: "A", Source: from.Vs}, {Name: "B",
		Source: strings.Join(from.Packages, " ")}}, nil)
	if err != nil {
		return both, err
	}
	if both[1], err = sideB(ctx, work, from, build.Env(variants[1])); err != nil {
		return both, err
	}
	if both[0], err = sideA(ctx, both[1].Dir, from, build.Env(variants[0])); err != nil {
		return both, err
	}
	both[0].Patterns = both[1].Patterns
	released := source.IsRelease(variants[0].Source) && source.IsRelease(variants[1].Source)
	for i, s := range both {
		v := variants[i]
		if !released { // else the environments differ, and with them the code that is compared
			v.Source = ""
		}
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

// sideB is the working tree, or a released version.
func sideB(ctx context.Context, work string, from Origin, env []string) (*Side, error) {
	if len(from.Packages) == 1 && source.IsRelease(from.Packages[0]) {
		return releasedSide(ctx, "B", from.Packages[0], ".", from.Temp, env)
	}
	s := &Side{Side: benchmarks.Side{Name: "B", Label: cmp.Or(from.LabelB, WorkingTree)}, Dir: work, Patterns: from.Packages}
	s.Commit, s.Dirty = git.CommitOf(ctx, work)
	return s, nil
}

// sideA takes the text for a directory if it can be nothing else, then for a released version, then for a git ref,
// then for a directory after all. work is B's directory.
func sideA(ctx context.Context, work string, from Origin, env []string) (*Side, error) {
	vs, temp := from.Vs, from.Temp
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
	if source.IsRelease(vs) && !isDirectory(dir) {
		below, err := filepath.Rel(build.ModuleRoot(work), work)
		if err != nil {
			return nil, err
		}
		if pkg, version, _ := strings.Cut(vs, "@"); !strings.Contains(pkg, "...") { // B says which packages
			vs = pkg + "/...@" + version
		}
		return releasedSide(ctx, "A", vs, below, temp, env)
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
		return nil, err
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

// releasedSide is a copy of a released module, in a directory below its root.
func releasedSide(ctx context.Context, name, word, below, temp string, env []string) (*Side, error) {
	r, err := source.FindRelease(ctx, word, source.Options{Env: env})
	if err != nil {
		return nil, fmt.Errorf("side %s: %w", name, err)
	}
	root := filepath.Join(temp, "released-"+name)
	if err := os.CopyFS(root, os.DirFS(r.Root)); err != nil {
		return nil, fail.New(fail.Or(fail.Storage, err), "copy module %s@%s: %w", r.Module, r.Version, err)
	}
	s := &Side{Side: benchmarks.Side{Name: name, Label: r.Module + "@" + r.Version}, Dir: filepath.Join(root, below),
		Patterns: []string{"./" + r.Below()}, Note: strings.Join(r.Notes, "; ")}
	if !isDirectory(s.Dir) {
		return nil, fail.New(fail.BadInput, "there is no directory %q in %s", below, s.Label).
			WithHint("run hone in a directory that both sides have")
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
