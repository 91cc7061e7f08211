package config

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/fail"
)

// Repository is what a repository holds that can be measured, at and below one of its directories.
type Repository struct {
	// Root is the repository, and Dir the searched directory as seen from there, slash-separated; "." is the root.
	Root, Dir string
	// Branch is the default branch; empty if it is not known.
	Branch string
	// Modules are those of the directory, in the order of their paths. The one around it is the first.
	Modules []Module
	// Workspace is the go.work in Dir, as seen from Root; empty without one, and if git ignores it.
	Workspace string
	// WorkspaceGo is its go line.
	WorkspaceGo string
	// File is the hone.yaml in Dir; nil if there is none that can be read.
	File *File
}

// Module is a module of a repository, as far as it lies in the searched directory.
type Module struct {
	// Dir is where its packages begin, and File its go.mod, both as seen from the root of the repository.
	Dir, File string
	// Go is the version of its go line; empty without one.
	Go string
	// Benchmarks is how many benchmark functions it has.
	Benchmarks int
	// Used says that the workspace uses it.
	Used bool
}

// Survey finds the modules and benchmarks at and below dir. As Discover, it reads files and executes nothing, neither
// go nor git. Errors are fail.BadInput without a repository or a module, fail.Environment if dir cannot be read.
func Survey(dir string) (*Repository, error) {
	given := dir
	dir, err := Resolve(given)
	if err != nil {
		return nil, fail.New(fail.Environment, "search %s: %w", given, err)
	}
	r := &Repository{Branch: DefaultBranch(dir).Name}
	if r.Root, r.Dir = repositoryOf(dir); r.Root == "" {
		return nil, fail.New(fail.BadInput, "there is no git repository around %s", dir).
			WithHint("git init makes one: a workflow compares a commit with the one before")
	}
	if err := r.search(dir); err != nil {
		return nil, fail.New(fail.Environment, "search %s for benchmarks: %w", dir, err)
	}
	if len(r.Modules) == 0 {
		return nil, fail.New(fail.BadInput, "there is no go.mod in %s or around it", dir).
			WithHint("go mod init NAME makes a module")
	}
	slices.SortFunc(r.Modules, func(a, b Module) int { return cmp.Compare(a.Dir, b.Dir) })
	r.workspace(dir)
	if file, err := Read(filepath.Join(dir, Name), Name); err == nil {
		r.File = file
	}
	return r, nil
}

// search walks through the directory, with its modules.
func (r *Repository) search(dir string) error {
	packages := map[string]int{} // benchmarks by directory
	modules := map[string]*Module{}
	if around := r.around(dir); around != "" {
		modules[dir] = r.module(dir, around)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == dir:
			return err
		case err != nil:
			return nil // what cannot be read is not ours
		case d.IsDir() && path != dir && (leftOut(d.Name()) || !utf8.ValidString(path)):
			return filepath.SkipDir
		case d.IsDir() && path != dir && exists(filepath.Join(path, "go.mod")):
			modules[path] = r.module(path, path)
			return nil
		case d.IsDir() || !d.Type().IsRegular() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		if files++; files > mostFiles {
			return filepath.SkipAll
		}
		if n := benchmarksIn(path); n > 0 {
			packages[filepath.Dir(path)] += n
		}
		return nil
	})
	for pkg, n := range packages {
		for at := pkg; ; at = filepath.Dir(at) {
			if m := modules[at]; m != nil {
				m.Benchmarks += n
				break
			}
			if at == dir {
				break // outside of modules
			}
		}
	}
	for _, m := range modules {
		r.Modules = append(r.Modules, *m)
	}
	return err
}

// around is the directory of the module that dir lies in, within the repository; empty if there is none.
func (r *Repository) around(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, "go.mod")) {
			return at
		}
		if at == r.Root {
			return ""
		}
	}
}

// module describes the module with its go.mod in home, whose packages below dir count.
func (r *Repository) module(dir, home string) *Module {
	file := filepath.Join(home, "go.mod")
	m := &Module{Dir: r.fromRoot(dir), File: r.fromRoot(file)}
	for _, line := range directives(readSome(file, 1<<20), "go") {
		m.Go = line
	}
	return m
}

func (r *Repository) fromRoot(path string) string {
	rel, err := filepath.Rel(r.Root, path)
	if err != nil {
		return "." // both are absolute
	}
	return filepath.ToSlash(rel)
}

// workspace reads the go.work in dir. One that git ignores is not there where a workflow runs.
func (r *Repository) workspace(dir string) {
	for line := range strings.Lines(readSome(filepath.Join(r.Root, ".gitignore"), 1<<20)) {
		if slices.Contains([]string{"go.work", "/go.work", "*.work", "go.work*"}, strings.TrimSpace(line)) {
			return
		}
	}
	file := filepath.Join(dir, "go.work")
	text := readSome(file, 1<<20)
	used := directives(text, "use")
	if len(used) == 0 {
		return
	}
	r.Workspace = r.fromRoot(file)
	for _, version := range directives(text, "go") {
		r.WorkspaceGo = version
	}
	for i := range r.Modules {
		m := &r.Modules[i]
		m.Used = slices.ContainsFunc(used, func(u string) bool { return path.Join(r.Dir, u) == m.Dir })
	}
}

// directives are the first words of the lines of a kind, in go.mod or go.work: of the line, or of a block in
// parentheses (Go Modules Reference, "Lexical elements").
func directives(text, kind string) (found []string) {
	within := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case within && words[0] == ")":
			within = false
			continue
		case within:
		case words[0] != kind || len(words) < 2:
			continue
		case words[1] == "(":
			within = true
			continue
		default:
			words = words[1:]
		}
		word := words[0]
		if text, err := strconv.Unquote(word); err == nil {
			word = text
		}
		found = append(found, word)
	}
	return found
}
