package tune

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
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
	// Benchmarks are those that show the finding; none of a finding under load.
	Benchmarks []Benchmark
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

// A Measurer measures rewrites: Trial under load, Benchmarks by benchmarks.
type Measurer interface {
	// Level is the chance that the program without a gain is said to have one, for all rewrites together.
	Level() float64
	// Measure compares the program without a change and with it, within a budget and at a level, and puts what that
	// shows into found. It may take less than the budget: elapsed. An error of kind fail.BadInput, Subject or Invalid
	// is the change's own.
	Measure(ctx context.Context, c *Candidate, change *rewrite.Change, found *tuning.Rewritten, budget time.Duration,
		alpha float64) (elapsed time.Duration, err error)
}

// Fixing is a way to try rewrites.
type Fixing struct {
	By Measurer
	// Budget is the time of all measurements together.
	Budget   time.Duration
	Progress progress.Sink
	// Keep writes down a rewrite that pays, Tried hears of each.
	Keep  func(*tuning.Rewritten, *rewrite.Change) error
	Tried func(*tuning.Rewritten)
}

// Fix tries each candidate on top of those that were kept, and reports each to Tried. A
// rewrite that pays is kept. All intervals hold at once: they share the level.
// A candidate that cannot be rewritten, fails a check or does not run is no error; Refused says why.
func (f Fixing) Fix(ctx context.Context, all []*Candidate) error {
	var kept *rewrite.Change
	left := f.Budget
	for i, c := range all {
		change, err := c.Change(ctx, kept)
		found := c.Finding
		if err == nil {
			budget := left / time.Duration(len(all)-i)
			var elapsed time.Duration
			elapsed, err = f.try(ctx, c, change, &found, budget, f.By.Level()/float64(len(all)))
			left -= min(elapsed, budget)
		}
		if err != nil {
			if !ofTheChange(ctx, err) {
				return err
			}
			refused := c.Finding
			refused.Refused, refused.Why = err.Error(), err
			f.Tried(&refused)
			continue
		}
		if found.Pays() {
			if err := f.Keep(&found, change); err != nil {
				return err
			}
			kept = change
		}
		f.Tried(&found)
	}
	return nil
}

// ofTheChange says that an error is the rewrite's own, so that others can be tried.
func ofTheChange(ctx context.Context, err error) bool {
	kinds := []fail.Kind{fail.BadInput, fail.Subject, fail.Invalid}
	return ctx.Err() == nil && slices.Contains(kinds, fail.KindOf(err))
}

// try checks a change that a candidate makes of the source, and measures it. The tree is not touched.
func (f Fixing) try(ctx context.Context, c *Candidate, change *rewrite.Change, found *tuning.Rewritten,
	budget time.Duration, alpha float64) (time.Duration, error) {
	found.Schema, found.Does, found.Notes, found.Patch, found.Claim = RewriteSchema, change.Does, change.Notes,
		string(change.Patch()), tuning.NotKnown
	f.Progress.Phase("vet and test the rewritten package", 0)
	proof, err := change.Check(ctx)
	if err != nil {
		return 0, err
	}
	found.Tested, found.NotTested = proof.Tested, proof.NotTested
	return f.By.Measure(ctx, c, change, found, budget, alpha)
}
