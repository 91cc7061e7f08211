// Package bisect measures how often hone bisect finds a commit that makes a program slower. It takes histories of public libraries
// with a benchmark and of services (corpus), first-parent commits as one line, and writes them anew with something planted from a
// commit on: iterations of a small loop, 2 to 20 % by a calibration of the same hour, or allocations. A third has a second, smaller
// change; a tenth nothing planted; a tenth commits that do not build. All that is drawn by a seed.
//
// A history has real changes, too. What is planted is the largest one only where they are small: so a window is searched, the longest
// part of a history with one text of the benchmark, and of the test functions that it reaches, whose ends differ by 1 % at most, as hone bench or hone compare says of them.
// Where the benchmark itself differs, all commits get the test files of the last one (--tests B).
//
// What it does not show: one machine, and its days; commits without a go.mod get a later one; a real change within a window that is
// taken back before its end may be larger than the planted one; histories are as long as the repositories' windows, mostly less than
// 1,000 commits.
package bisect

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the calibration.
var Case = bed.Case{
	Name: "bisect", Shows: "planted commits that hone bisect finds in histories of public repositories, its time and probes",
	Takes: "15 hours; goes on where it was", Needs: "clones from GitHub, modules", About: append([]string{"internal/conduct/bisect"}, bed.AboutBothVerdicts...),
	Run: run,
}

type config struct {
	*bed.Bed
	clones     corpus.Clones
	n, commits int
	seed       uint64
	limit      time.Duration
	only       []string
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/bisect.jsonl")
	c.clones.Flag(b)
	b.IntVar(&c.n, "n", 120, "searches, of all repositories by turns")
	b.IntVar(&c.commits, "commits", 1000, "commits of a history at most")
	b.Uint64Var(&c.seed, "seed", 1, "what is planted, and where, is drawn by it")
	b.DurationVar(&c.limit, "limit", 30*time.Minute, "time of a search at most")
	bed.Choice(b.Flags, &c.only, "repo", "", "repository", repositories(), func(s string) string { return s }, "repositories")
	b.Read()
	b.Want(c.n >= 0 && c.commits >= 2 && c.limit > 0, "want 0 searches or more, of 2 commits at least, in some time")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// services are those with the longest histories.
var services = []string{"allegro/bigcache", "mccutchen/go-httpbin", "traefik/whoami"}

// repositories are those of benchmarks that slow-downs can be planted in, and services.
func repositories() (all []string) {
	for _, s := range corpus.Libraries {
		if s.Hot != "" {
			all = append(all, s.Repo)
		}
	}
	return append(all, services...)
}

// trial is a search to take: the i-th one of a repository.
type trial struct {
	repo string
	i    int
}

// String is how progress names it.
func (t trial) String() string { return fmt.Sprintf("%s %d", t.repo, t.i+1) }

// todo is what the records lack.
func (c config) todo(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	return bed.Each(c.missing(j.Records), trial.String, measurement{config: c, journal: j}.take), nil
}

// missing are the trials that records lack, repositories by turns. One without a window has none.
func (c config) missing(records []record) (todo []trial) {
	done := map[trial]bool{}
	for _, r := range records {
		if r.Draw != nil && r.Draw.Seed == c.seed {
			done[trial{r.Repo, r.Draw.I}] = true
		}
	}
	able := slices.DeleteFunc(slices.Clone(c.only), func(repo string) bool {
		w := windowOf(records, repo)
		return w != nil && w.Reason != ""
	})
	for i := range c.n {
		if len(able) == 0 {
			break
		}
		if t := (trial{able[i%len(able)], i / len(able)}); !done[t] {
			todo = append(todo, t)
		}
	}
	return todo
}
