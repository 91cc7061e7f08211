// Command benchwidth measures what verdicts of hone bench are worth, on benchmarks of six public
// libraries: how wide its intervals are after 30 s, how often it calls a benchmark different from
// itself, and how often it finds a slow-down of 1.5 % that was planted. Beside it, benchstat gets
// the same time.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./benchwidth
//
// Every measurement is one line in a file of results, so that one that was interrupted goes on where
// it stopped. Nothing else should run meanwhile.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

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

// equalDelta is the tolerance for equal sides: with hone's default of 1 % most of them end long before their budget, with
// an interval of just that.
const equalDelta = 0.005

// The ways of measuring.
const (
	byHone      = "hone"
	byBenchstat = "benchstat"
)

var ways = []string{byHone, byBenchstat}

type config struct {
	hone, results, doc string
	n, classic         int
	budget             time.Duration
	resume, report     bool
}

func main() { side.Main("benchwidth", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("benchwidth")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "benchwidth/results.jsonl", "`file` of results, a line for each measurement")
	fs.StringVar(&c.doc, "doc", "../docs/calibration-bench.md", "`file` that the document is written to")
	fs.IntVar(&c.n, "n", 10, "measurements by hone of each benchmark and kind")
	fs.IntVar(&c.classic, "benchstat", 5, "measurements for benchstat of each benchmark and kind")
	fs.DurationVar(&c.budget, "budget", 30*time.Second, "time of one measurement; those of another time are not mixed with them")
	fs.BoolVar(&c.resume, "resume", true, "go on where the file of results ends; else begin anew and keep it as FILE.old")
	fs.BoolVar(&c.report, "report", false, "measure nothing, write the document from the results")
	fs.Read(args)
	fs.Want(c.n > 0 && c.classic >= 0 && c.budget > 0, "want one measurement of hone and some time at least")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	if !c.report {
		if err := measure(ctx, c); err != nil {
			return err
		}
	}
	return results.Publish(c.results, resultsSchema, c.doc, document{c.budget}.write)
}

// measure takes what the file of results lacks, in random order.
func measure(ctx context.Context, c config) (err error) {
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	hone.Dir = subject
	j, err := results.Open[record](c.results, resultsSchema, c.resume)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	trials := missing(j.Records, map[string]int{byHone: c.n, byBenchstat: c.classic}, c.budget)
	rand.Shuffle(len(trials), func(i, j int) { trials[i], trials[j] = trials[j], trials[i] })
	if len(trials) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "hone-benchwidth-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	m := measurement{hone: hone, dir: dir}
	if m.binary, err = gotest.Build(ctx, subject, filepath.Join(dir, "subject.test")); err != nil {
		return err
	}
	session, err := results.Begin(ctx, hone, resultsSchema, "benchwidth")
	if err != nil {
		return err
	}
	if err := j.Add(record{At: results.Now(), Session: session}); err != nil {
		return err
	}
	for i, r := range trials {
		fmt.Fprintf(os.Stderr, "%d of %d: %s %s by %s: ", i+1, len(trials), r.Benchmark, r.Kind, r.Way)
		if err := m.take(ctx, &r); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s, ratio %.4f, slow side %s, half-width %.2f %%\n", r.Verdict, r.Ratio, r.Slow, 100*r.Half)
		if err := j.Add(r); err != nil {
			return err
		}
	}
	return nil
}

// measurement takes measurements.
type measurement struct {
	hone   honecli.Hone
	binary gotest.Binary
	dir    string // of what is thrown away at the end
}

// take compares the benchmark with itself, one side with more units where that is planted.
func (m measurement) take(ctx context.Context, r *record) error {
	r.Slow = []string{"A", "B"}[rand.IntN(2)]
	units := map[string]string{"A": unitsEnv(fastUnits), "B": unitsEnv(fastUnits)}
	units[r.Slow] = unitsEnv(unitsOf[r.Kind])
	if r.Way == byBenchstat {
		sideOf := func(name string) gotest.Side {
			return gotest.Side{Binary: m.binary, Pattern: "^Benchmark" + r.Benchmark + "$", Env: []string{units[name]}}
		}
		c, err := gotest.OldThenNew(ctx, sideOf("A"), sideOf("B"), r.Budget)
		r.classic(c)
		r.At = results.Now()
		return err
	}
	var err error
	if m.hone.Ledger, err = os.MkdirTemp(m.dir, "ledger-"); err != nil {
		return fmt.Errorf("make a place for the ledger: %w", err)
	}
	args := []string{"--vs", "./", "--bench", r.Benchmark, "--budget", r.Budget.String(), "--env", "A:" + units["A"], "--env", "B:" + units["B"]}
	if r.Kind == equal {
		args = append(args, "--delta", fmt.Sprint(equalDelta))
	}
	b, err := m.hone.Bench(ctx, args...)
	r.hone(b)
	r.At = results.Now()
	return err
}

func unitsEnv(n int) string { return fmt.Sprintf("UNITS=%d", n) }
