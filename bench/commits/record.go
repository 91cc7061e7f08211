package commits

import (
	"cmp"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session begins
// with a line that names it.
const resultsSchema = "hone.commits/2"

// record is one commit as it was measured, or the session that the next ones belong to. All
// ratios are the commit's time per operation over its parent's.
type record struct {
	bed.Entry
	Repo      string        `json:"repo,omitempty"`
	Commit    string        `json:"commit,omitempty"`
	Benchmark string        `json:"benchmark,omitempty"`
	Budget    time.Duration `json:"budget_ns,omitempty"`
	// ByHone is hone's estimate with its interval, Verdict its word, Seconds the time that it took.
	ByHone  figures.Ratio  `json:"hone,omitzero"`
	Verdict judge.Word     `json:"verdict,omitempty"`
	Seconds float64        `json:"s,omitempty"`
	Classic gotest.Classic `json:"benchstat,omitzero"`
	// Truth is what a long run of so many rounds found, each with both sides linked anew.
	Truth  figures.Ratio `json:"truth,omitzero"`
	Rounds int           `json:"rounds,omitempty"`
}

// of says whether the record is the measurement of a commit.
func (r record) of(c commit) bool {
	return r.Repo == c.Repo && r.Commit == c.Name() && r.Benchmark == c.Benchmark
}

// missing lists the commits that still have to be measured.
func missing(records []record) (todo []commit) {
	for _, c := range commits {
		if !slices.ContainsFunc(records, func(r record) bool { return r.of(c) }) {
			todo = append(todo, c)
		}
	}
	return todo
}

// hone takes what hone bench says.
func (r *record) hone(b honecli.Bench) {
	r.Verdict, r.ByHone, r.Seconds = b.Word, figures.Ratio{Value: b.Ratio, Low: b.Low, High: b.High},
		b.Elapsed.Seconds()
}

// overlaps says whether hone's interval and that of the truth have a value in common.
func (r record) overlaps() bool { return r.ByHone.Low <= r.Truth.High && r.Truth.Low <= r.ByHone.High }

// verdictSign is what hone calls the change: 1 for slower, -1 for faster, 0 for no difference.
func (r record) verdictSign() int {
	switch r.Verdict {
	case judge.Slower:
		return 1
	case judge.Faster:
		return -1
	default:
		return 0
	}
}

// classicSign is what benchstat calls it.
func (r record) classicSign() int {
	if r.Classic.P > figures.RankLevel {
		return 0
	}
	return cmp.Compare(r.Classic.Ratio, 1)
}

// right says whether a sign is that of the truth.
func (r record) right(sign int) bool {
	if r.Truth.Has(1) {
		return sign == 0
	}
	return sign == cmp.Compare(r.Truth.Value, 1)
}
