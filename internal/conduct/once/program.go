package once

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
)

// Locate returns the absolute path of the program that a word means, or nothing if it
// means a package: a regular file that may be executed is a program; a directory is a
// package, and so are Go files; a word without a slash that is neither is looked for in PATH, and is a package
// if it is not there. A file that may not be executed, and a path with nothing there, is
// fail.BadInput.
func Locate(dir, word string) (path string, err error) {
	if source.IsGoFile(strings.TrimSpace(word)) { // source, as for go run
		return "", nil
	}
	path = word
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, word)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsRune(word, filepath.Separator):
		if found, err := exec.LookPath(word); err == nil {
			return filepath.Abs(found)
		}
		return "", nil
	case errors.Is(err, fs.ErrNotExist) && isPath(word):
		return "", fail.New(fail.BadInput, "%s: there is neither a program nor a package of that name", word).
			WithHint("the path is taken from %s", dir)
	case err != nil || info.IsDir():
		return "", nil // what it is instead the build will say
	case !info.Mode().IsRegular():
		return "", fail.New(fail.BadInput, "%s is neither a program nor a package: it is not a regular file", word)
	case info.Mode().Perm()&0o111 == 0:
		e := fail.New(fail.BadInput, "%s is a file that may not be executed", word)
		return "", e.WithHint("compile it, if it is source; chmod +x %s, if it is a script or a program", word)
	}
	return path, nil
}

// isPath says whether a word can only be a path: it is not an import path, and no git ref.
func isPath(word string) bool {
	return filepath.IsAbs(word) || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../")
}
