package bisect

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
)

// place is one or more commits that are built from the same files: the first of them changed something, the others
// nothing that matters.
type place struct {
	commits []git.Commit
	// before is the commit before the first one.
	before git.Commit
}

// first is the commit that stands for a place.
func (p place) first() git.Commit { return p.commits[0] }

// places are the places of a history: 0 is its good end.
func places(good git.Commit, commits []git.Commit, quiet []bool) []place {
	all := []place{{commits: []git.Commit{good}}}
	before := good
	for i, c := range commits {
		if quiet[i] {
			last := &all[len(all)-1]
			last.commits = append(last.commits, c)
		} else {
			all = append(all, place{commits: []git.Commit{c}, before: before})
		}
		before = c
	}
	return all
}

// quiet says of each commit whether it changes no file that matters.
func quiet(ctx context.Context, dir string, commits []git.Commit, dirs []string,
	matters func(file string, built bool) bool) ([]bool, error) {
	files, err := git.ChangedFiles(ctx, dir, commits)
	if err != nil {
		return nil, err
	}
	all := make([]bool, len(commits))
	for i, changed := range files {
		all[i] = !slices.ContainsFunc(changed, func(file string) bool {
			return matters(file, dirs == nil || slices.Contains(dirs, path.Dir(file)))
		})
	}
	return all, nil
}

// placeOf is the place that has a commit, by the beginning of its hash; -1 if none has.
func placeOf(all []place, hash string) int {
	return slices.IndexFunc(all, func(p place) bool {
		return slices.ContainsFunc(p.commits, func(c git.Commit) bool {
			return hash != "" && strings.HasPrefix(c.Hash, hash)
		})
	})
}
