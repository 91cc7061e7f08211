// Command benchwidth measures what verdicts of hone bench are worth: how wide its intervals are
// after 30 s, how often it calls a benchmark different from itself, and how often it finds a
// slow-down of 1.5 % that was planted.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./benchwidth -n 20
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
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

// subject is the directory of the benchmarks, from the directory bench.
const subject = "benchwidth/subject"

// benchmarks are those of the subject.
var benchmarks = []string{"Hash", "Sort", "Collect"}

// unitsOf are the units of work of an operation by kind: of the slow side.
var unitsOf = map[string]int{equal: fastUnits, planted: 203}

const (
	equal     = "aa"
	planted   = "planted-1.5"
	fastUnits = 200
)

type config struct {
	hone, results string
	n             int
	budget        time.Duration
	resume        bool
	report        bool
}

func main() { side.Main("benchwidth", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("benchwidth")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "../bin/benchwidth.jsonl", "`file` of results, a line for each measurement")
	fs.IntVar(&c.n, "n", 20, "measurements of each benchmark and kind")
	fs.DurationVar(&c.budget, "budget", 30*time.Second, "time of one measurement; those of another time are not mixed with them")
	fs.BoolVar(&c.resume, "resume", true, "go on where the file of results ends; else begin anew and keep it as FILE.old")
	fs.BoolVar(&c.report, "report", false, "measure nothing, print the table of the results")
	fs.Read(args)
	fs.Want(c.n > 0 && c.budget > 0, "want one measurement and some time at least")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	if c.report {
		records, err := results.Read[record](c.results, schema)
		if err != nil {
			return err
		}
		return printTable(os.Stdout, records, c.budget)
	}
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	hone.Dir = subject
	j, err := results.Open[record](c.results, schema, c.resume)
	if err != nil {
		return err
	}
	err = measure(ctx, hone, j, c)
	return errors.Join(err, printTable(os.Stdout, j.Records, c.budget), j.Close())
}

// measure takes what the results lack, in random order.
func measure(ctx context.Context, hone honecli.Hone, j *results.Journal[record], c config) error {
	trials := missing(j.Records, c.n, c.budget)
	rand.Shuffle(len(trials), func(i, j int) { trials[i], trials[j] = trials[j], trials[i] })
	if len(trials) == 0 {
		return nil
	}
	version, err := hone.Version(ctx)
	if err != nil {
		return fmt.Errorf("ask hone for its version: %w", err)
	}
	command := strings.Join(append([]string{"go run ./benchwidth"}, os.Args[1:]...), " ")
	if err := j.Add(record{At: results.Now(), Session: results.NewSession(schema, version, command)}); err != nil {
		return err
	}
	for i, r := range trials {
		fmt.Fprintf(os.Stderr, "%d of %d: %s %s: ", i+1, len(trials), r.Benchmark, r.Kind)
		if err := take(ctx, hone, &r); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s, half-width %.2f %%\n", r.Verdict, 100*r.Half)
		if err := j.Add(r); err != nil {
			return err
		}
	}
	return nil
}

// take lets hone compare the benchmark with itself, one side with more units where that is planted.
func take(ctx context.Context, hone honecli.Hone, r *record) (err error) {
	if hone.Ledger, err = os.MkdirTemp("", "hone-benchwidth-"); err != nil {
		return fmt.Errorf("make a place for the ledger: %w", err)
	}
	defer os.RemoveAll(hone.Ledger)
	r.Slow = []string{"A", "B"}[rand.IntN(2)]
	fast := map[string]string{"A": "B", "B": "A"}[r.Slow]
	var d document
	done, err := hone.Ask(ctx, &d, []int{honecli.Regression, honecli.Undecided}, "bench --quiet", "--vs", "./", "--bench", r.Benchmark,
		"--budget", r.Budget.String(), "--env", fmt.Sprintf("%s:UNITS=%d", r.Slow, unitsOf[r.Kind]), "--env", fmt.Sprintf("%s:UNITS=%d", fast, fastUnits))
	if err != nil {
		return err
	}
	r.At = results.Now()
	if err := r.read(d); err != nil {
		return fmt.Errorf("read what hone bench prints: %w in %.200q", err, done.Stdout)
	}
	return nil
}
