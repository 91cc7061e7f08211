package main

import (
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// repository is a clone; it remembers the files that it has read, since commits share most of them.
type repository struct {
	dir   string
	files map[string]*file // by blob
}

func (r *repository) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return string(text), nil
}

// file reads a Go file by its blob.
func (r *repository) file(blob string) (*file, error) {
	if f, ok := r.files[blob]; ok {
		return f, nil
	}
	text, err := r.git("cat-file", "blob", blob)
	if err != nil {
		return nil, err
	}
	f, err := parseFile([]byte(text))
	if err != nil {
		return nil, err
	}
	r.files[blob] = f
	return f, nil
}

// tree is what a commit has of a program: the files of the packages of its module that are linked into it.
type tree struct {
	module string
	blobs  map[string]string // of all files, by path
	dirs   map[string]bool   // of the program's packages
	files  map[string]*file  // of these packages, by path
}

// tree reads a commit. With tests the test files of the package dir are part of the program.
func (r *repository) tree(commit, dir string, tests bool) (*tree, error) {
	listed, err := r.git("ls-tree", "-r", commit)
	if err != nil {
		return nil, err
	}
	t := &tree{blobs: map[string]string{}, dirs: map[string]bool{}, files: map[string]*file{}}
	for line := range strings.Lines(listed) {
		about, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if f := strings.Fields(about); f[1] == "blob" {
			t.blobs[name] = f[2]
		}
	}
	text, err := r.git("show", commit+":go.mod")
	if err != nil {
		return nil, fmt.Errorf("no module: %w", err)
	}
	t.module = modfile.ModulePath([]byte(text))
	return t, t.include(r, dir, tests)
}

// include adds a package and what it imports of the module.
func (t *tree) include(r *repository, dir string, tests bool) error {
	if t.dirs[dir] {
		return nil
	}
	t.dirs[dir] = true
	for name, blob := range t.blobs {
		if path.Dir(name) != dir || !strings.HasSuffix(name, ".go") || (!tests && strings.HasSuffix(name, "_test.go")) {
			continue
		}
		f, err := r.file(blob)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		t.files[name] = f
		for _, paths := range f.imports {
			for _, p := range paths {
				switch rest, ok := strings.CutPrefix(p, t.module); {
				case ok && (rest == "" || rest[0] == '/'):
					if err := t.include(r, path.Join(".", rest), false); err != nil {
						return err
					}
				case strings.Contains(strings.Split(p, "/")[0], "."):
					f.third = true
				}
			}
		}
	}
	return nil
}

// has says whether the program has a function of this name.
func (t *tree) has(function string) bool {
	for _, f := range t.files {
		if slices.ContainsFunc(f.decls, func(d declaration) bool { return d.key() == "."+function }) {
			return true
		}
	}
	return false
}

// reached are the declarations that the function root may run, by path and key. It goes by names alone, in all packages at once,
// and finds too many rather than too few: whatever has a name that is mentioned is reached, and of a type that is reached every
// method that is mentioned, or that an interface of the standard library has. Where other modules take part, every exported
// method is.
func (t *tree) reached(root string, known map[string]bool) map[string]bool {
	mentioned, done := map[string]bool{root: true}, map[string]bool{}
	third := false
	for _, f := range t.files {
		third = third || f.third
	}
	for again := true; again; {
		again = false
		for name, f := range t.files {
			for _, d := range f.decls {
				id := name + " " + d.key()
				if done[id] || !d.reached(mentioned, known, third) {
					continue
				}
				done[id], again = true, true
				for _, m := range d.mentions {
					mentioned[m] = true
				}
			}
		}
	}
	return done
}

func (d declaration) reached(mentioned, known map[string]bool, third bool) bool {
	if d.atStart {
		return true
	}
	if d.receiver == "" {
		return slices.ContainsFunc(d.names, func(n string) bool { return mentioned[n] })
	}
	name := d.names[0]
	return mentioned[d.receiver] && (mentioned[name] || known[name] || third && name[0] >= 'A' && name[0] <= 'Z')
}
