package gobench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// noteOutside notes what the checkout of a ref lacks, as it stands in a temporary directory:
// submodules, and what go.mod and go.work name outside of the repository.
func (m *measurement) noteOutside(ctx context.Context) error {
	a, b := m.sides[0], m.sides[1]
	if a.root == "" {
		return nil
	}
	mine := strings.TrimSuffix(b.dir, strings.TrimPrefix(a.dir, a.root)) // the root of the working tree
	lacks, err := lackedSubmodules(ctx, a.root, mine)
	if err != nil {
		return err
	}
	if work := goEnv(ctx, b, "GOWORK"); filepath.IsAbs(work) && !isBelow(mine, work) {
		lacks = append(lacks,
			fmt.Sprintf("B is built with %s, which is outside of the repository, and the checkout without it", work))
	}
	for _, name := range []string{"GOMOD", "GOWORK"} {
		if file := goEnv(ctx, a, name); filepath.IsAbs(file) && isBelow(a.root, file) {
			lacks = append(lacks, leadsOut(ctx, a, file)...)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	beside := mine + "-A"
	m.outside = fmt.Sprintf("make a worktree next to the repository and name it: git worktree add --detach %s %.12s && git -C %s submodule update --init, then --vs %s",
		beside, a.Commit, beside, beside)
	for _, text := range lacks {
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: "",
			Text: a.Label + ": " + text + "; " + m.outside})
	}
	return nil
}

// explainOutside gives an error of the checkout the next step, if the checkout lacks anything.
func (m *measurement) explainOutside(side int, err error) error {
	if side != 0 || m.outside == "" {
		return err
	}
	return fail.New(fail.KindOf(err), "%w", err).WithHint("the checkout lacks what is outside of it: %s", m.outside)
}

// lackedSubmodules are the submodules that have files in the working tree and none in the checkout.
func lackedSubmodules(ctx context.Context, checkout, mine string) (lacks []string, err error) {
	paths, err := git.Submodules(ctx, checkout)
	for _, path := range paths {
		if files, _ := os.ReadDir(filepath.Join(mine, filepath.FromSlash(path))); len(files) > 0 {
			lacks = append(lacks, fmt.Sprintf("the submodule %s is empty in the checkout", path))
		}
	}
	return lacks, err
}

// goEnv is a variable of go env on a side; "" if go does not say it.
func goEnv(ctx context.Context, s *builtSide, name string) string {
	out, err := goCommand(ctx, s, func(why error) error { return why }, "env", name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// leadsOut says which directories a go.mod or go.work of a checkout names that are outside of
// it, by relative paths. A file that go cannot read has none: the build says why.
func leadsOut(ctx context.Context, s *builtSide, file string) (lacks []string) {
	kind := strings.TrimPrefix(filepath.Ext(file), ".") // mod or work
	out, err := goCommand(ctx, s, func(why error) error { return why }, kind, "edit", "-json", file)
	var edit struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			New struct{ Path, Version string }
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &edit) != nil {
		return nil
	}
	var paths []string
	for _, use := range edit.Use {
		paths = append(paths, use.DiskPath)
	}
	for _, replace := range edit.Replace {
		if replace.New.Version == "" {
			paths = append(paths, replace.New.Path)
		}
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) && !isBelow(s.root, filepath.Join(filepath.Dir(file), path)) {
			name, _ := filepath.Rel(s.root, file) // the file is below the root
			lacks = append(lacks, fmt.Sprintf("%s:%d names %s, which is outside of the repository", name,
				lineOf(file, path), path))
		}
	}
	return lacks
}

// lineOf is the number of the first line of a file that has a path as a word; 0 if there is none.
func lineOf(file, path string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		for _, word := range strings.Fields(line) {
			if strings.Trim(word, `"`+"`") == path {
				return n
			}
		}
	}
	return 0
}

// isBelow says whether a path is a directory or in it.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
