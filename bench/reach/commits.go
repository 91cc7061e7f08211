package reach

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/counters"
)

// The commits are of these years: older ones do not build, and a clone of another day has the same ones.
const (
	since  = "2021-01-01"
	before = "2026-11-01"
)

// commits are those that the records lack, libraries by turns, the youngest of each first.
func (c config) commits(ctx context.Context, records []record) (todo []corpus.Commit, err error) {
	done := bed.Last(records, func(r record) (string, bool) {
		return r.Repo + " " + r.Commit, r.Commit != "" && r.Planted == nil
	})
	good := 0
	for k, r := range done {
		if c.Again && !r.right() {
			delete(done, k)
		} else if r.LeftOut == "" {
			good++
		}
	}
	lists := [][]corpus.Commit{}
	for _, s := range corpus.Libraries {
		if len(c.only) > 0 && !slices.Contains(c.only, s.Repo) {
			continue
		}
		list, err := c.changing(ctx, s, 2+2*c.n/len(corpus.Libraries))
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	for i, took := 0, true; took && good+len(todo) < c.n; i++ {
		took = false
		for _, list := range lists {
			if i >= len(list) || good+len(todo) >= c.n {
				continue
			}
			took = true
			if _, has := done[list[i].Repo+" "+list[i].Commit]; !has {
				todo = append(todo, list[i])
			}
		}
	}
	return todo, nil
}

// changing are commits of a library in which functions of the measured package differ.
func (c config) changing(ctx context.Context, s corpus.Subject, most int) (all []corpus.Commit, err error) {
	clone, err := c.clones.Clone(ctx, s.Repo)
	if err != nil {
		return nil, err
	}
	text, err := corpus.Git(ctx, clone, "", "log", "--no-merges", "--since="+since, "--before="+before, "--format=%h",
		"--", ":(glob)"+path.Join(s.Dir, "*.go"), ":(exclude,glob)**/*_test.go")
	if err != nil {
		return nil, err
	}
	for _, commit := range strings.Fields(string(text)) {
		if len(all) == most {
			break
		}
		ok, err := changes(ctx, clone, s.Dir, commit)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, s.At(commit))
		}
	}
	return all, nil
}

// changes says whether functions of a package differ between a commit and its parent, both of which have a module.
func changes(ctx context.Context, clone, dir, commit string) (bool, error) {
	var sides [2][]counters.Function
	for i, ref := range []string{commit + "^", commit} {
		if _, err := corpus.Git(ctx, clone, "", "cat-file", "-e", ref+":go.mod"); err != nil {
			return false, nil
		}
		names, err := corpus.Git(ctx, clone, "", "diff-tree", "-r", "--no-commit-id", "--name-only", "--no-renames", commit)
		if err != nil {
			return false, err
		}
		for _, name := range strings.Fields(string(names)) {
			if path.Dir(name) != path.Clean(dir) || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := corpus.Git(ctx, clone, "", "show", ref+":"+name)
			if err != nil {
				continue // the other side has it
			}
			found, err := counters.OfFile(name, text)
			if err != nil {
				return false, nil // no Go file
			}
			sides[i] = append(sides[i], found...)
		}
	}
	return len(counters.Changes(sides[0], sides[1])) > 0, nil
}
