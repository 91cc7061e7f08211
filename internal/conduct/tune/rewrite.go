package tune

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

var _ Measurer = Trial{}

// Level is that of the task.
func (t Trial) Level() float64 { return judge.Options{Alpha: t.Task.Alpha}.WithDefaults().Alpha }

// Measure compares the program with a change against the program without it, under the load of the task.
//
// Errors are those of service.Measure. A comparison that shows other answers is not an error: Different says so.
func (t Trial) Measure(ctx context.Context, c *Candidate, change *rewrite.Change, found *tuning.Rewritten,
	budget time.Duration, alpha float64) (elapsed time.Duration, err error) {
	t.Task.Budget, t.Task.Alpha = budget, alpha
	out, err := service.Measure(ctx, t.Lab, t.rewritten(change))
	if out != nil && out.Comparison != nil {
		found.Comparison, found.Outcome, elapsed = out.Comparison.ID, out, out.Comparison.Elapsed
		if all := out.Comparison.Contests; len(all) > 0 && all[0].Answers != nil {
			found.Compared = int(all[0].Answers.Compared)
		}
	}
	if found.Different = otherAnswers(out); found.Different != "" {
		return elapsed, nil
	}
	if err != nil {
		return elapsed, err
	}
	if a, b := out.Runs[0].Binary.BuildID, out.Runs[1].Binary.BuildID; a != "" && a == b {
		return elapsed, fail.New(fail.Internal,
			"the rewritten program is the same as before: the build did not take the change").
			WithHint("is the file built under another path, by a symbolic link?")
	}
	judgeRewritten(found, out.Comparison.Contests[0], c.Decides)
	return elapsed, nil
}

// rewritten is the comparison of the program without a change and with it.
func (t Trial) rewritten(change *rewrite.Change) lab.Task {
	r := t.Task
	r.ProfileTime, r.TraceTime, r.FlightTime, r.NoTrace, r.Metrics.Off, r.Metrics.Page = 0, 0, 0, true, true, ""
	r.Gates, r.Layouts, r.Calibrate = nil, 0, false
	r.Answers.Allow = false
	r.Slice = 0 // what serves a comparison best
	a, b := t.program(), t.program()
	a.Name, a.Overlay = "A", change.Before()
	b.Name, b.Overlay = "B", change.Overlay()
	r.Variants = append(r.Variants[:0:0], a, b)
	return r
}

// otherAnswers says how the answers of a comparison differ; empty if they do not, or were not
// compared.
func otherAnswers(out *record.Outcome) string {
	if out == nil || out.Comparison == nil || len(out.Comparison.Contests) == 0 {
		return ""
	}
	a := out.Comparison.Contests[0].Answers
	if a == nil || a.Compared == 0 || a.Same {
		return ""
	}
	text := a.How()
	if example := a.Example(); example != "" {
		text += "; first: " + example
	}
	return text
}

// judge reads the verdicts of the comparison.
func judgeRewritten(r *tuning.Rewritten, c record.Contest, deciding judge.Measure) {
	r.Verdicts, r.Caveats = c.Verdicts, c.Caveats
	i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == deciding.Key })
	if i < 0 {
		return
	}
	r.Decides = &c.Verdicts[i]
	r.Claim = tuning.ClaimOf(c.Verdicts[i], true)
}
