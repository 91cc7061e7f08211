package sources

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
)

// LackedBy says what the checkout of side A lacks of what side B, in the working tree, is built from: submodules, and
// what go.mod and go.work name outside of the repository. mine is the root of the working tree.
func LackedBy(ctx context.Context, a, b *Side, mine string) (lacks []string, err error) {
	if lacks, err = lackedSubmodules(ctx, a.Root, mine); err != nil {
		return nil, err
	}
	if work := goEnv(ctx, b, "GOWORK"); filepath.IsAbs(work) && !IsBelow(mine, work) {
		lacks = append(lacks,
			fmt.Sprintf("B is built with %s, which is outside of the repository, and the checkout without it", work))
	}
	for _, name := range []string{"GOMOD", "GOWORK"} {
		if file := goEnv(ctx, a, name); filepath.IsAbs(file) && IsBelow(a.Root, file) {
			lacks = append(lacks, leadsOut(ctx, a, file)...)
		}
	}
	return lacks, nil
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
func goEnv(ctx context.Context, s *Side, name string) string {
	out, err := GoCommand(ctx, s, func(why error) error { return why }, "env", name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// leadsOut says which directories a go.mod or go.work of a checkout names that are outside of
// it, by relative paths. A file that go cannot read has none: the build says why.
func leadsOut(ctx context.Context, s *Side, file string) (lacks []string) {
	kind := strings.TrimPrefix(filepath.Ext(file), ".") // mod or work
	out, err := GoCommand(ctx, s, func(why error) error { return why }, kind, "edit", "-json", file)
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
		if !filepath.IsAbs(path) && !IsBelow(s.Root, filepath.Join(filepath.Dir(file), path)) {
			name, _ := filepath.Rel(s.Root, file) // the file is below the root
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

// IsBelow says whether a path is a directory or in it.
func IsBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
