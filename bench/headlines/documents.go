package main

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/figures"
)

// What is read of hone's documents.

// verdict is one measure of hone.compare/2, hone.once-compare/1 and hone.bench/1.
type verdict struct {
	Measure struct{ Key string }
	Word    string `json:"verdict"`
	A, B    float64
	Ratio   float64
	Low     float64
	High    *float64 // nil: too few starts
}

func (v verdict) change() figures.Ratio {
	if v.High == nil {
		return figures.Ratio{Value: v.Ratio}
	}
	return figures.Ratio{Value: v.Ratio, Low: v.Low, High: *v.High}
}

// verdicts are those of one contest, or of one benchmark.
type verdicts []verdict

// find fills in the verdict on each of these measures.
func (all verdicts) find(into map[string]*verdict) error {
	for key, to := range into {
		found := false
		for _, v := range all {
			if v.Measure.Key == key {
				*to, found = v, true
			}
		}
		if !found {
			return fmt.Errorf("no verdict on %q", key)
		}
	}
	return nil
}

// comparison is hone.compare/2 or hone.once-compare/1.
type comparison struct {
	Comparison struct {
		Contests []struct {
			A, B     int
			Verdicts verdicts
		}
	}
	Runs []runDocument
}

// against are the verdicts on variant number b against the first.
func (c comparison) against(b int) (verdicts, error) {
	for _, contest := range c.Comparison.Contests {
		if contest.A == 0 && contest.B == b {
			return contest.Verdicts, nil
		}
	}
	return nil, fmt.Errorf("no contest of variant %d against the first", b)
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
		User     middle `json:"user_ns"`
		Resident middle `json:"max_resident_bytes"`
	}
	Conditions struct{ Total conditions }
}

type middle struct{ Median float64 }

// rung is what a comparison of two stages under load says.
type rung struct {
	rate, cpu verdict
	// busy is the share of its CPU that the generator used for the second stage.
	busy float64
}

// service is the package of a service with stages, and its URL.
type service struct{ program, target string }

func (s service) stage(name string) string { return s.program + " -stage " + name }

// climb compares stage b with stage a; load are flags of hone compare.
func (r *rig) climb(ctx context.Context, s service, budget time.Duration, a, b string, load ...string) (rung, error) {
	args := append([]string{s.stage(a), s.stage(b), "--target", s.target}, load...)
	c, err := r.compare(ctx, budget, append(args, "--", "-addr", "127.0.0.1:{port}")...)
	if err != nil {
		return rung{}, err
	}
	g, err := rungOf(c)
	if err != nil {
		return g, fmt.Errorf("compare %s with %s: %w", b, a, err)
	}
	return g, nil
}

func rungOf(c comparison) (g rung, err error) {
	all, err := c.against(1)
	if err != nil {
		return g, err
	}
	if len(c.Runs) == 2 {
		g.busy = c.Runs[1].GeneratorBusy
	}
	return g, all.find(map[string]*verdict{"rate": &g.rate, "cpu": &g.cpu})
}

// busyNote says when the throughput may be the generator's and not the service's.
func (g rung) busyNote() string {
	const much = 0.9
	if g.busy < much {
		return ""
	}
	return fmt.Sprintf("the generator was busy for %s of its time, so that the CPU time says more", percent(g.busy))
}
