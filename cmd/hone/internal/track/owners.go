package track

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/spec/codeowners"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
)

// Owners finds the owners of a benchmark's package, or of a service, in the repository at root, by CODEOWNERS. What has
// no owners has none, and so has a repository whose file cannot be read.
func Owners(root string) func(chains.Key) []string {
	for _, place := range codeowners.Places {
		f, err := os.Open(filepath.Join(root, filepath.FromSlash(place)))
		if err != nil {
			continue
		}
		owners, err := codeowners.Read(f, place)
		f.Close()
		if err != nil {
			break
		}
		return func(k chains.Key) []string {
			pkg, _ := series.SplitName(k.Name)
			return owners.Of(packageDir(root, cmp.Or(pkg, k.Subject)))
		}
	}
	return func(chains.Key) []string { return nil }
}

// packageDir is the directory of a package in a repository, with slashes: the longest end of its path that is there.
func packageDir(root, pkg string) string {
	parts := strings.Split(pkg, "/")
	for i := range parts {
		dir := path.Join(parts[i:]...)
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir))); err == nil && info.IsDir() {
			return dir
		}
	}
	return "."
}
