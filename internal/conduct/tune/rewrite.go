package tune

import (
	"context"
	"fmt"
	"slices"
	"time"

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

// Candidate is a finding whose rewrite can be tried.
type Candidate struct {
	// Finding has the number of the finding, its rule, title and line.
	Finding tuning.Rewritten
	How     *rewrite.Rewrite
	Place   rewrite.Place
	Options rewrite.Options
	// Decides is the measure that the rewrite is to improve; only those of which less is better can be.
	Decides judge.Measure
}

// Change makes the rewrite on top of another one, which may be nil. Errors are those of rewrite.Rewrite.Apply.
func (c *Candidate) Change(ctx context.Context, on *rewrite.Change) (*rewrite.Change, error) {
	o := c.Options
	o.On = on
	change, err := c.How.Apply(ctx, o, c.Place)
	if err != nil {
		return nil, fmt.Errorf("finding %s is not rewritten: %w", c.Finding.Rule, err)
	}
	return change, nil
}

// Fix tries each candidate on top of those that were kept, within the budget of the task, and reports each to tried. A
// rewrite that pays is kept: keep writes it down, and nil keeps none. All intervals hold at once: they share the level.
// A candidate that cannot be rewritten, fails a check or does not run is no error; Refused says why.
func (t Trial) Fix(ctx context.Context, all []*Candidate, keep func(*tuning.Rewritten, *rewrite.Change) error,
	tried func(*tuning.Rewritten)) error {
	var kept *rewrite.Change
	left := t.Task.Budget
	for i, c := range all {
		one := t
		one.Task.Budget, one.Task.Alpha = left/time.Duration(len(all)-i), t.alpha()/float64(len(all))
		change, err := c.Change(ctx, kept)
		var found *tuning.Rewritten
		if err == nil {
			found, err = one.Rewrite(ctx, c, change)
		}
		if err != nil {
			if !ofTheChange(ctx, err) {
				return err
			}
			refused := c.Finding
			refused.Refused, refused.Why = err.Error(), err
			tried(&refused)
			continue
		}
		if found.Outcome != nil && found.Outcome.Comparison != nil {
			left -= min(found.Outcome.Comparison.Elapsed, one.Task.Budget)
		}
		if found.Pays() {
			if err := keep(found, change); err != nil {
				return err
			}
			kept = change
		}
		tried(found)
	}
	return nil
}

// ofTheChange says that an error is the rewrite's own, so that others can be tried.
func ofTheChange(ctx context.Context, err error) bool {
	kinds := []fail.Kind{fail.BadInput, fail.Subject, fail.Invalid}
	return ctx.Err() == nil && slices.Contains(kinds, fail.KindOf(err))
}

// Rewrite checks a change that a candidate makes of the source, and compares the program with it against the program
// without it, under the load of the task. The tree is not touched.
//
// Errors are those of rewrite.Change.Check and service.Measure. A comparison that shows other answers
// is not an error: Different says so.
func (t Trial) Rewrite(ctx context.Context, c *Candidate, change *rewrite.Change) (*tuning.Rewritten, error) {
	one := c.Finding
	found := &one
	found.Schema, found.Does, found.Notes, found.Patch, found.Claim = RewriteSchema, change.Does, change.Notes,
		string(change.Patch()), tuning.NotKnown
	t.Lab.Progress.Phase("vet and test the rewritten package", 0)
	proof, err := change.Check(ctx)
	if err != nil {
		return nil, err
	}
	found.Tested, found.NotTested = proof.Tested, proof.NotTested
	out, err := service.Measure(ctx, t.Lab, t.rewritten(change))
	if out != nil && out.Comparison != nil {
		found.Comparison, found.Outcome = out.Comparison.ID, out
	}
	if out != nil && out.Comparison != nil && len(out.Comparison.Contests) > 0 && out.Comparison.Contests[0].Answers != nil {
		found.Compared = int(out.Comparison.Contests[0].Answers.Compared)
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
	judgeRewritten(found, out.Comparison.Contests[0], c.Decides)
	return found, nil
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
