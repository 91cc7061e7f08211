package track

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// length is how many commits of each library are tracked.
const length = 60

// plant is a slow-down from one commit on, up to the one before another; back is length for one that stays.
type plant struct {
	size       float64
	from, back int
}

// plants are those of each library.
var plants = []plant{{0.02, 11, length}, {0.05, 23, 34}, {0.10, 41, 52}}

// level is the sum of the slow-downs at a commit.
func level(i int) (sum float64) {
	for _, p := range plants {
		if p.from <= i && i < p.back {
			sum += p.size
		}
	}
	return sum
}

// replay is the history of a library that is tracked: its last commits, in a line, with what is planted.
type replay struct {
	library
	subject *corpus.Subject
	dir     string
	commits []string
}

// number is that of a commit by its hash; noBase for none.
func (r *replay) number(hash string) int { return slices.Index(r.commits, hash) }

// pattern matches the tracked benchmarks, as -test.bench takes it.
func (r *replay) pattern() string { return "^Benchmark(" + strings.Join(r.benchmarks, "|") + ")$" }

// branch is that of the replayed commits, and of their series.
const branch = "replay"

// replay makes the history of a library in a clone of its own. The same slow-downs make the same commits.
func (c config) replay(ctx context.Context, l library, j *bed.Journal[record]) (*replay, error) {
	r := &replay{library: l, subject: corpus.SubjectOf(l.repo), dir: filepath.Join(c.Dir, filepath.Base(l.repo))}
	if err := c.clones.Share(ctx, l.repo, r.dir); err != nil {
		return nil, err
	}
	from := "HEAD"
	if s := slopeOf(j.Records, l.repo); s != nil {
		from = s.Newest // the clone may have got newer commits since
	}
	text, err := corpus.Git(ctx, r.dir, "", "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", length), from)
	if err != nil {
		return nil, err
	}
	originals := strings.Fields(string(text))
	if len(originals) < length {
		return nil, fmt.Errorf("%d commits: want %d", len(originals), length)
	}
	slices.Reverse(originals)
	slope, err := c.slope(ctx, r.subject, originals, j)
	if err != nil {
		return nil, err
	}
	parent := ""
	for i, original := range originals {
		iterations := 0
		if level(i) > 0 {
			if iterations, err = slope.For(level(i)); err != nil {
				return nil, err
			}
		}
		if parent, err = r.replayed(ctx, original, parent, iterations); err != nil {
			return nil, fmt.Errorf("commit %s: %w", original, err)
		}
		r.commits = append(r.commits, parent)
	}
	return r, c.restore(ctx, l.repo, j.Records)
}

// slope is the calibration of the library's slow-downs, which is taken once.
func (c config) slope(ctx context.Context, s *corpus.Subject, originals []string, j *bed.Journal[record]) (*corpus.Slope,
	error) {
	if known := slopeOf(j.Records, s.Repo); known != nil {
		return known.Slope, nil
	}
	slope, err := s.At(originals[1]).Calibrate(ctx, c.clones, c.Hone)
	if err != nil {
		return nil, err
	}
	return slope, j.Add(record{Repo: s.Repo, Newest: originals[length-1], Slope: slope})
}

// replayed makes a commit with the tree of another one, and with what is planted.
func (r *replay) replayed(ctx context.Context, original, parent string, iterations int) (string, error) {
	git := func(stdin string, args ...string) (string, error) {
		text, err := corpus.Git(ctx, r.dir, stdin, args...)
		return strings.TrimSpace(string(text)), err
	}
	if _, err := git("", "read-tree", original); err != nil {
		return "", err
	}
	if iterations > 0 {
		hot, err := corpus.Git(ctx, r.dir, "", "show", original+":"+r.subject.HotFile())
		if err != nil {
			return "", err
		}
		text, file, err := r.subject.PlantIn(hot, corpus.Planted{Iterations: iterations})
		if err != nil {
			return "", err
		}
		for name, content := range map[string]string{r.subject.HotFile(): string(text), r.subject.PlantedFile(): file} {
			blob, err := git(content, "hash-object", "-w", "--stdin")
			if err != nil {
				return "", err
			}
			if _, err := git("", "update-index", "--add", "--cacheinfo", "100644,"+blob+","+name); err != nil {
				return "", err
			}
		}
	}
	tree, err := git("", "write-tree")
	if err != nil {
		return "", err
	}
	date, err := git("", "log", "-1", "--format=%ct", original)
	if err != nil {
		return "", err
	}
	message := fmt.Sprintf("Replay %.12s", original)
	// An object by its text: the names and dates of commit-tree come from the environment.
	object := "tree " + tree + "\n"
	if parent != "" {
		object += "parent " + parent + "\n"
	}
	by := "bench <bench@localhost> " + date + " +0000\n"
	object += "author " + by + "committer " + by + "\n" + message + "\n"
	return git(object, "hash-object", "-t", "commit", "-w", "--stdin")
}

// checkOut checks out one of the commits.
func (r *replay) checkOut(ctx context.Context, i int) error {
	_, err := corpus.Git(ctx, r.dir, "", "checkout", "--quiet", "--force", "--detach", r.commits[i])
	_, cleaned := corpus.Git(ctx, r.dir, "", "clean", "--quiet", "-fdx")
	return errors.Join(err, cleaned)
}
