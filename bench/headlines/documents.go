package main

import (
	"context"
	"fmt"
	"time"
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

func (v verdict) change() ratio {
	if v.High == nil {
		return ratio{Value: v.Ratio}
	}
	return ratio{v.Ratio, v.Low, *v.High}
}

// find is the verdict on a measure.
func find(all []verdict, key string) (verdict, error) {
	for _, v := range all {
		if v.Measure.Key == key {
			return v, nil
		}
	}
	return verdict{}, fmt.Errorf("no verdict on %q", key)
}

// comparison is hone.compare/2 or hone.once-compare/1.
type comparison struct {
	Comparison struct {
		Contests []struct {
			A, B     int
			Verdicts []verdict
		}
	}
	Runs []runDocument
}

// verdicts are those of variant number b against the first.
func (c comparison) verdicts(b int) ([]verdict, error) {
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

// run is hone run.
func (r *rig) run(ctx context.Context, args ...string) (runDocument, error) {
	var d runDocument
	args = append([]string{"run", "--json", "--quiet", "--ledger", r.ledger()}, args...)
	err := r.ask(ctx, "", &d, nil, args...)
	r.disturbed.add(d.Conditions.Total)
	return d, err
}

// compare is hone compare, which may end undecided: the interval says so.
func (r *rig) compare(ctx context.Context, budget time.Duration, args ...string) (comparison, error) {
	var c comparison
	args = append([]string{"compare", "--json", "--quiet", "--no-profile", "--ledger", r.ledger(), "--budget", r.budget(budget)}, args...)
	err := r.ask(ctx, "", &c, []int{exitUndecided}, args...)
	for _, d := range c.Runs {
		r.disturbed.add(d.Conditions.Total)
	}
	return c, err
}
