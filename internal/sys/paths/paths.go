package paths

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Uncleaned is a path as seen from dir with all its parts: to clean it would make the
// directory x of main:../x.
func Uncleaned(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return dir + string(filepath.Separator) + path
}

// Within returns a path as seen from dir.
func Within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func IsDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Named are the paths of the files in a directory whose names match a pattern of path.Match.
func Named(dir, pattern string) ([]string, error) {
	plain := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
	return filepath.Glob(filepath.Join(plain, pattern))
}

func Beneath(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}

// mostBeginning bounds what is read of a file, in bytes.
const mostBeginning = 1 << 20

// Beginning is the beginning of a regular file, up to mostBeginning; "" for any other.
func Beginning(file string) string {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // of a pipe: do not wait here for its writer
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(f, mostBeginning)) // a better hint is lost
	return string(text)
}
