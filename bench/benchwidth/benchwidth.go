// Package benchwidth measures what verdicts of hone bench are worth, on benchmarks of six public libraries (subject; in
// YAML and Pprof the collector is busy): how wide its intervals are after 30 s, how often it calls a benchmark
// different from itself, and how often it finds a slow-down of 1.5 % that was planted. In the same time, benchstat gets
// ten samples of one process, then ten of another one. All kinds and both ways take turns in random order.
//
// What it does not show: one machine, and its days; one binary on both sides; operations that differ have wider
// intervals.
package benchwidth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
)

// Case is the benchmark of benchmarks.
var Case = bed.Case{
	Name:  "benchwidth",
	Shows: "width of hone bench's intervals in 30 s, false alarms, a planted 1.5 % found, beside benchstat",
	Takes: "an hour and a half; goes on where it was", About: bed.AboutBenchmarks,
	Run: run,
}

// subject is the directory of the benchmarks, from the directory bench.
const subject = "benchwidth/subject"

// benchmarks are those of the subject.
var benchmarks = []string{"Zstd", "GJSON", "FastHTTP", "Prometheus", "YAML", "Pprof"}

// The kinds of measurements.
const (
	equal   = "aa"
	planted = "planted-1.5"
)

var kinds = []string{equal, planted}

// fastUnits are the units of work of an operation, unitsOf those of the slow side by kind.
const fastUnits = 200

var unitsOf = map[string]int{equal: fastUnits, planted: 203}

// equalDelta is the tolerance for equal sides: with hone's default of 1 % most of them end long before their budget,
// with an interval of just that.
const equalDelta = 0.005

// The ways of measuring.
const (
	byHone      = "hone"
	byBenchstat = "benchstat"
)

var ways = []string{byHone, byBenchstat}

func run(ctx context.Context, b *bed.Bed) error {
	b.Keeps("results/benchwidth.jsonl")
	n := b.Int("n", 10, "measurements by hone of each benchmark and kind")
	classic := b.Int("benchstat", 5, "measurements for benchstat of each benchmark and kind")
	budget := b.Duration("budget", 30*time.Second,
		"time of one measurement; those of another time are not mixed with them")
	b.Read()
	b.Want(*n > 0 && *classic >= 0 && *budget > 0, "want one measurement of hone and some time at least")
	if err := b.Start(ctx); err != nil {
		return err
	}
	want := map[string]int{byHone: *n, byBenchstat: *classic}
	m := &measurement{hone: b.Hone, dir: b.Dir}
	m.hone.Dir = subject
	begin := func(ctx context.Context) (err error) {
		m.binary, err = gotest.Build(ctx, subject, filepath.Join(b.Dir, "subject.test"))
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		missing := missing(j.Records, want, *budget)
		rand.Shuffle(len(missing), func(i, j int) { missing[i], missing[j] = missing[j], missing[i] })
		name := func(r record) string { return r.Benchmark + " " + r.Kind + " by " + r.Way }
		return bed.Each(missing, name, bed.One(m.take)), nil
	}
	return bed.Calibration[record]{Schema: resultsSchema, Begin: begin, Todo: todo, Write: document{*budget}.write}.Run(ctx, b)
}

// String is a record as progress shows it.
func (r record) String() string {
	return fmt.Sprintf("%s, ratio %.4f, slow side %s, half-width %.2f %%", r.Verdict, r.Ratio, r.Slow, 100*r.Half)
}

// measurement takes measurements.
type measurement struct {
	hone   honecli.Hone
	binary gotest.Binary
	dir    string // of what is thrown away at the end
}

// take compares the benchmark with itself, one side with more units where that is planted.
func (m *measurement) take(ctx context.Context, r record) (record, error) {
	r.Slow = []string{"A", "B"}[rand.IntN(2)]
	units := map[string]string{"A": unitsEnv(fastUnits), "B": unitsEnv(fastUnits)}
	units[r.Slow] = unitsEnv(unitsOf[r.Kind])
	if r.Way == byBenchstat {
		sideOf := func(name string) gotest.Side {
			return gotest.Side{Binary: m.binary, Pattern: "^Benchmark" + r.Benchmark + "$", Env: []string{units[name]}}
		}
		c, err := gotest.OldThenNew(ctx, sideOf("A"), sideOf("B"), r.Budget)
		r.classic(c)
		return r, err
	}
	var err error
	if m.hone.Ledger, err = os.MkdirTemp(m.dir, "ledger-"); err != nil {
		return r, fmt.Errorf("make a place for the ledger: %w", err)
	}
	args := []string{"--vs", "./", "--bench", r.Benchmark, "--budget", r.Budget.String(), "--env", "A:" + units["A"],
		"--env", "B:" + units["B"]}
	if r.Kind == equal {
		args = append(args, "--delta", fmt.Sprint(equalDelta))
	}
	b, err := m.hone.Bench(ctx, args...)
	r.hone(b)
	return r, err
}

func unitsEnv(n int) string { return fmt.Sprintf("UNITS=%d", n) }
