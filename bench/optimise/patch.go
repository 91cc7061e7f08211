package optimise

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/program/touches"
)

// patch is a change as hone bench --patch takes it.
type patch struct {
	Files []string `json:"files,omitempty"`
	// LeftOut are files that the change has and the patch has not: those that are held equal on both sides.
	LeftOut []string `json:"left_out,omitempty"`
	text    []byte   // as git diff writes it
}

// allowed is what a patch may touch besides code: what merged commits touch to be fast.
var allowed = []touches.Kind{touches.Unsafe, touches.Assembly, touches.BuildTags}

// allow are the words for hone.
func allow() string {
	words := make([]string, len(allowed))
	for i, kind := range allowed {
		words[i] = string(kind)
	}
	return strings.Join(words, ",")
}

// ofCommit is the patch of the commit that is checked out in tree. What it touches besides code is left out: the tests
// and the data of the base are those of both sides.
func ofCommit(ctx context.Context, tree, base string) (p patch, err error) {
	change, err := touches.Between(ctx, tree, base, "HEAD")
	if err != nil {
		return p, err
	}
	for _, t := range change.Refused(allowed) {
		if !slices.Contains(p.LeftOut, t.File) {
			p.LeftOut = append(p.LeftOut, t.File)
		}
	}
	return p, p.read(ctx, tree, base, "HEAD")
}

// ofAgent is the patch by which the directory of an agent differs from the base, which is checked out in tree. New
// tests are left out. The agent's repository is not read: it may hold anything.
func ofAgent(ctx context.Context, tree, from string) (p patch, err error) {
	if _, err := corpus.Git(ctx, from, "", "--git-dir", filepath.Join(tree, ".git"), "--work-tree", from, "-c",
		"core.autocrlf=false", "-c", "core.fileMode=false", "add", "--all", "."); err != nil {
		return p, err
	}
	if p.LeftOut, err = names(ctx, tree, "--cached", "--diff-filter=A", "HEAD", "--", "*_test.go"); err != nil {
		return p, err
	}
	if err := p.read(ctx, tree, "--cached", "HEAD"); err != nil {
		return p, err
	}
	_, err = corpus.Git(ctx, tree, "", "reset", "--quiet", "--hard")
	return p, err
}

// read reads what differs between two trees, by the words of git diff that name them.
func (p *patch) read(ctx context.Context, tree string, trees ...string) (err error) {
	args := append(slices.Clone(trees), "--", ".")
	for _, file := range p.LeftOut {
		args = append(args, ":(exclude,literal)"+file)
	}
	if p.Files, err = names(ctx, tree, args...); err != nil {
		return err
	}
	p.text, err = corpus.Git(ctx, tree, "", append(append(diff(), "--binary", "--full-index"), args...)...)
	return err
}

// names are the files that differ.
func names(ctx context.Context, tree string, args ...string) ([]string, error) {
	text, err := corpus.Git(ctx, tree, "", append(append(diff(), "--name-only", "-z"), args...)...)
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == 0 }), err
}

// diff begins a call of git that no configuration or attribute changes.
func diff() []string {
	return []string{"diff", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/",
		"--dst-prefix=b/", "--ignore-submodules=none"}
}
