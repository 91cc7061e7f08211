package noop

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/figures"
)

// Itself is the trial of services with themselves.
var Itself = bed.Case{
	Name: "itself", Shows: "public services with themselves, for a minute each: same, or a bound of at most 2 %",
	Takes: "an hour; goes on where it was", Needs: "clones from GitHub, modules", About: bed.AboutServices,
	Run: runItself,
}

// itself is the kind of comparison in which both sides are one build.
const itself corpus.Kind = "itself"

// itselfGoal is the part of the comparisons that exclude what is more than boundOf.
const itselfGoal = 0.95

// strangers are the services that are compared unless others are named.
const strangers = "traefik/whoami,mccutchen/go-httpbin,stefanprodan/podinfo,patrickdappollonio/http-server"

func runItself(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/itself.jsonl")
	c.clones.Flag(b)
	b.IntVar(&c.n, "n", 40, "comparisons, of all services by turns")
	b.DurationVar(&c.trial, "budget", time.Minute, "time of each comparison")
	b.Words(&c.only, "repo", strangers, "services, OWNER/NAME")
	b.Read()
	b.Want(c.n >= 0 && c.trial > 0 && len(c.only) > 0, "want comparisons of some service, in some time")
	for _, repo := range c.only {
		s := corpus.SubjectOf(repo)
		b.Want(s != nil && s.Benchmark == "", "-repo: the service %s is not known", repo)
	}
	if err := b.Start(ctx); err != nil {
		return err
	}
	return bed.Calibration[record]{Schema: resultsSchema, Todo: c.todoItself, Write: documentItself}.Run(ctx, b)
}

// todoItself are the comparisons that the records lack.
func (c config) todoItself(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	return bed.Each(c.left(j.Records), func(repo string) string { return repo + " with itself" }, c.itself), nil
}

// left are the services of the comparisons that the records lack.
func (c config) left(records []record) (todo []string) {
	done := map[string]int{}
	for _, r := range records {
		if r.Said != nil {
			done[r.Repo]++
		}
	}
	for i := range c.n {
		repo := c.only[i%len(c.only)]
		if done[repo]--; done[repo] < 0 {
			todo = append(todo, repo)
		}
	}
	return todo
}

// before is the day on which a service is taken, so that a clone of another day has the same one.
const before = "2026-11-01"

// itself compares a service with itself.
func (c config) itself(ctx context.Context, repo string) ([]record, error) {
	dir, err := os.MkdirTemp(c.Dir, "itself-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, what, err := c.clones.On(ctx, *corpus.SubjectOf(repo), before, dir)
	if err != nil {
		return nil, err
	}
	hone := c.Hone
	hone.Dir, hone.Ledger = tree, dir+"/ledger"
	said, err := hone.Compare(ctx, what.Comparison("", c.trial)...)
	if err != nil {
		return nil, err
	}
	return []record{{Repo: repo, Commit: what.Name(), Kind: itself, Budget: c.trial, Said: &said}}, nil
}

// documentItself makes the result of the records.
func documentItself(res *bed.Result, records []record) {
	all := filter(records, func(r record) bool { return r.Said != nil })
	res.Goal("hone on services with themselves: same, or a change of more than 2 % is excluded", share(all, bounded),
		bed.AtLeast, itselfGoal)
	res.Claim("hone on services with themselves", "alarms of any measure %s, undecided %s", share(all, anyAlarm),
		share(all, undecided))
	t := res.Table("Services", "service", "n", "same", "no change", "undecided", "invalid", "excluded, %", "half-width, %",
		"different")
	var repos []string
	for _, r := range all {
		if !slices.Contains(repos, r.Repo) {
			repos = append(repos, r.Repo)
		}
	}
	for _, repo := range repos {
		some := filter(all, func(r record) bool { return r.Repo == repo })
		word := func(is func(record) bool) string { return fmt.Sprint(share(some, is).Of) }
		var different []string
		for _, r := range some {
			different = append(different, r.Said.Different...)
		}
		t.Row(repo, fmt.Sprint(len(some)), word(same), word(noChange), word(undecided), word(invalid),
			figures.Spread("%.1f", figures.Column(filter(some, func(r record) bool { return r.Said.Bound() < 1 }),
				func(r record) float64 { return 100 * r.Said.Bound() })), halves(some), strings.Join(different, ", "))
	}
}
