// Package pullrequest measures what hone does for a whole pull request: hone bench ./... with a gate of 5 % on three
// public libraries of 25 benchmarks and more. Half of the requests change nothing (documents, comments, an added test,
// a renamed function, an added function that no one calls); the others make one function slower that a benchmark
// executes. It asks how often all gates are decided within 3 minutes, builds included, and what the exit code is.
//
// What it does not show: one machine; a slow-down is 8 % of one benchmark, and another share of the others that execute
// the function.
package pullrequest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the trial.
var Case = bed.Case{
	Name: "pullrequest", Shows: "pull requests on public libraries with many benchmarks: gates decided in 3 minutes",
	Takes: "5 hours; goes on where it was", Needs: "clones from GitHub, modules", About: append([]string{"internal/program/reach"}, bed.AboutBenchmarks...),
	Run: run,
}

// size is the planted slow-down, of the benchmark of the library's corpus.Subject; gate is what has to stop it.
const (
	size = 0.08
	gate = "time<+5%"
)

// libraries have more than 25 benchmarks at all commits of noops.txt, and a function to plant in.
const libraries = "Masterminds/semver,sirupsen/logrus,vmihailenco/msgpack"

type config struct {
	*bed.Bed
	clones     corpus.Clones
	n, planted int
	budget     time.Duration
	only       []string
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/pullrequest.jsonl")
	c.clones.Flag(b)
	b.IntVar(&c.n, "n", 40, "requests that change nothing, of all libraries by turns")
	b.IntVar(&c.planted, "planted", 40, "requests with a slow-down of 8 %, of all libraries by turns")
	b.DurationVar(&c.budget, "budget", 0, "hone's --budget, to try the case out; 0 leaves that to hone")
	b.Words(&c.only, "repo", libraries, "libraries of the corpus, OWNER/NAME")
	b.Read()
	b.Want(c.n >= 0 && c.planted >= 0 && c.budget >= 0, "want 0 requests or more, in some time")
	for _, repo := range c.only {
		s := corpus.SubjectOf(repo)
		b.Want(s != nil && s.Benchmark != "" && s.Hot != "", "-repo: no library %s has a function to plant in", repo)
	}
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// todo is what the records lack.
func (c config) todo(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	noOps, err := corpus.NoOps()
	if err != nil {
		return nil, err
	}
	take := measurement{config: c, journal: j}.take
	return bed.Each(missing(j.Records, c.wanted(noOps)), request.String, take), nil
}

// Two kinds of requests that are made on top of a commit; those of corpus are the others.
const (
	addedTest corpus.Kind = "added test"
	renamed   corpus.Kind = "renamed"
)

// kinds are the requests that change no benchmark, whichever it is. What noops.txt lists as tests and functions is so
// for one benchmark only.
var kinds = []corpus.Kind{corpus.Documents, corpus.Comments, addedTest, renamed, corpus.Unused}

// request is a pull request: a commit, or a change on top of one.
type request struct {
	corpus.NoOp
	planted float64 // 0 for none
	i       int     // which of several of that size
}

// String is how progress names it.
func (r request) String() string {
	if r.planted > 0 {
		return fmt.Sprintf("%s %s with %g %% planted", r.Repo, r.Commit.Commit, 100*r.planted)
	}
	return fmt.Sprintf("%s %s (%s)", r.Repo, r.Commit.Commit, r.Kind)
}

// wanted are all requests: those that change nothing, libraries and kinds by turns, each among slow-downs.
func (c config) wanted(noOps []corpus.NoOp) (all []request) {
	var nothing, planted []request
	for i := 0; len(nothing) < c.n && i < len(noOps); i++ {
		for _, repo := range c.only {
			if r, ok := nth(noOps, repo, i); ok && len(nothing) < c.n {
				nothing = append(nothing, r)
			}
		}
	}
	for i := range c.planted {
		on, ok := nth(noOps, c.only[i%len(c.only)], 0)
		if ok {
			on.Kind, on.planted, on.i = corpus.Documents, size, i/len(c.only)
			planted = append(planted, on)
		}
	}
	for i := range max(len(nothing), len(planted)) {
		for _, list := range [][]request{nothing, planted} {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
	}
	return all
}

// nth is the i-th request of a library: its kinds take turns. What is made on top of a commit is made on those that
// change documents or add a function.
func nth(noOps []corpus.NoOp, repo string, i int) (r request, ok bool) {
	kind := kinds[i%len(kinds)]
	from := []corpus.Kind{kind}
	if kind == addedTest || kind == renamed {
		from = []corpus.Kind{corpus.Documents, corpus.Unused}
	}
	var of []corpus.NoOp
	for _, n := range noOps {
		if n.Repo == repo && slices.Contains(from, n.Kind) {
			of = append(of, n)
		}
	}
	if i/len(kinds) >= len(of) {
		return r, false
	}
	r = request{NoOp: of[i/len(kinds)]}
	if r.Kind = kind; kind != corpus.Unused {
		r.Adds = ""
	}
	return r, true
}

// missing are the requests that records lack.
func missing(records []record, want []request) (todo []request) {
	type key struct {
		repo, commit string
		kind         corpus.Kind
		planted      float64
		i            int
	}
	done := map[key]bool{}
	for _, r := range records {
		k := key{r.Repo, r.Commit, r.Kind, r.Planted, 0}
		for ; r.Said != nil && done[k]; k.i++ {
		}
		done[k] = done[k] || r.Said != nil
	}
	for _, r := range want {
		if !done[key{r.Repo, r.Commit.Commit, r.Kind, r.planted, r.i}] {
			todo = append(todo, r)
		}
	}
	return todo
}
