package noop

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.noop/1"

// record is one comparison, a calibration of a repository's planted slow-downs, or the session that the next ones
// belong to.
type record struct {
	bed.Entry
	Repo   string        `json:"repo,omitempty"`
	Commit string        `json:"commit,omitempty"`
	Kind   corpus.Kind   `json:"kind,omitempty"`
	Budget time.Duration `json:"budget_ns,omitempty"`
	// Slope is what the calibration showed.
	Slope *corpus.Slope `json:"slope,omitempty"`
	// Planted is the slow-down of B, as a fraction, made of so many iterations.
	Planted    float64 `json:"planted,omitempty"`
	Iterations int     `json:"iterations,omitempty"`
	// OtherText says that the machine code of the two programs differs, Gates that the comparison had some.
	OtherText bool `json:"other_text,omitempty"`
	Gates     bool `json:"gates,omitempty"`
	// LeavesOut says that hone was free to leave out what the benchmark or the load does not execute. Without it, until
	// November 2026, everything was measured (--all).
	LeavesOut bool            `json:"leaves_out,omitempty"`
	Said      *honecli.Said   `json:"hone,omitempty"`
	Classic   *gotest.Classic `json:"benchstat,omitempty"`
}

// trial is the i-th one of which the record can be.
func (r record) trial(i int) trial {
	return trial{NoOp: corpus.NoOp{Commit: corpus.Commit{Repo: r.Repo, Commit: r.Commit}, Kind: r.Kind},
		planted: r.Planted, i: i}
}

// String is a record as progress shows it.
func (r record) String() string {
	if r.Said == nil {
		return fmt.Sprintf("%d iterations: %v", r.Slope.Iterations, r.Slope.Ratio)
	}
	if r.Said.Unmeasured != "" {
		return fmt.Sprintf("%s, not measured: %s", r.Said.Word, r.Said.Unmeasured)
	}
	text := fmt.Sprintf("%s, %.4f (%.4f to %.4f), %.0f s of %s, other text %v, different %q %s", r.Said.Word,
		r.Said.Ratio, r.Said.Low, r.Said.High,
		r.Said.Seconds, r.Budget, r.OtherText, r.Said.Different, r.Said.Reason)
	if r.Classic != nil {
		text += fmt.Sprintf("; benchstat %.4f p = %.3g", r.Classic.Ratio, r.Classic.P)
	}
	return text
}

// service says whether the record is of a service.
func (r record) service() bool {
	s := corpus.SubjectOf(r.Repo)
	return s != nil && s.Benchmark == ""
}

// slopeOf is the calibration, if it is of another record's commit.
func (r record) slopeOf(o record) *corpus.Slope {
	if r.Repo != o.Repo || r.Commit != o.Commit {
		return nil
	}
	return r.Slope
}
