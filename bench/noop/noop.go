// Package noop measures how often hone calls a commit different that cannot change anything: public commits of
// libraries, by hone bench, and of services under load, by hone compare (corpus.NoOps). Each gets 15 to 30 s, drawn
// anew. Among them are slow-downs of 3 and 5 %, planted into the source on top of a commit, by as many iterations as a
// calibration of the same hour says. benchstat gets the same commits of libraries in the same time. All take turns in
// random order. Where nothing that differs is executed, hone measures nothing.
//
// What it does not show: one machine, and its days; slow-downs on one side, B; benchstat has one order of functions for
// each side, as people have who use it; that a commit changes nothing follows from the names in its sources
// (corpus/find).
package noop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the calibration.
var Case = bed.Case{
	Name: "noop", Shows: "false alarms on public commits that change nothing, planted 3 and 5 % found, beside benchstat",
	Takes: "16 hours; goes on where it was", Needs: "clones from GitHub, modules", About: bed.AboutBothVerdicts,
	Run: run,
}

// The drawn budgets.
const (
	leastBudget = 15 * time.Second
	mostBudget  = 30 * time.Second
)

// plants are the planted slow-downs.
var plants = []float64{0.03, 0.05}

type config struct {
	*bed.Bed
	clones        corpus.Clones
	n, more, each int
	trial         time.Duration
	only          []string
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/noop.jsonl")
	c.clones.Flag(b)
	b.IntVar(&c.n, "n", 1000, "no-op commits at most, of all repositories by turns")
	b.IntVar(&c.more, "more", 0, "no-op commits at most of those that the file of results lacks; 0 means as -n says")
	b.IntVar(&c.each, "planted", 6, "slow-downs of each size, for each library and service that they are planted in")
	b.DurationVar(&c.trial, "budget", 0, "time of each comparison, to try the case out; 0 draws 15 to 30 s")
	b.Words(&c.only, "repo", "", "only these repositories, OWNER/NAME; all for \"\"")
	b.Read()
	b.Want(c.n >= 0 && c.more >= 0 && c.each >= 0 && c.trial >= 0, "want 0 comparisons or more, in some time")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// todo is what the records lack, in random order.
func (c config) todo(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	noOps, err := corpus.NoOps()
	if err != nil {
		return nil, err
	}
	todo := c.first(missing(j.Records, c.wanted(noOps)))
	rand.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	return bed.Each(todo, trial.String, measurement{config: c, journal: j}.take), nil
}

// first are the trials that -more leaves.
func (c config) first(todo []trial) (some []trial) {
	n := 0
	for _, t := range todo {
		if t.planted == 0 {
			if n++; c.more > 0 && n > c.more {
				continue
			}
		}
		some = append(some, t)
	}
	return some
}

// trial is a comparison to take.
type trial struct {
	corpus.NoOp
	planted float64 // 0 for none
	i       int     // which of several of that size
}

// String is how progress names it.
func (t trial) String() string {
	if t.planted > 0 {
		return fmt.Sprintf("%s with %g %% planted", t.NoOp, 100*t.planted)
	}
	return fmt.Sprintf("%s (%s)", t.NoOp, t.Kind)
}

// wanted are all comparisons: of the no-op commits as they are, repositories by turns, and of slow-downs on top of
// them.
func (c config) wanted(noOps []corpus.NoOp) (all []trial) {
	of := map[string][]corpus.NoOp{}
	var repos []string
	for _, n := range noOps {
		if len(c.only) > 0 && !slices.Contains(c.only, n.Repo) {
			continue
		}
		if of[n.Repo] == nil {
			repos = append(repos, n.Repo)
		}
		of[n.Repo] = append(of[n.Repo], n)
	}
	for i, took := 0, true; took; i++ {
		took = false
		for _, repo := range repos {
			if i < len(of[repo]) && len(all) < c.n {
				all, took = append(all, trial{NoOp: of[repo][i]}), true
			}
		}
	}
	for _, repo := range repos {
		if corpus.SubjectOf(repo).Hot == "" {
			continue
		}
		// One commit for all of a repository: each has a calibration of its own.
		on := of[repo][0]
		for _, size := range plants {
			for i := range c.each {
				all = append(all, trial{NoOp: on, planted: size, i: i})
			}
		}
	}
	return all
}

// missing are the trials that records lack.
func missing(records []record, want []trial) (todo []trial) {
	done := map[trial]bool{}
	for _, r := range records {
		if r.Said == nil {
			continue
		}
		for i := 0; ; i++ {
			if t := r.trial(i); !done[t] {
				done[t] = true
				break
			}
		}
	}
	for _, t := range want {
		key := trial{NoOp: corpus.NoOp{Commit: corpus.Commit{Repo: t.Repo, Commit: t.Name()}, Kind: t.Kind},
			planted: t.planted, i: t.i}
		if !done[key] {
			todo = append(todo, t)
		}
	}
	return todo
}
