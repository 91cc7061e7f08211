package sources

import (
	"cmp"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gohone/hone/prof/symbol"
)

// Guess finds a program for a profile of which only the names of its functions and their
// files are known: the module around dir, if functions are of its packages. root is the
// module's directory. Where the module was when the program was built is told by the files;
// nothing is read there, since a profile may say anything.
func Guess(dir string, functions map[string]string) (p Program, root string, ok bool) {
	root, module := moduleAround(dir)
	if root == "" {
		return p, "", false
	}
	votes := map[string]int{}
	for _, function := range slices.Sorted(maps.Keys(functions)) {
		file := path.Clean(strings.ReplaceAll(functions[function], `\`, "/"))
		if built, found := builtIn(root, module, symbol.PackagePath(function), file); found {
			votes[built]++
		}
	}
	if len(votes) == 0 {
		return p, "", false
	}
	best := slices.MaxFunc(slices.Sorted(maps.Keys(votes)),
		func(x, y string) int { return cmp.Compare(votes[x], votes[y]) })
	return Program{Module: module, ModuleDir: best}, root, true
}

// builtIn is the directory in which a module was whose package has that file; the module's
// path where names are as -trimpath writes them.
func builtIn(root, module, pkg, file string) (built string, ok bool) {
	rel, inside := strings.CutPrefix(pkg+"/", module+"/")
	switch {
	case inside:
		return strings.CutSuffix(path.Dir(file)+"/", "/"+rel)
	case pkg != "main" || !strings.HasSuffix(file, ".go"):
		return "", false
	}
	// Of package main the directory is not known: it is that of the longest end of the path
	// which the module has.
	parts := strings.Split(strings.TrimPrefix(file, "/"), "/")
	for i := range parts {
		end := path.Join(parts[i:]...)
		if !filepath.IsLocal(end) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(end))); err == nil && info.Mode().IsRegular() {
			return strings.TrimSuffix(strings.TrimSuffix(file, end), "/"), true
		}
	}
	return "", false
}

// moduleAround finds the go.mod at or above a directory, and the path of its module.
func moduleAround(dir string) (root, module string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", ""
	}
	for {
		if text, err := readOpen(os.OpenFile(filepath.Join(dir, "go.mod"), os.O_RDONLY|syscall.O_NONBLOCK,
			0)); err == nil {
			return dir, modulePath(text)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ""
		}
		dir = parent
	}
}
