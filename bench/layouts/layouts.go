// Package layouts measures what the order of a program's functions does to verdicts of hone: on ten benchmarks of
// public libraries and of this repository, and on two services, each at one commit that changes nothing. It measures
// how much of the scatter of repeated starts is the link order's, with functions where the linker puts them and at
// multiples of 64 bytes; asks hone for the same verdict again and again, with another seed and so with other orders;
// and holds its intervals against a long run over random orders. All take turns in random order.
//
// What it does not show: one machine, and its days; the long run has an interval of its own.
package layouts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the calibration.
var Case = bed.Case{
	Name: "layouts", Shows: "what link orders do to benchmarks and services, and whether they turn a verdict of hone",
	Takes: "10 hours; goes on where it was", Needs: "clones from GitHub, modules", About: bed.AboutBothVerdicts,
	Run: run,
}

// subject has a commit that adds a function that no one calls.
type subject struct {
	corpus.Commit
	pkg string
}

func of(repo, commit string) subject {
	s := corpus.SubjectOf(repo)
	return subject{s.At(commit), s.Package}
}

// own is a benchmark of this repository.
func own(dir, pkg, benchmark string) subject {
	return subject{corpus.Commit{Repo: corpus.Own, Commit: "HEAD", Dir: dir, Benchmark: benchmark}, pkg}
}

// subjects are what is measured: benchmarks of less than 100 ns, of more than a microsecond, two of this repository,
// and services.
var subjects = []subject{
	of("spf13/cast", "ed018f4"), of("google/uuid", "2d3c2a9"), of("go-chi/chi", "9fb4a15"),
	of("gin-gonic/gin", "6d880724"),
	of("tidwall/gjson", "8d2c36f"), of("uber-go/zap", "5786471"), of("Masterminds/semver", "b65b33f"),
	of("BurntSushi/toml", "6b16cbd"),
	own("services/visits", "visits", "Visits/pooled-log"), own("services/rpc", "rpc", "Envelope/decode_by_hand"),
	of("hashicorp/http-echo", "b69bfb9"), of("mccutchen/go-httpbin", "536f214"),
}

// kind is what is done with a subject.
type kind string

// The kinds.
const (
	starts  kind = "starts"  // of programs linked in several orders
	rounds  kind = "rounds"  // of a long run, each with another order of both sides
	verdict kind = "verdict" // of hone
	long    kind = "long"    // the same in more time
)

type config struct {
	*bed.Bed
	clones         corpus.Clones
	orders, again  int
	rounds         int
	verdicts, long int
	budget, longer time.Duration
	length         time.Duration
	only           []subject
}

// together is how many rounds of the long run are one record.
const together = 20

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/layouts.jsonl")
	c.clones.Flag(b)
	b.IntVar(&c.orders, "orders", 30, "link orders whose scatter is measured")
	b.IntVar(&c.again, "starts", 4, "starts of each, of each length")
	b.IntVar(&c.rounds, "rounds", 200, "link orders of the long run")
	b.IntVar(&c.verdicts, "n", 20, "verdicts on each subject")
	b.IntVar(&c.long, "long", 4, "verdicts in more time")
	b.DurationVar(&c.budget, "budget", 30*time.Second, "time of a verdict")
	b.DurationVar(&c.longer, "more", 2*time.Minute, "more time")
	b.DurationVar(&c.length, "d", 500*time.Millisecond, "time of each start, and each of the long run")
	bed.Choice(b.Flags, &c.only, "subject", "", "subject", subjects, subject.name, "subjects")
	b.Read()
	b.Want(c.orders >= 0 && c.again > 1 && c.rounds >= 0 && c.verdicts >= 0 && c.long >= 0 && c.budget > 0 &&
		c.longer > c.budget && c.length > 0, "want two starts at least, some time and more time")
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todo, Write: document}.Run(ctx, b)
}

// name is what -subject takes.
func (s subject) name() string {
	if s.Repo == corpus.Own {
		return s.Dir
	}
	return s.Repo
}

// commit adds a function to what is checked out.
func (s subject) commit() corpus.Commit {
	c := s.Commit
	c.Adds = corpus.AddUnused(s.pkg)
	return c
}

// trial is one record to take.
type trial struct {
	subject subject
	kind    kind
	i       int // which of several
}

// String is how progress names it.
func (t trial) String() string { return fmt.Sprintf("%s %s %d", t.subject.name(), t.kind, t.i+1) }

// todo is what the records lack, in random order.
func (c config) todo(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	todo := c.missing(j.Records)
	rand.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	return bed.Each(todo, trial.String, c.take), nil
}

// missing lists what records lack.
func (c config) missing(records []record) (todo []trial) {
	want := map[kind]int{starts: min(1, c.orders), rounds: (c.rounds + together - 1) / together, verdict: c.verdicts,
		long: c.long}
	for _, s := range c.only {
		for _, k := range []kind{starts, rounds, verdict, long} {
			for i := len(like(records, s.name(), k)); i < want[k]; i++ {
				todo = append(todo, trial{s, k, i})
			}
		}
	}
	return todo
}
