package pullrequest

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.pullrequest/1"

// record is one pull request, a calibration of a library's slow-downs, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Repo   string        `json:"repo,omitempty"`
	Commit string        `json:"commit,omitempty"`
	Kind   corpus.Kind   `json:"kind,omitempty"`
	Slope  *corpus.Slope `json:"slope,omitempty"`
	// Planted is the slow-down, as a fraction, made of so many iterations.
	Planted    float64 `json:"planted,omitempty"`
	Iterations int     `json:"iterations,omitempty"`
	Said       *answer `json:"hone,omitempty"`
}

// answer is what hone bench said.
type answer struct {
	// Exit is its exit code; Seconds is the time of the whole command, builds included, Measured that of the rounds.
	Exit     int     `json:"exit"`
	Seconds  float64 `json:"s"`
	Measured float64 `json:"measured_s"`
	// Benchmarks is how many it measured. SameCode and NotExecuted are those that it did not, by why.
	Benchmarks  int `json:"benchmarks"`
	SameCode    int `json:"same_code,omitempty"`
	NotExecuted int `json:"not_executed,omitempty"`
	// Passed, Failed and Open count gates, of all benchmarks; FailedOf are the benchmarks of those that failed.
	Passed   int      `json:"passed"`
	Failed   int      `json:"failed,omitempty"`
	Open     int      `json:"open,omitempty"`
	FailedOf []string `json:"failed_of,omitempty"`
	// Faults is how many benchmarks and packages did not build or run.
	Faults int `json:"faults,omitempty"`
}

// limit is the time in which gates are to be decided.
const limit = 3 * time.Minute

// inTime says whether all gates were decided within the limit.
func (r record) inTime() bool { return r.Said.Open == 0 && r.Said.Seconds <= limit.Seconds() }

// stopped says whether the request was.
func (r record) stopped() bool { return r.Said.Exit == 1 && r.Said.Failed > 0 }

// slopeOf is the calibration, if it is of another record's commit.
func (r record) slopeOf(o record) *corpus.Slope {
	if r.Repo != o.Repo || r.Commit != o.Commit {
		return nil
	}
	return r.Slope
}

// String is a record as progress shows it.
func (r record) String() string {
	if r.Said == nil {
		return fmt.Sprintf("%d iterations: %v", r.Slope.Iterations, r.Slope.Ratio)
	}
	s := r.Said
	return fmt.Sprintf("exit %d after %.0f s; %d measured, %d of the same code, %d not executed; gates: %d passed, "+
		"%d failed %s, %d open", s.Exit, s.Seconds, s.Benchmarks, s.SameCode, s.NotExecuted, s.Passed, s.Failed,
		strings.Join(s.FailedOf, ", "), s.Open)
}
