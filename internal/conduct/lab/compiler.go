package lab

import (
	"context"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/decisions"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
)

// AskCompiler adds what the compiler decided otherwise to the explanations of the differences that were measured. cpu
// are the CPU profiles of a side.
func (m *Measurement) AskCompiler(ctx context.Context, c *record.Comparison, sides []*Side,
	cpu func(side int) []prof.Capture) {
	for i := range c.Contests {
		contest := &c.Contests[i]
		a, b := sides[contest.A], sides[contest.B]
		measured := conclusion.Measured{Verdicts: contest.Verdicts}
		for _, v := range contest.Verdicts {
			switch {
			case !v.Word.Different():
			case v.Measure.Key == measure.CPU.Key:
				measured.CPU = contest.Why
			case v.Measure.Key == measure.Allocs.Key:
				measured.Allocs = contest.WhyAllocs
			}
		}
		if measured.CPU == nil && measured.Allocs == nil || a.Digest != "" || b.Digest != "" {
			continue
		}
		m.Progress.Phase("ask the compiler what it decided", 0)
		ask := func(ctx context.Context, side int, packages []string) (decisions.Listing, error) {
			return [2]*build.Binary{a.Binary, b.Binary}[side].Decisions(ctx, packages)
		}
		conclusion.AskCompiler(ctx, ask, a.Code(), [2][]prof.Capture{cpu(contest.A), cpu(contest.B)}, measured)
	}
}
