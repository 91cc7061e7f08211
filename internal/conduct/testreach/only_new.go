package testreach

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/program/reach"
)

// inOld are those of some patterns that side A may have: without directories in which it has no Go file.
func (m *measurement) inOld(patterns []string) []string {
	return slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool {
		isDir := pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../")
		if !isDir || strings.Contains(pattern, "...") {
			return false
		}
		entries, err := os.ReadDir(filepath.Join(m.sides[0].Dir, filepath.FromSlash(pattern)))
		isGo := func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" }
		return os.IsNotExist(err) || err == nil && !slices.ContainsFunc(entries, isGo)
	})
}

// allNew is the answer for packages that only side B has: nothing is compared.
func (m *measurement) allNew(ctx context.Context, patterns []string) error {
	listed, err := sources.List(ctx, m.sides[1], patterns)
	if err != nil {
		return err
	}
	m.found.Table = &reach.Table{}
	for _, p := range listed {
		m.found.Packages = append(m.found.Packages, p.ImportPath)
		m.found.Table.Hidden = append(m.found.Table.Hidden, onlyInB(p.ImportPath))
	}
	return nil
}

// onlyInB is the line about a package that A does not have.
func onlyInB(path string) string { return path + ", which only side B has" }

// comparison is the command that compares a program under load.
func (m *measurement) comparison(pkg string) string {
	old := cmp.Or(m.task.Vs, "HEAD") + ":" + pkg
	if info, err := os.Stat(filepath.Join(m.task.WorkDir, m.task.Vs)); m.task.Vs != "" && err == nil && info.IsDir() {
		old = filepath.Join(m.task.Vs, pkg)
	}
	return "hone compare " + old + " " + pkg
}
