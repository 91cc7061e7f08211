package main

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/internal/compare"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a
// line that names it.
const schema = "hone.benchwidth/1"

// record is one measurement, or the session that the next ones belong to.
type record struct {
	At        time.Time        `json:"at"`
	Session   *results.Session `json:"session,omitempty"`
	Kind      string           `json:"kind,omitempty"`
	Benchmark string           `json:"benchmark,omitempty"`
	Budget    time.Duration    `json:"budget_ns,omitempty"`
	// Slow is the side with more units of work, where that is planted.
	Slow string `json:"slow,omitempty"`
	// Verdict is hone's word about B, How the way that it measured in.
	Verdict compare.Word `json:"verdict,omitempty"`
	How     string       `json:"how,omitempty"`
	Ratio   float64      `json:"ratio,omitempty"`
	// Half is half of the interval, as a fraction.
	Half   float64 `json:"half,omitempty"`
	Starts int     `json:"starts,omitempty"`
	Pairs  int     `json:"pairs,omitempty"`
	// Seconds is the time of the rounds: less than the budget where hone was done earlier.
	Seconds float64 `json:"s,omitempty"`
}

// Head implements results.Record.
func (r record) Head() (time.Time, *results.Session) { return r.At, r.Session }

// document is what is read of hone bench --json.
type document struct {
	Schema     string
	Elapsed    time.Duration `json:"elapsed_ns"`
	Benchmarks []struct {
		How      string
		Verdicts []compare.Verdict
	}
}

// read takes the first verdict of the only benchmark, that on time per operation.
func (r *record) read(d document) error {
	if d.Schema != "hone.bench/1" || len(d.Benchmarks) != 1 || len(d.Benchmarks[0].Verdicts) == 0 {
		return fmt.Errorf("schema %q with %d benchmarks: want hone.bench/1 with one and its verdicts", d.Schema, len(d.Benchmarks))
	}
	v := d.Benchmarks[0].Verdicts[0]
	if v.Measure.Key != "time" || !(v.Resolution < 10) {
		return fmt.Errorf("verdict on %s with half an interval of %v: want one on time", v.Measure.Key, v.Resolution)
	}
	r.Verdict, r.How, r.Ratio, r.Half = v.Word, d.Benchmarks[0].How, v.Ratio, v.Resolution
	r.Starts, r.Pairs, r.Seconds = v.Starts, v.Pairs, d.Elapsed.Seconds()
	return nil
}

// alarm says whether equal sides were called different.
func (r record) alarm() bool { return r.Verdict == compare.Slower || r.Verdict == compare.Faster }

// found says whether the planted slow-down was found on its side.
func (r record) found() bool {
	return r.Slow == "B" && r.Verdict == compare.Slower || r.Slow == "A" && r.Verdict == compare.Faster
}

// missing lists the measurements that still have to be taken.
func missing(records []record, n int, budget time.Duration) (todo []record) {
	for _, benchmark := range benchmarks {
		for _, kind := range []string{equal, planted} {
			for range n - len(of(records, benchmark, kind, budget)) {
				todo = append(todo, record{Kind: kind, Benchmark: benchmark, Budget: budget})
			}
		}
	}
	return todo
}

// of are the measurements of one benchmark, kind and time.
func of(records []record, benchmark, kind string, budget time.Duration) (some []record) {
	for _, r := range records {
		if r.Benchmark == benchmark && r.Kind == kind && r.Budget == budget {
			some = append(some, r)
		}
	}
	return some
}
