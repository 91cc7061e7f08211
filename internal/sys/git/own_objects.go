package git

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// ownObjects is the directory of git objects in hone's cache: the commits that hone makes of patches, and the pull
// requests that it fetches. Every git that hone runs finds them besides those of the repository (alternates), so that
// such a commit is named as any other, and the user's repository has neither an object nor a ref more. It is "" where
// the user has no cache directory.
func ownObjects() string {
	cache, err := os.UserCacheDir()
	if err != nil || strings.Contains(cache, "\n") { // which no list of alternates can have
		return ""
	}
	return filepath.Join(cache, "hone", "objects")
}

// makeOwnObjects makes the directory, which may be there.
func makeOwnObjects() (string, error) {
	dir := ownObjects()
	if dir == "" {
		return "", fail.New(fail.Environment, "find the directory for commits of patches: no cache directory is known").
			WithHint("set HOME, or XDG_CACHE_HOME")
	}
	for _, sub := range []string{"info", "pack"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return "", fail.New(fail.Or(fail.Storage, err), "make the directory for commits of patches: %w", err)
		}
	}
	return dir, nil
}

// findOwn is the environment in which git finds hone's objects, too.
func findOwn() []string {
	dir := ownObjects()
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		return nil
	}
	return []string{alternates(dir)}
}

// alternates is the variable that names further directories of objects (git(1)).
func alternates(dirs ...string) string {
	var quoted []string
	for _, dir := range dirs {
		if strings.ContainsAny(dir, `:"`+"\n") {
			dir = strconv.Quote(dir)
		}
		quoted = append(quoted, dir)
	}
	return "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + strings.Join(quoted, ":")
}
