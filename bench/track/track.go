// Package track measures how far the series of a repository can be trusted: the last 60 commits of each of three public
// libraries are tracked in their order, by hone track, in bursts of ten by turns of the libraries. Among them are
// planted slow-downs of 2, 5 and 10 %, two of which a later commit undoes. Each step that the chains show is measured
// once more, between its two ends alone, and so are pairs of commits that are far apart. The same commits get single
// runs, which are told as github-action-benchmark tells them: a value over 110 or 150 % of the one before is an alarm.
//
// What it does not show: one machine, and its days; two benchmarks of each library; the libraries' own changes are
// judged by hone's direct comparison, and by nothing else.
package track

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "track", Shows: "series of 60 public commits: steps, the product of the chain, and single runs for comparison",
	Takes: "6 hours; goes on where it was", Needs: "clones from GitHub, modules", About: append([]string{"internal/conduct/track", "internal/store/series"}, bed.AboutBenchmarks...),
	Run: run,
}

// library is a subject with the benchmarks that are tracked. The first is the one that slow-downs are planted for.
type library struct {
	repo       string
	benchmarks []string
}

// libraries have a function to plant in, and most of their commits change code.
var libraries = []library{
	{"sirupsen/logrus", []string{"SmallTextFormatter", "SmallJSONFormatter"}},
	{"Masterminds/semver", []string{"NewConstraintRange", "CheckVersionRange"}},
	{"BurntSushi/toml", []string{"Example"}},
}

type config struct {
	*bed.Bed
	clones       corpus.Clones
	budget, long time.Duration
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/track.jsonl")
	c.clones.Flag(b)
	b.DurationVar(&c.budget, "budget", 90*time.Second, "time of each comparison, as a nightly job has it; 0 leaves that to hone")
	b.DurationVar(&c.long, "direct", time.Minute, "time of each direct comparison of two commits")
	b.Read()
	b.Want(c.budget >= 0 && c.long > 0, "want some time for each comparison")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// trial is a commit to track, or two to compare directly.
type trial struct {
	*replay
	// commit is the number of the tracked one, direct that of what it is held against; noBase to track it.
	commit, direct int
	// only is the benchmark of a direct comparison; all for "".
	only string
}

// noBase stands for the commit that was tracked before.
const noBase = -1

// String is how progress names it.
func (t trial) String() string {
	if t.direct != noBase {
		return fmt.Sprintf("%s %d directly against %d", t.repo, t.commit, t.direct)
	}
	return fmt.Sprintf("%s %d", t.repo, t.commit)
}

// burst is how many commits of a library are tracked before the next library has its turn.
const burst = 10

// todo is what the journal lacks: first the commits in their order, then what the chains ask for.
func (c config) todo(ctx context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	var replays []*replay
	for _, l := range libraries {
		r, err := c.replay(ctx, l, j)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.repo, err)
		}
		replays = append(replays, r)
	}
	trials := commitsOf(replays, j.Records)
	if len(trials) == 0 {
		var err error
		if trials, err = directsOf(replays, j.Records); err != nil {
			return nil, err
		}
	}
	return bed.Each(trials, trial.String, c.take), nil
}

// commitsOf are the commits that are not tracked yet, in bursts by turns of the libraries.
func commitsOf(replays []*replay, records []record) (todo []trial) {
	for first := 0; first < length; first += burst {
		for _, r := range replays {
			done := r.tracked(records)
			for i := max(first, done); i < first+burst; i++ {
				todo = append(todo, trial{replay: r, commit: i, direct: noBase})
			}
		}
	}
	return todo
}

// distant are the pairs of commits that are compared directly, of each library: the chain from the first one to these.
var distant = []int{length / 3, length / 2, 2 * length / 3, length - 1}

// directsOf are the comparisons of two commits that are not taken yet: the ends of each step, and distant pairs.
func directsOf(replays []*replay, records []record) (todo []trial, err error) {
	for _, r := range replays {
		if r.tracked(records) < length {
			continue
		}
		want := []trial{}
		for _, i := range distant {
			want = append(want, trial{replay: r, commit: i, direct: 0})
		}
		steps, err := r.steps(records)
		if err != nil {
			return nil, err
		}
		for _, s := range steps {
			want = append(want, trial{replay: r, commit: r.number(s.Commit.Hash), direct: r.number(s.After.Hash),
				only: s.Name})
		}
		seen := map[trial]bool{}
		for _, t := range want {
			if !seen[t] && direct(records, r.repo, t.commit, t.direct, t.only) == nil {
				todo = append(todo, t)
			}
			seen[t] = true
		}
	}
	return todo, nil
}
