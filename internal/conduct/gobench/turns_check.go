package gobench

import (
	"errors"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/share"
)

const (
	// singlePairs is how many pairs of single processes are run beside the turns of a benchmark:
	// enough for an interval at singleAlpha, and two per cent of the time.
	singlePairs = 10
	// singleAlpha is the level of their interval. Many benchmarks have one, and that it misses
	// the turns' interval by chance shall be rare.
	singleAlpha = 0.01
)

// differenceFromTurns holds the single processes of a benchmark against the verdict from its turns; nil
// unless the two intervals do not meet.
func (b *bench) differenceFromTurns(c share.Contest) (*benchmarks.Differs, error) {
	if b.how != benchmarks.ByTurns || !c.Known || len(b.singles) < singlePairs {
		return nil, nil
	}
	v, err := compare.DecideOperations(c.Verdict.Measure, b.singles,
		judge.Options{Alpha: singleAlpha, Delta: c.Verdict.Delta})
	switch {
	case errors.Is(err, judge.ErrNotObserved):
		return nil, nil
	case err != nil:
		return nil, err
	case v.Low > c.Verdict.High || v.High < c.Verdict.Low:
		return &benchmarks.Differs{Single: v}, nil
	}
	return nil, nil
}
