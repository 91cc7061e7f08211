package fixed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/program/gotest"
	"github.com/gohone/hone/internal/store/tuning"
)

// take has hone fix a repository, and tests what it leaves. That hone cannot measure it is a result, too.
func (c config) take(ctx context.Context, s corpus.Subject) (r record, err error) {
	dir, err := os.MkdirTemp(c.Dir, "fixed-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, what, err := c.clones.On(ctx, s, day, dir)
	if err != nil {
		return r, err
	}
	r = record{Repo: s.Repo, Commit: what.Name(), Kind: kindOf(s), Budget: c.budget}
	hone := c.Hone
	hone.Dir, hone.Ledger = what.WorkDir(tree), filepath.Join(dir, "ledger")
	began := time.Now()
	var fixed tuning.Fix
	_, err = hone.Ask(ctx, &fixed, []int{honecli.Undecided}, "fix --quiet", what.Fix(c.budget)...)
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	r.Seconds = time.Since(began).Seconds()
	if err != nil {
		r.Failed = wordsOf(err)
		return r, nil
	}
	r.take(&fixed)
	if fixed.Branch != "" {
		err = r.test(ctx, filepath.Join(tree, s.Dir), tree, fixed.Branch, c.tests)
	}
	return r, err
}

// test holds all tests of the module on the branch against those of the commit.
func (r *record) test(ctx context.Context, pkg, tree, branch string, most time.Duration) error {
	module, err := moduleRoot(pkg, tree)
	if err != nil {
		return err
	}
	on := func(ref string) func() (*gotest.Result, error) {
		return func() (*gotest.Result, error) {
			if _, err := corpus.Git(ctx, tree, "", "checkout", "--quiet", "--force", "--detach", ref); err != nil {
				return nil, err
			}
			return gotest.Run(ctx, gotest.Task{Dir: module, Packages: []string{"./..."}, Time: most})
		}
	}
	found, err := gotest.Compare(ctx, on(branch), on(r.Commit))
	if err != nil {
		return fmt.Errorf("test the branch: %w", err)
	}
	r.Tests = found.Passed
	for _, f := range found.Broken {
		r.Broken = append(r.Broken, f.String())
	}
	return nil
}

// moduleRoot is the directory of the module that a package is in, within the tree.
func moduleRoot(pkg, tree string) (string, error) {
	for dir := pkg; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == tree || !strings.HasPrefix(dir, tree) {
			return "", errors.New("the repository has no module above " + pkg)
		}
	}
}

// mostWords is how much of an error of hone is kept.
const mostWords = 300

// wordsOf are hone's own words in the error of its command.
func wordsOf(err error) string {
	text := err.Error()
	if at := strings.Index(text, "hone: "); at >= 0 {
		text = text[at:]
	}
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(mostWords, len(text))]
}
