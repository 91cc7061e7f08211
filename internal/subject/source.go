package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/git"
)

// Source is the main package of a variant, found on this machine.
type Source struct {
	// Dir holds the package's files; absolute.
	Dir string
	// WorkDir is where go runs, and Target what it is given: "." in Dir, or an import
	// path in the directory that the user works in, so that its module applies.
	WorkDir, Target string
	// Package and Module are import paths; Module is empty outside of modules.
	Package, Module string
	// Ref is the git ref the user named; empty for the files as they are.
	Ref string
	// Commit, Dirty and Notes are as in Binary.
	Commit string
	Dirty  bool
	Notes  []string

	importsProbe bool // the package has the probe by itself
	frozen       bool // in the module cache, where an overlay is not allowed
}

// SourceOptions say where sources are looked for.
type SourceOptions struct {
	// WorkDir is the directory that relative sources start from, and whose git
	// repository refs belong to; empty is the current directory.
	WorkDir string
	// Worktrees is where checkouts of refs are kept, each as REPOSITORY/COMMIT; empty
	// is hone/worktrees in the user's cache directory.
	Worktrees string
	// env and flags are those of the build: they decide which files belong to a package.
	env, flags []string
}

// ResolveSource finds the main package that the text names:
//
//   - a directory: ./cmd/server, /srv/app, or cmd/server if there is such a directory;
//   - ref:directory: HEAD~3:./cmd/server, v1.2:cmd/x, main:. - a directory of the
//     repository that WorkDir is in, from its root, as it was at that git ref;
//   - otherwise an import path, as the module of WorkDir sees it.
//
// A ref is checked out into hone's cache, and the repository does not know of it
// (git.Checkout). The checkout stays there, because reports show its source lines later; it
// is used again as long as it is clean, and removed when it was not used for two weeks.
// Replace directives and go.work files that point out of the repository do not hold in a
// checkout.
//
// Errors are fail.BadInput with a hint that lists what there is instead.
func ResolveSource(ctx context.Context, source string, o SourceOptions) (*Source, error) {
	workDir, err := filepath.Abs(o.WorkDir)
	if err != nil {
		return nil, fail.New(fail.Environment, "resolve source %q: %w", source, err)
	}
	o.WorkDir = workDir
	switch {
	case source == "":
		return nil, fail.New(fail.BadInput, "the source is empty").
			WithHint("name a directory (./cmd/server), an import path or a git ref and a directory (HEAD~1:cmd/server)")
	case isDirectoryName(source):
		return sourceInDir(ctx, filepath.Join(workDir, source), source, o)
	case filepath.IsAbs(source):
		return sourceInDir(ctx, source, source, o)
	case isDirectory(filepath.Join(workDir, source)):
		return sourceInDir(ctx, filepath.Join(workDir, source), source, o)
	}
	if ref, dir, found := strings.Cut(source, ":"); found {
		return sourceAtRef(ctx, ref, dir, o)
	}
	return sourceByImportPath(ctx, source, o)
}

// isDirectoryName says whether the text can only be a directory, as go reads it.
func isDirectoryName(source string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(source), "/")
	return first == "." || first == ".."
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func sourceInDir(ctx context.Context, dir, name string, o SourceOptions) (*Source, error) {
	if !isDirectory(dir) {
		what := "is not a directory"
		if _, err := os.Stat(dir); err != nil {
			what = "does not exist"
		}
		return nil, fail.New(fail.BadInput, "source %q: directory %s %s", name, dir, what).
			WithHint("%s", listHint("main packages here: ", mainPackages(ctx, o.WorkDir, o)))
	}
	s := &Source{WorkDir: dir, Target: "."}
	if err := s.list(ctx, name, o); err != nil {
		return nil, err
	}
	s.Commit, s.Dirty = git.CommitOf(ctx, s.Dir)
	return s, nil
}

func sourceByImportPath(ctx context.Context, path string, o SourceOptions) (*Source, error) {
	if strings.HasPrefix(path, "-") || strings.Contains(path, "...") || strings.Contains(path, "@") {
		return nil, fail.New(fail.BadInput, "source %q is no import path of one package", path).
			WithHint("%s", listHint("main packages here: ", mainPackages(ctx, o.WorkDir, o)))
	}
	s := &Source{WorkDir: o.WorkDir, Target: path}
	if err := s.list(ctx, path, o); err != nil {
		return nil, err
	}
	if !s.frozen {
		s.Commit, s.Dirty = git.CommitOf(ctx, s.Dir)
	}
	return s, nil
}

func sourceAtRef(ctx context.Context, ref, dir string, o SourceOptions) (*Source, error) {
	name := ref + ":" + dir
	clean := filepath.Clean("./" + dir)
	if !filepath.IsLocal(clean) || filepath.IsAbs(dir) {
		return nil, fail.New(fail.BadInput, "source %q: %q is not a directory within a repository", name, dir).
			WithHint("write the directory as it is called from the root of the repository: %s:cmd/server", ref)
	}
	root, commit, err := checkout(ctx, ref, filepath.ToSlash(clean), o)
	if err != nil {
		return nil, err
	}
	s := &Source{WorkDir: filepath.Join(root, clean), Target: ".", Ref: ref, Commit: commit}
	if err := s.list(ctx, name, o); err != nil {
		return nil, err
	}
	note, err := git.Unfiltered(ctx, o.WorkDir, root)
	if note != "" {
		s.Notes = []string{note}
	}
	return s, err
}

// listHint joins up to ten names behind a lead, and says how many more there are.
func listHint(lead string, names []string) string {
	const most = 10
	if len(names) == 0 {
		return lead + "none"
	}
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return lead + strings.Join(names, " ") + rest
}
