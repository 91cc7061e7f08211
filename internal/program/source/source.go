package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// Source is the main package of a variant, found on this machine.
type Source struct {
	// Dir holds the package's files; absolute.
	Dir string
	// WorkDir is where go runs, and Targets what it is given: "." or names of Go files in
	// Dir, or an import path in the directory that the user works in, so that its module
	// applies.
	WorkDir string
	Targets []string
	// Package and Module are import paths; Module is empty outside of modules. Package is
	// command-line-arguments for Go files, as go calls it.
	Package, Module string
	// Checkout is that of the git ref the user named; nil for the files as they are.
	Checkout *Checkout
	// Release is the version of the module that was released; empty for other sources.
	Release string
	// Commit, Dirty and Notes are as in Binary.
	Commit string
	Dirty  bool
	Notes  []string

	ImportsProbe bool // the package has the probe by itself
	Frozen       bool // in the module cache, where an overlay is not allowed
}

// Checkout is a checkout of a git ref in hone's cache. Programs are built in it, and run in
// a copy of it: see Place.
type Checkout struct {
	// Ref is the ref as the user named it.
	Ref string `json:"ref"`
	// Root is the root of the checkout, absolute. Below is the way from it to the directory
	// that the user works in, slash-separated; "." is the root.
	Root  string `json:"root"`
	Below string `json:"below"`
}

// Options say where sources are looked for.
type Options struct {
	// WorkDir is the directory that relative sources start from, and whose git
	// repository refs belong to; empty is the current directory.
	WorkDir string
	// Worktrees is where checkouts of refs are kept, each as REPOSITORY/COMMIT; empty
	// is hone/worktrees in the user's cache directory.
	Worktrees string
	// Env and flags are those of the build: they decide which files belong to a package.
	Env, Flags []string
}

// Resolve finds the main package that the text names:
//
//   - a directory: ./cmd/server, /srv/app, or cmd/server if there is such a directory;
//   - Go files of one directory, as for go run: main.go, or several with spaces between
//     them: ./main.go ./routes.go;
//   - ref:path: such a directory, or such files, as they were at that git ref of the
//     repository that WorkDir is in. As in git, HEAD~3:./server and HEAD~3:../lib begin in
//     WorkDir, and v1.2:cmd/server begins in the root of the repository; so does v1.2:
//     by itself, and main:. is WorkDir;
//   - path@version: a package of a released version (IsRelease), for which neither a module nor a repository is needed;
//   - otherwise an import path, as the module of WorkDir sees it.
//
// A ref is checked out into hone's cache, and the repository does not know of it
// (git.Checkout). The checkout stays there, because reports show its source lines later; it
// is used again as long as it is clean, and removed when it was not used for two weeks.
// Replace directives and go.work files that point out of the repository do not hold in a
// checkout.
//
// Errors are fail.BadInput with a hint that lists what there is instead.
func Resolve(ctx context.Context, source string, o Options) (*Source, error) {
	workDir, err := filepath.Abs(o.WorkDir)
	if err != nil {
		return nil, fail.New(fail.Environment, "resolve source %q: %w", source, err)
	}
	o.WorkDir = workDir
	if source == "" {
		return nil, fail.New(fail.BadInput, "the source is empty").
			WithHint("name a directory (./cmd/server), Go files (main.go), an import path or a git ref and a directory " +
				"(HEAD~1:cmd/server)")
	}
	if err := withoutSource(workDir, source); err != nil {
		return nil, err
	}
	if paths.IsDirectory(paths.Uncleaned(workDir, source)) {
		return sourceInDir(ctx, paths.Within(workDir, source), source, o)
	}
	if IsRelease(source) {
		return sourceReleased(ctx, source, o)
	}
	if files := goFiles(source, workDir); files != nil {
		if ref, first, found := strings.Cut(files[0], ":"); found {
			return sourceAtRef(ctx, refSource{ref: ref, files: append([]string{first}, files[1:]...), name: source}, o)
		}
		return sourceOfFiles(ctx, files, source, o)
	}
	if IsRelative(source) || filepath.IsAbs(source) {
		return sourceInDir(ctx, paths.Within(workDir, source), source, o)
	}
	if ref, dir, found := strings.Cut(source, ":"); found {
		return sourceAtRef(ctx, refSource{ref: ref, dir: dir, name: source}, o)
	}
	return sourceByImportPath(ctx, source, o)
}

func sourceInDir(ctx context.Context, dir, name string, o Options) (*Source, error) {
	if !paths.IsDirectory(dir) {
		what := "is not a directory"
		if _, err := os.Stat(dir); err != nil {
			what = "does not exist"
		}
		return nil, noProgram(ctx, name, o.WorkDir, o, "source %q: directory %s %s", name, dir, what)
	}
	return (&Source{WorkDir: dir, Targets: []string{"."}}).Find(ctx, name, o)
}

func sourceByImportPath(ctx context.Context, path string, o Options) (*Source, error) {
	if strings.HasPrefix(path, "-") || strings.Contains(path, "...") || strings.Contains(path, "@") {
		return nil, noProgram(ctx, path, o.WorkDir, o, "source %q is not the import path of one package", path)
	}
	return (&Source{WorkDir: o.WorkDir, Targets: []string{path}}).Find(ctx, path, o)
}

func sourceReleased(ctx context.Context, word string, o Options) (*Source, error) {
	if strings.Contains(word, "...") {
		return nil, fail.New(fail.BadInput, "source %q is a pattern for packages, and a program is one package", word).
			WithHint("hone bench compares the benchmarks of all packages of a pattern")
	}
	r, err := FindRelease(ctx, word, o)
	if err != nil {
		return nil, err
	}
	o.WorkDir = r.Root
	s := &Source{WorkDir: filepath.Join(r.Root, filepath.FromSlash(r.Below())), Targets: []string{"."},
		Release: r.Version, Notes: r.Notes}
	s, err = s.Find(ctx, word, o)
	if missing := (*NoProgram)(nil); errors.As(err, &missing) {
		missing.Mains = r.named(missing.Mains)
		missing.err = missing.err.WithHint("%s", fail.HintList("its main packages: ", missing.Mains))
		if len(missing.Mains) == 0 {
			missing.err = missing.err.WithHint("the module has no main package; hone bench %s@VERSION @VERSION compares "+
				"its benchmarks", r.Path)
		}
	}
	return s, err
}
