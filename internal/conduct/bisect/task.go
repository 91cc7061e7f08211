package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Task is what to find: what is asked for of a search, and what a command adds. Bisect.Module is the one whose versions
// the history has; empty of the user's own history.
type Task struct {
	spec.Bisect
	// Dir lies in the repository.
	Dir string
	// Good and Bad are git refs, the ends of the history.
	Good, Bad string
	// Most is how many probes there can be; 0 is DefaultMost.
	Most int
	// Notes are what the user should know of the history.
	Notes []string
	// Measurer is what is measured.
	Measurer Measurer
	// Log receives what was found out, line by line, and has what an earlier search found out; required.
	Log *Log
	// Progress hears what is going on; required.
	Progress progress.Sink
}

// DefaultMost is how many probes a search has at most: some four times as many as one of 1,000 commits takes.
const DefaultMost = 40

// Validate reports all faults of the task at once, as fail.BadInput.
func (r Task) Validate() error {
	var faults []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	want(r.Good != "", "there is no good commit")
	want(r.Every >= 0, "--every %d is negative", r.Every)
	want(r.Most >= 0, "%d probes are negative", r.Most)
	if err := errors.Join(faults...); err != nil {
		return fail.New(fail.BadInput, "check request: %w",
			err).WithHint("for example: hone bisect v1.0 HEAD ./cmd/server")
	}
	return nil
}

// Measurer measures two commits of a history.
type Measurer interface {
	// Prepare makes what all comparisons need, given both ends and where checkouts are made. The directories are those
	// whose Go files are built, at the good or at the bad end, slash-separated from the root of the repository; nil:
	// they are not known.
	Prepare(ctx context.Context, t *trees, good, bad git.Commit) (dirs []string, err error)
	// Matters says whether a file may have a part in what is measured. built says whether its directory is one of those
	// of Prepare.
	Matters(file string, built bool) bool
	// Compare measures b against a.
	Compare(ctx context.Context, a, b git.Commit, q Question) (*Reply, error)
	// Command is the command line that compares two commits again.
	Command(a, b string, t commitsearch.Target) string
}

// Question is what a comparison is to answer.
type Question struct {
	// Target is nil of the comparison of both ends, which looks at all that can be measured.
	Target *commitsearch.Target
	// Probe asks on which side of Limit the target's ratio of b to a lies, in one stage. Otherwise the comparison has
	// two stages and profiles.
	Probe bool
	Limit float64
	// Budget is the most time of a probe.
	Budget time.Duration
}

// probeAlpha is the level of a probe. It is high, since no probe decides alone: a wrong one is outvoted by those that
// follow.
const probeAlpha = 0.2

// Reply is what a comparison of two commits showed.
type Reply struct {
	// ID is its name in the ledger; empty if it was not kept.
	ID string
	// Refused says why the second commit could not be measured; empty if it was.
	Refused string
	// Same says that both have the same code, for what was asked; SameAsBad that the second commit has that of the bad
	// end, and was not measured.
	Same, SameAsBad bool
	// Verdicts are those on all targets that were asked for.
	Verdicts []commitsearch.TargetVerdict
	// Note is what the user should know of how it was measured; empty for nothing.
	Note string
	// Go are the toolchains that built both.
	Go [2]string
	// Benchmark or Contest is what the comparison says of its target in full; of a probe neither.
	Benchmark *benchmarks.Benchmark
	Contest   *record.Contest
}

// of is the verdict on a target; ok is false where there is none.
func (c *Reply) of(t commitsearch.Target) (v judge.Verdict, ok bool) {
	for _, one := range c.Verdicts {
		if one.Target.Benchmark == t.Benchmark && one.Target.Package == t.Package &&
			one.Target.Measure.Key == t.Measure.Key {
			return one.Verdict, true
		}
	}
	return judge.Verdict{}, false
}

// manyStarts stands for the number of starts of a verdict on pooled slices, whose interval is nearly a normal one.
const manyStarts = 100

// observed is a verdict as the logarithm of its ratio and the standard error of that, which is 0 of a count that all
// samples agree on. It is not ok without an interval.
func observed(v judge.Verdict) (log, err float64, ok bool) {
	if v.Method == compare.Exact && v.Ratio > 0 {
		return math.Log(v.Ratio), 0, true
	}
	if !v.Bounded() || !(v.Ratio > 0) {
		return 0, 0, false
	}
	half := (math.Log(v.High) - math.Log(v.Low)) / 2
	width := stats.StudentWidth(1-v.Conf, manyStarts)
	if v.Method != judge.Ranks && v.Starts > 1 {
		width = stats.StudentWidth(1-v.Conf, v.Starts-1)
	}
	if math.IsInf(width, 0) || !(width > 0) {
		return 0, 0, false
	}
	return math.Log(v.Ratio), half / width, true
}
