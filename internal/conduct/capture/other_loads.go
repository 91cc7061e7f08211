package capture

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/spec"
)

// underAgents is under with load from agents. They start a while after they are told to, and end a while after do has
// ended, so the answers of its time follow from the rate.
func (c *Program) underAgents(ctx context.Context, do func() error) (operations, did uint64, took time.Duration,
	err error) {
	seen, err := c.steady(ctx, spec.MostTrace, nil, func() error {
		began := time.Now()
		defer func() { took = time.Since(began) }()
		return do()
	})
	if seen.Duration > 0 {
		did = uint64(float64(seen.Answered) * took.Seconds() / seen.Duration.Seconds())
	}
	return did, did, took, err
}

// during is the part of the operations that were carried out while something else ran, at an even rate. hone's own load
// ends with it; a load command goes on to its end.
func (c *Program) during(operations uint64, whole, part time.Duration) uint64 {
	if !c.Spec.LoadCommand.Given() || whole <= 0 || part >= whole {
		return operations
	}
	return uint64(float64(operations) * float64(part) / float64(whole))
}
