package optimise

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// file is one that differs between two trees.
type file struct {
	status string // as git diff --raw has it
	mode   string // after the change
	path   string // with slashes
}

const (
	added   = "A"
	deleted = "D"
)

// heldNames are files, besides tests and their data, that say how all is built.
var heldNames = []string{"go.mod", "go.sum", "go.work", "go.work.sum", "default.pgo", "hone.yaml", ".gitattributes"}

// held says that a file is the same on both sides of a comparison: those of tests, their data, and what says how all is
// built.
func (f file) held() bool {
	dirs := strings.Split(path.Dir(f.path), "/")
	return f.test() || slices.Contains(dirs, "testdata") || slices.Contains(dirs, "vendor") ||
		slices.Contains(heldNames, path.Base(f.path))
}

func (f file) test() bool { return strings.HasSuffix(f.path, "_test.go") }

// refused says why a change of the file is not judged; empty if it is.
func (f file) refused() string {
	switch {
	case f.status == added && f.test():
		return "" // it is left out
	case f.held():
		return fmt.Sprintf("it changes %s, which has to be the same on both sides", f.path)
	case f.status != deleted && !strings.HasPrefix(f.mode, "100"):
		return fmt.Sprintf("it makes %s a link", f.path)
	}
	return ""
}

// change is what an agent changed.
type change struct {
	Files []string `json:"files,omitempty"`
	// LeftOut are new tests.
	LeftOut []string `json:"left_out,omitempty"`
	// refused says why it is not judged.
	refused string
}

// take puts what differs in the agent's directory from the base on top of the base, as a commit of a tree of its own.
// The agent's repository is not read: it may hold anything.
func take(ctx context.Context, tree, base, from string) (c change, err error) {
	at := func(args ...string) error {
		_, err := corpus.Git(ctx, from, "", append([]string{"--git-dir", filepath.Join(tree, ".git"), "--work-tree",
			from, "-c", "core.autocrlf=false", "-c", "core.fileMode=false"}, args...)...)
		return err
	}
	if err := at("add", "--all", "."); err != nil {
		return c, err
	}
	files, err := differ(ctx, tree, "--cached", base)
	if err != nil {
		return c, err
	}
	for _, f := range files {
		if why := f.refused(); why != "" && c.refused == "" {
			c.refused = why
		}
		if f.status == added && f.test() {
			c.LeftOut = append(c.LeftOut, f.path)
			if _, err := corpus.Git(ctx, tree, "", "rm", "--quiet", "--cached", "--force", "--", f.path); err != nil {
				return c, err
			}
			continue
		}
		c.Files = append(c.Files, f.path)
	}
	if c.refused == "" {
		if c.refused, err = directive(ctx, tree, base); err != nil {
			return c, err
		}
	}
	for _, step := range [][]string{{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet",
		"--allow-empty", "--no-verify", "-m", "The change of the agent"}, {"reset", "--quiet", "--hard"}} {
		if _, err := corpus.Git(ctx, tree, "", step...); err != nil {
			return c, err
		}
	}
	return c, nil
}

// directives reach around what the language allows. A change that adds one may change the clock or the harness.
var directives = []string{"//go:linkname", `import "C"`}

// directive says which of them a change adds.
func directive(ctx context.Context, tree, base string) (refused string, err error) {
	text, err := corpus.Git(ctx, tree, "", "diff", "--cached", "--no-ext-diff", "--no-textconv", "-U0", base, "--",
		"*.go")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		for _, d := range directives {
			if line, ok := strings.CutPrefix(line, "+"); ok && strings.HasPrefix(strings.TrimSpace(line), d) {
				return fmt.Sprintf("it adds %s", strings.TrimSpace(line)), nil
			}
		}
	}
	return "", nil
}

// differ are the files that differ, by the words of git diff that name two trees.
func differ(ctx context.Context, dir string, trees ...string) (all []file, err error) {
	args := slices.Concat([]string{"diff", "--raw", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"},
		trees, []string{"--"})
	text, err := corpus.Git(ctx, dir, "", args...)
	if err != nil {
		return nil, err
	}
	words := bytes.Split(bytes.TrimSuffix(text, []byte{0}), []byte{0})
	for i := 0; i+1 < len(words); i += 2 {
		f := strings.Fields(string(words[i])) // ":100644 100644 OLD NEW M", git-diff(1), "Raw output format"
		if len(f) != 5 {
			return nil, fmt.Errorf("git diff --raw prints %q: want 5 words", words[i])
		}
		all = append(all, file{status: f[4], mode: f[1], path: string(words[i+1])})
	}
	return all, nil
}

// packages are the directories of the Go files that a change has, and the task's, relative to the root.
func (c change) packages(t task) []string {
	dirs := []string{path.Join(".", t.Dir)}
	for _, f := range c.Files {
		if d := path.Dir(f); strings.HasSuffix(f, ".go") && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}
