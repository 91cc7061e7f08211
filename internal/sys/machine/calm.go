package machine

import (
	"context"
	"time"
)

const (
	// calmShare is the part of a budget, 1 in calmShare, in which AwaitCalm waits; calmMoment is how long a calm moment is.
	calmShare  = 16
	calmMoment = 100 * time.Millisecond
)

// AwaitCalm waits until nothing but hone uses the machine, for a part of the budget at most: what is measured after that
// has another neighbour, or none. Nothing that is measured may run meanwhile.
func (g *Gauge) AwaitCalm(ctx context.Context, budget time.Duration) {
	for began := time.Now(); time.Since(began) < budget/calmShare && ctx.Err() == nil; {
		before, own := g.Read(), OwnCPU()
		select {
		case <-ctx.Done():
		case <-time.After(calmMoment):
		}
		if !g.Read().Since(before).WithOwn(OwnCPU() - own).Noticeable() {
			return
		}
	}
}
