package headlines

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
)

// What is read of hone's documents.

// comparison is hone.compare/2 or hone.once-compare/1.
type comparison struct {
	Comparison struct {
		Contests []struct {
			A, B     int
			Verdicts []judge.Verdict
		}
	}
	Runs []runDocument
}

// runDocument is hone.run/1 or hone.once/1.
type runDocument struct {
	ID             string
	Status, Reason string
	// CPU is that per request, of a run under load.
	CPU *struct{ Value float64 } `json:"cpu_ns_per_request"`
	// Rate is requests/s.
	Rate          float64 `json:"requests_per_second"`
	GeneratorBusy float64 `json:"generator_busy"`
	Runtime       *struct {
		// GCShare is nil if there were not two cycles.
		GCShare  *float64 `json:"gc_cpu_share"`
		HeapLive float64  `json:"heap_live_bytes"`
	}
	// Facts are those of whole executions.
	Facts *struct {
		User     struct{ Median float64 } `json:"user_ns"`
		Resident struct{ Median float64 } `json:"max_resident_bytes"`
	}
	Conditions machine.Summary
}

// benchDocument is hone.bench/1.
type benchDocument struct {
	Benchmarks []struct{ Verdicts []judge.Verdict }
}

// against are the verdicts on variant number b against the first on these measures.
func (c comparison) against(b int, measures ...string) ([]judge.Verdict, error) {
	for _, contest := range c.Comparison.Contests {
		if contest.A == 0 && contest.B == b {
			return find(contest.Verdicts, measures...)
		}
	}
	return nil, fmt.Errorf("no contest of variant %d against the first", b)
}

// find are the verdicts on these measures, in their order.
func find(all []judge.Verdict, measures ...string) ([]judge.Verdict, error) {
	found := make([]judge.Verdict, len(measures))
	for i, key := range measures {
		at := slices.IndexFunc(all, func(v judge.Verdict) bool { return v.Measure.Key == key })
		if at < 0 {
			return nil, fmt.Errorf("no verdict on %q", key)
		}
		found[i] = all[at]
	}
	return found, nil
}

// change is the ratio of a verdict, without an interval if there were too few starts.
func change(v judge.Verdict) figures.Ratio {
	if math.IsInf(v.High, 1) {
		return figures.Ratio{Value: v.Ratio}
	}
	return figures.Ratio{Value: v.Ratio, Low: v.Low, High: v.High}
}

// rung is what a comparison of two stages under load says.
type rung struct {
	rate, cpu judge.Verdict
	// busy is the share of its CPU that the generator used for the second stage.
	busy float64
}

// service is the package of a service with stages, and its URL.
type service struct{ program, target string }

func (s service) stage(name string) string { return s.program + " -stage " + name }

// climb compares stage b with stage a; load are flags of hone compare.
func (r *rig) climb(ctx context.Context, s service, budget time.Duration, a, b string, load ...string) (g rung,
	err error) {
	args := append([]string{s.stage(a), s.stage(b), "--target", s.target}, load...)
	c, err := r.compare(ctx, budget, append(args, "--", "-addr", "127.0.0.1:{port}")...)
	if err != nil {
		return g, err
	}
	if g, err = rungOf(c); err != nil {
		return g, fmt.Errorf("compare %s with %s: %w", b, a, err)
	}
	return g, nil
}

func rungOf(c comparison) (g rung, err error) {
	v, err := c.against(1, "rate", "cpu")
	if err != nil {
		return g, err
	}
	g = rung{rate: v[0], cpu: v[1]}
	if len(c.Runs) == 2 {
		g.busy = c.Runs[1].GeneratorBusy
	}
	return g, nil
}

// busyNote says when the throughput may be the generator's and not the service's.
func (g rung) busyNote() string {
	const much = 0.9
	if g.busy < much {
		return ""
	}
	return fmt.Sprintf("the generator was busy for %s of its time, so that the CPU time says more", percent(g.busy))
}
