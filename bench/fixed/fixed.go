// Package fixed runs hone fix on public repositories: how many findings it has, how many have a rewrite that the source
// takes, which of them are measured, which gain is confirmed, and whether one of them changes an answer.
//
// The repositories are those of package corpus, which were drawn for other cases: every second library of
// corpus.Libraries, by the order of the list, and all services of corpus.Services and MoreServices. None was chosen, or
// left out, by what hone finds in it. Each is taken as it was at the end of October 2026. A library is profiled and
// measured by all benchmarks of its package, a service under its load of corpus.
//
// A rewrite is wrong if it breaks a test of its package, if a service answers differently with it, or if the branch
// that hone leaves breaks a test of the whole module. The last one is asked without hone fix: it tests the changed
// package alone.
//
// What it does not show: an answer that no test and no request looks at; gains on another machine; benchmarks of other
// packages of the module.
package fixed

import (
	"context"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the calibration.
var Case = bed.Case{
	Name: "fixed", Shows: "what hone fix finds, rewrites and gains in public repositories, and that no answer changes",
	Takes: "an hour and a half; goes on where it was", Needs: "clones from GitHub, modules",
	About: append([]string{"cmd/hone/internal/fix", "internal/insight", "internal/conduct/tune", "internal/program/gotest"},
		bed.AboutBothVerdicts...),
	Run: run,
}

// day is the one before which a repository is taken.
const day = "2026-11-01"

type config struct {
	*bed.Bed
	clones corpus.Clones
	budget time.Duration
	tests  time.Duration
	only   []corpus.Subject
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/fixed.jsonl")
	c.clones.Flag(b)
	b.DurationVar(&c.budget, "budget", 2*time.Minute, "time of hone fix for all comparisons of a repository")
	b.DurationVar(&c.tests, "test-time", 5*time.Minute, "time of the tests of each package, on each side")
	bed.Choice(b.Flags, &c.only, "repo", "", "repository", subjects(), func(s corpus.Subject) string { return s.Repo },
		"repositories, OWNER/NAME")
	b.Read()
	b.Want(c.budget >= time.Second && c.tests >= time.Second, "want -budget and -test-time of 1s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: schema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// subjects are the repositories, libraries and services by turns while both last.
func subjects() (all []corpus.Subject) {
	var libraries []corpus.Subject
	for i, s := range corpus.Libraries {
		if i%2 == 0 {
			libraries = append(libraries, s)
		}
	}
	services := append(append([]corpus.Subject{}, corpus.Services...), corpus.MoreServices...)
	for i := range max(len(libraries), len(services)) {
		if i < len(libraries) {
			all = append(all, libraries[i])
		}
		if i < len(services) {
			all = append(all, services[i])
		}
	}
	return all
}

// todo are the repositories that the records lack.
func (c config) todo(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	done, left := last(j.Records), []corpus.Subject{}
	for _, s := range c.only {
		if _, known := done[s.Repo]; !known {
			left = append(left, s)
		}
	}
	return bed.Each(left, func(s corpus.Subject) string { return s.Repo }, bed.One(c.take)), nil
}
