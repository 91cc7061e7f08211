package sources

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Siblings are the Go files of a directory of the main module, as profiles name them: those of the commit that was
// built, or else of the work tree. It is empty for all other directories.
func (f *Finder) Siblings(dir string) (names []string) {
	dir = path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	rel, ok := f.inside(dir + "/x.go")
	if !ok {
		return nil
	}
	rel = path.Dir(rel)
	for _, name := range f.list(rel) {
		if path.Ext(name) == ".go" {
			names = append(names, dir+"/"+name)
		}
	}
	return names
}

// list are the names of the files in a directory of the module.
func (f *Finder) list(rel string) (names []string) {
	if f.program.Commit != "" && !f.program.Dirty {
		if files, err := f.commit(); err == nil {
			return files.in(rel)
		}
	}
	roots := []string{moduleRoot(f.here, f.program.Module)}
	if f.program.Own {
		roots = append([]string{f.program.ModuleDir}, roots...)
	}
	for _, root := range roots {
		if root == "" {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(rel)))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
		return names
	}
	return nil
}

// in are the names of the files in a directory of the module, which may itself be a directory of the repository: the
// one nearest to the root.
func (c *commitFiles) in(rel string) (names []string) {
	best := ""
	found := false
	for _, file := range c.names {
		dir := path.Dir(file)
		if (dir == rel || c.below == "" && (rel == "." || strings.HasSuffix(dir, "/"+rel))) &&
			(!found || len(dir) < len(best)) {
			best, found = dir, true
		}
	}
	for _, file := range c.names {
		if found && path.Dir(file) == best {
			names = append(names, path.Base(file))
		}
	}
	return names
}
