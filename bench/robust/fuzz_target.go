package robust

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// target is one fuzz target.
type target struct {
	// Module and Package are directories below the repository's root: where go is called,
	// and what with, such as "bench" and "./sidebyside".
	Module, Package, Name string
}

// String names it for people and in results.
func (t target) String() string {
	return strings.TrimPrefix(filepath.ToSlash(filepath.Join(t.Module, t.Package)), "./") + " " + t.Name
}

// modules are those with fuzz targets, by their directories: hone's, this one, and the extensions.
func modules(root string) (all []string, err error) {
	extensions, err := filepath.Glob(filepath.Join(root, "cmd", "hone-*", "go.mod"))
	for _, file := range extensions {
		all = append(all, "cmd/"+filepath.Base(filepath.Dir(file)))
	}
	return append([]string{".", "bench"}, all...), err
}

var fuzzFunction = regexp.MustCompile(`(?m)^func (Fuzz[A-Z0-9_][A-Za-z0-9_]*)\(`)

// findTargets lists all fuzz targets of the repository in root. make fuzz takes its list
// from here, too.
func findTargets(root string) ([]target, error) {
	dirs, err := modules(root)
	if err != nil {
		return nil, err
	}
	var all []target
	for _, m := range dirs {
		err := filepath.WalkDir(filepath.Join(root, m), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && foreign(root, m, path):
				return filepath.SkipDir
			case e.IsDir() || !strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, fault := os.ReadFile(path)
			dir, err := filepath.Rel(filepath.Join(root, m), filepath.Dir(path))
			for _, f := range fuzzFunction.FindAllSubmatch(text, -1) {
				all = append(all, target{m, "./" + filepath.ToSlash(dir), string(f[1])})
			}
			return errors.Join(fault, err)
		})
		if err != nil {
			return nil, fmt.Errorf("find fuzz targets: %w", err)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("find fuzz targets: none in %s", root)
	}
	return all, nil
}

// foreign says that a directory is not part of the module: another module, or not source.
func foreign(root, module, path string) bool {
	if path == filepath.Join(root, module) {
		return false
	}
	base := filepath.Base(path)
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return base == "testdata" || strings.HasPrefix(base, ".") || err == nil
}

// printTargets prints a line for each package: module, package, and the names of its targets.
func printTargets(w io.Writer, root string) error {
	all, err := findTargets(root)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, t := range all {
		names[t.Module+" "+t.Package] += " " + t.Name
	}
	for _, in := range slices.Sorted(maps.Keys(names)) {
		if _, err := fmt.Fprintln(w, in+names[in]); err != nil {
			return err
		}
	}
	return nil
}
