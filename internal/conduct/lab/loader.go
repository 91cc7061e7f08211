package lab

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Loader loads one start: hone's own sessions, agents, or a load command of the user's.
type Loader interface {
	Run(ctx context.Context, g load.Stretch, each func(load.Slice)) error
	Slice(ctx context.Context, d, drain time.Duration) (load.Slice, error)
	EndSending()
	Close() (load.Counts, error)
}

// Agents load the programs from other machines, instead of hone.
type Agents struct {
	Names []string
	// Open connects them to a program. Options and plan are those of all of them together. Errors are those of package
	// fleet.
	Open func(ctx context.Context, target string, o wire.Options, plan load.Plan) (Loader, error)
	// Apart is by how much they began each slice so far apart, warm-ups included, and a bound of the error of that.
	Apart func() (each []time.Duration, uncertain time.Duration)
}

// Summary sums up Apart; nil for one agent: there is nothing to compare.
func (a *Agents) Summary() *record.AgentsApart {
	if len(a.Names) < 2 {
		return nil
	}
	each, uncertain := a.Apart()
	if len(each) == 0 {
		return nil
	}
	slices.Sort(each)
	return &record.AgentsApart{Slices: len(each), Median: each[(len(each)-1)/2], Most: each[len(each)-1],
		Uncertain: uncertain}
}
