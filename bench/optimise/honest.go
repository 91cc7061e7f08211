package optimise

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Honest is the calibration of what hone says of honest patches: merged performance commits, each as a patch on its
// parent, are to pass a gate on the gain, and commits that make nothing faster are not to. Half of the latter change
// functions that the benchmark does not reach, or comments and format; to the others a function is added that no one
// calls.
//
// A merged commit is in the list if its benchmark was executed by hand on both sides with Go 1.26, by turns, and took
// at least 5 % less CPU time in the best and in the middle of five, with the tests of the parent.
var Honest = bed.Case{
	Name: "honest", Shows: "are merged performance commits accepted as patches, and patches that gain nothing refused",
	Takes: "3 hours; goes on where it was", Needs: "clones from GitHub, modules",
	About: append([]string{"internal/conduct/precheck", "internal/program/gotest", "internal/program/touches"},
		bed.AboutBenchmarks...),
	Run: runHonest,
}

// gainGate is what a patch has to pass to be accepted.
const gainGate = "time<-1%"

// verdict is what became of a patch, or the session that the next ones belong to.
type verdict struct {
	bed.Entry
	Repo      string        `json:"repo,omitempty"`
	Commit    string        `json:"commit,omitempty"`
	Benchmark string        `json:"benchmark,omitempty"`
	Kind      kind          `json:"kind,omitempty"`
	Budget    time.Duration `json:"budget_ns,omitempty"`
	patch
	// Said is what hone says of the patch; nil for a session.
	Said *answer `json:"hone,omitempty"`
}

// verdictSchema is that of the file of results: JSON lines, each a verdict.
const verdictSchema = "hone.honest/1"

// offer is a patch to judge.
type offer struct {
	corpus.Commit
	kind kind
}

// name tells offers apart.
func (o offer) name() key { return key{o.Repo + "@" + o.Name(), o.Benchmark} }

func (v verdict) name() (key, bool) { return key{v.Repo + "@" + v.Commit, v.Benchmark}, v.Said != nil }

// String is a verdict as progress shows it.
func (v verdict) String() string {
	word := "not accepted"
	if v.Said.Passed {
		word = "accepted"
	}
	return strings.TrimSuffix(fmt.Sprintf("%s, %s: %s", v.Kind, word, v.Said.reason()), ": ")
}

// nothingNew are the kinds of commits that make nothing faster, with how many of each are offered.
var nothingNew = []struct {
	corpus.Kind
	n int
}{{corpus.Functions, 15}, {corpus.Comments, 15}, {corpus.Unused, 10}}

// offers are the merged commits, and the commits that make nothing faster.
func offers() (all []offer, err error) {
	for _, t := range slices.Concat(tasks, others) {
		all = append(all, offer{t.Commit, t.kind})
	}
	noOps, err := corpus.NoOps()
	for _, k := range nothingNew {
		all = append(all, first(noOps, k.Kind, k.n)...)
	}
	return all, err
}

// onlyTests is a commit of comments in tests: the patch of it is empty.
const onlyTests = "f974b88"

// first are n commits of a kind, libraries by turns.
func first(noOps []corpus.NoOp, k corpus.Kind, n int) (some []offer) {
	of := map[string]int{}
	for turn := 0; len(some) < n && turn < len(noOps); turn++ {
		clear(of)
		for _, c := range noOps {
			if c.Kind != k || c.Benchmark == "" || c.Commit.Commit == onlyTests {
				continue
			}
			if of[c.Repo]++; of[c.Repo] == turn+1 && len(some) < n {
				some = append(some, offer{c.Commit, kind(k)})
			}
		}
	}
	return some
}

func runHonest(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.KeepsByVersion("results/honest.jsonl")
	c.clones.Flag(b)
	all, err := offers()
	if err != nil {
		return err
	}
	var some []offer
	b.DurationVar(&c.budget, "budget", 40*time.Second, "time of hone for a patch, without its builds and tests")
	bed.Choice(b.Flags, &some, "commit", "", "commit", all, func(o offer) string { return o.name()[0] }, "commits to judge")
	b.Read()
	b.Want(c.budget >= time.Second, "want -budget of 1s or more")
	if err := b.Start(ctx); err != nil {
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[verdict]) ([]bed.Trial[verdict], error) {
		done := bed.Done(j.Records, j.Current, verdict.name, func(verdict) bool { return true })
		lacking := slices.DeleteFunc(slices.Clone(some), func(o offer) bool { return !b.Again && done[o.name()] })
		return bed.Each(lacking, func(o offer) string { return o.String() }, bed.One(c.offer)), nil
	}
	return bed.Calibration[verdict]{Schema: verdictSchema, Todo: todo, Write: documentHonest}.Run(ctx, b)
}

// offer has hone judge a patch.
func (c config) offer(ctx context.Context, o offer) (v verdict, err error) {
	dir, err := os.MkdirTemp(c.Dir, "patch-")
	if err != nil {
		return v, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	v = verdict{Repo: o.Repo, Commit: o.Name(), Benchmark: o.Benchmark, Kind: o.kind, Budget: c.budget}
	base, p, err := merged(ctx, c.clones, o.Commit, dir)
	if err != nil {
		return v, err
	}
	if len(p.text) == 0 {
		return v, fmt.Errorf("the commit changes nothing but %s", strings.Join(p.LeftOut, ", "))
	}
	v.patch = p
	v.Said, err = c.ask(ctx, o.Commit, base, p.text, gainGate)
	return v, err
}
