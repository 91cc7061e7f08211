// Package conductor carries out measurements: it takes blocks of samples until they answer what was asked.
package conductor

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
)

// Sampler takes samples of what is measured: services under load, programs that end by themselves, benchmarks.
type Sampler interface {
	// Sample takes a block: it starts everything afresh, in an order drawn again, and samples all of it. It returns how
	// long a block takes.
	Sample(ctx context.Context, block int) (perBlock time.Duration, err error)
	// Look judges the blocks so far, and says whether they are enough.
	Look(perBlock time.Duration) (over bool, err error)
	// Finish ends the block that was sampled: what runs is stopped, and what it showed is stored, so that a crash loses
	// one block at most. After the last block it takes the profiles first.
	Finish(ctx context.Context, last bool) error
}

// Conduct takes blocks until the sampler has seen enough, which it looks at as often as the pace allows. It ends with
// the first error of the sampler, which keeps what was sampled before.
func Conduct(ctx context.Context, pace *compare.Pace, s Sampler) error {
	for block := 0; ; block++ {
		perBlock, err := s.Sample(ctx, block)
		if err != nil {
			return err
		}
		over := false
		if pace.Due(block+1, perBlock) {
			if over, err = s.Look(perBlock); err != nil {
				return err
			}
		}
		if err := s.Finish(ctx, over); err != nil || over {
			return err
		}
	}
}
