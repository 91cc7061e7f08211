package tune

import (
	"context"
	"slices"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// RewriteSchema is that of Rewritten as JSON.
const RewriteSchema = "hone.rewrite/1"

// Rewrite checks a change of the source and compares the program with it against the program as it
// is, under the load of the task. The tree is not touched. deciding is the measure that the change is to
// improve; only those of which less is better can be.
//
// Errors are those of rewrite.Change.Check and service.Measure. A comparison that shows other answers
// is not an error: Different says so.
func (t Trial) Rewrite(ctx context.Context, change *rewrite.Change, deciding judge.Measure) (*tuning.Rewritten, error) {
	found := &tuning.Rewritten{Schema: RewriteSchema, Does: change.Does, Notes: change.Notes,
		Patch: string(change.Patch()), Claim: tuning.NotKnown}
	t.Lab.Progress.Phase("vet and test the rewritten package", 0)
	proof, err := change.Check(ctx, rewrite.CheckOptions{})
	if err != nil {
		return nil, err
	}
	found.Tested, found.NotTested = proof.Tested, proof.NotTested
	out, err := service.Measure(ctx, t.Lab, t.rewritten(change))
	if out != nil && out.Comparison != nil {
		found.Comparison, found.Outcome = out.Comparison.ID, out
	}
	if found.Different = otherAnswers(out); found.Different != "" {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	if a, b := out.Runs[0].Binary.BuildID, out.Runs[1].Binary.BuildID; a != "" && a == b {
		return nil, fail.New(fail.Internal,
			"the rewritten program is the same as before: the build did not take the change").
			WithHint("is the file built under another path, by a symbolic link?")
	}
	judgeRewritten(found, out.Comparison.Contests[0], deciding)
	return found, nil
}

// rewritten is the comparison of the program with itself, rewritten.
func (t Trial) rewritten(change *rewrite.Change) lab.Task {
	r := t.Task
	r.ProfileTime, r.TraceTime, r.FlightTime, r.NoTrace, r.Metrics.Off, r.Metrics.Page = 0, 0, 0, true, true, ""
	r.Gates, r.Layouts, r.Calibrate = nil, 0, false
	r.Answers.Allow = false
	r.Slice = 0 // what serves a comparison best
	a, b := t.program(), t.program()
	a.Name, b.Name, b.Overlay = "A", "B", change.Overlay()
	r.Variants = []build.Variant{a, b}
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
