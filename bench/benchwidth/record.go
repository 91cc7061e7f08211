package benchwidth

import (
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session begins
// with a line that names it.
const resultsSchema = "hone.benchwidth/2"

// record is one measurement, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Way       string        `json:"way,omitempty"`
	Kind      string        `json:"kind,omitempty"`
	Benchmark string        `json:"benchmark,omitempty"`
	Budget    time.Duration `json:"budget_ns,omitempty"`
	// Slow is the side with more units of work, where that is planted.
	Slow string `json:"slow,omitempty"`
	// Verdict is about B: hone's word, or what benchstat's test says.
	Verdict judge.Word `json:"verdict,omitempty"`
	// Ratio is B's time per operation over A's.
	Ratio float64 `json:"ratio,omitempty"`
	// Seconds is the time that it took: less than the budget where hone was done earlier.
	Seconds float64 `json:"s,omitempty"`
	// How is the way that hone measured in, Half half of its interval, as a fraction.
	How    string  `json:"how,omitempty"`
	Half   float64 `json:"half,omitempty"`
	Starts int     `json:"starts,omitempty"`
	Pairs  int     `json:"pairs,omitempty"`
	// P is the p-value of benchstat's test.
	P float64 `json:"p,omitempty"`
}

// hone takes what hone bench says.
func (r *record) hone(b honecli.Bench) {
	r.Verdict, r.How, r.Ratio, r.Half = b.Word, b.How, b.Ratio, b.Resolution
	r.Starts, r.Pairs, r.Seconds = b.Starts, b.Pairs, b.Elapsed.Seconds()
}

// classic takes what benchstat's test says: it knows no "same".
func (r *record) classic(c gotest.Classic) {
	r.Ratio, r.P, r.Seconds, r.Verdict = c.Ratio, c.P, c.Seconds, judge.Undecided
	if c.P <= figures.RankLevel {
		if r.Verdict = judge.Slower; c.Ratio < 1 {
			r.Verdict = judge.Faster
		}
	}
}

// alarm says whether equal sides were called different.
func (r record) alarm() bool { return r.Verdict == judge.Slower || r.Verdict == judge.Faster }

// found says whether the planted slow-down was found on its side.
func (r record) found() bool {
	return r.Slow == "B" && r.Verdict == judge.Slower || r.Slow == "A" && r.Verdict == judge.Faster
}

// slowdown is the slow side's time over the other's.
func (r record) slowdown() float64 {
	if r.Slow == "A" {
		return 1 / r.Ratio
	}
	return r.Ratio
}

// missing lists the measurements that still have to be taken, n of each benchmark, kind and way.
func missing(records []record, n map[string]int, budget time.Duration) (todo []record) {
	for _, benchmark := range benchmarks {
		for _, kind := range kinds {
			for _, way := range ways {
				want := record{Way: way, Kind: kind, Benchmark: benchmark, Budget: budget}
				for range n[way] - len(want.like(records)) {
					todo = append(todo, want)
				}
			}
		}
	}
	return todo
}

// like are the measurements of r's way, kind, benchmark and time; an empty benchmark is any.
func (r record) like(records []record) (some []record) {
	for _, o := range records {
		if o.Session == nil && o.Way == r.Way && o.Kind == r.Kind &&
			(r.Benchmark == "" || o.Benchmark == r.Benchmark) && o.Budget == r.Budget {
			some = append(some, o)
		}
	}
	return some
}
