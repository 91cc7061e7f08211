package bisect

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
)

// window is the part of a repository's history that is searched: its ends hardly differ, so that what is planted is the largest change.
type window struct {
	// First and Last are its ends, Commits how many there are after the first. All are empty if no part is calm enough.
	First   string `json:"first,omitempty"`
	Last    string `json:"last,omitempty"`
	Commits int    `json:"commits,omitempty"`
	// Tests are the flags with which both sides have the test files of the last commit, where without them the benchmark itself differs.
	Tests []string `json:"tests,omitempty"`
	// Said compares the ends as they are.
	Said   *honecli.Said `json:"hone,omitempty"`
	Reason string        `json:"reason,omitempty"`
}

// How a window is found.
const (
	enough       = 201 // places of a history that is long enough: 200 commits after the first
	fewestPlaces = 20
	shorter      = 0.7  // of its places has the next one that is tried
	calm         = 0.01 // is the largest difference of its ends: half of the smallest size
	calmBudget   = time.Minute
)

// find finds the window of a repository: the longest one of at most so many commits that is calm.
func (c config) find(ctx context.Context, s corpus.Subject) (*window, error) {
	h, err := c.history(ctx, s, "HEAD")
	if err != nil {
		return nil, err
	}
	most := c.commits + 1
	if h, err = h.stretch(ctx, min(enough, most)); err != nil {
		return nil, err
	}
	n := min(len(h.commits), most)
	reason, open := fmt.Sprintf("%d commits have the same benchmark and the hot function", n), false
	for ; n >= min(fewestPlaces, most); n = int(shorter * float64(n)) {
		part := h.part(len(h.commits)-n, len(h.commits))
		w := window{First: part.commits[0].hash, Last: part.commits[n-1].hash, Commits: n - 1}
		said, err := c.ends(ctx, part)
		if err == nil && said.Reason != "" && s.Benchmark != "" {
			flags := []string{"--tests", "B"}
			if with, failed := c.ends(ctx, part, flags...); failed == nil { // else they do not fit the first commit
				said, w.Tests = with, flags
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if reason, open = refusal(said, err); reason == "" {
			w.Said = &said
			return &w, nil
		}
		c.Progress("%s, %d commits: %s", s.Repo, n-1, reason)
	}
	if open {
		return nil, fmt.Errorf("find a calm part of the history of %s: %s: wait until the machine is quiet", s.Repo, reason)
	}
	return &window{Reason: "no calm part of its history: " + reason}, nil
}

// refusal says why a part of a history is not calm by what hone says of its ends; empty if it is. open says that it may be on a quiet
// machine, or with modules that this one could not get.
func refusal(said honecli.Said, err error) (reason string, open bool) {
	if err != nil {
		return shortened(err.Error()), true
	}
	if said.Reason == "" && !said.Alarm() && math.Abs(said.Ratio-1) <= calm {
		return "", false
	}
	text := fmt.Sprintf("its ends differ: %s, %.4f (%.4f to %.4f) %s", said.Word, said.Ratio, said.Low, said.High, said.Reason)
	return shortened(text), said.Reason == "" && !said.Alarm() && said.High-said.Low > 2*calm
}

// history is that of a subject up to a ref.
func (c config) history(ctx context.Context, s corpus.Subject, ref string) (history, error) {
	clone, err := c.clones.Clone(ctx, s.Repo)
	if err != nil {
		return history{}, err
	}
	return read(ctx, clone, s, ref)
}

// ends compares the ends of a history, with nothing planted.
func (c config) ends(ctx context.Context, h history, more ...string) (said honecli.Said, err error) {
	dir, hashes, err := c.tree(ctx, h, draw{}, 0)
	if err != nil {
		return said, err
	}
	defer os.RemoveAll(dir)
	last := hashes[len(hashes)-1]
	return h.subject.At(last).AskSince(ctx, hashes[0], c.Hone, dir, calmBudget, more...)
}

// tree is a directory with a rebuilt history.
func (c config) tree(ctx context.Context, h history, d draw, iterations int) (dir string, hashes []string, err error) {
	if dir, err = os.MkdirTemp(c.Dir, "history-"); err != nil {
		return "", nil, fmt.Errorf("make a directory: %w", err)
	}
	if err = c.clones.Share(ctx, h.subject.Repo, dir); err == nil {
		hashes, err = h.rebuild(ctx, dir, d, iterations)
	}
	return dir, hashes, err
}

// of is the history of a window.
func (c config) of(ctx context.Context, s corpus.Subject, w window) (history, error) {
	h, err := c.history(ctx, s, w.Last)
	if err != nil {
		return h, err
	}
	from := len(h.commits) - 1 - w.Commits
	if from < 0 || h.commits[from].hash != w.First {
		return h, fmt.Errorf("%s: %d commits before %.12s is not %.12s, as the results have it", s.Repo, w.Commits, w.Last, w.First)
	}
	return h.part(from, len(h.commits)), nil
}

// mostReason is how many bytes of a reason are kept.
const mostReason = 300

func shortened(text string) string {
	return text[:min(mostReason, len(text))]
}
