package honecli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// Bench is what hone bench says of one benchmark's time per operation, B's over A's.
type Bench struct {
	judge.Verdict
	// How is the way that it measured in, Elapsed the time of the rounds.
	How     string
	Elapsed time.Duration
	Said    Said
}

// benchAnswer is what is read of hone bench --json.
type benchAnswer struct {
	Schema     string
	Elapsed    time.Duration `json:"elapsed_ns"`
	Benchmarks []struct {
		How      string
		Verdicts []judge.Verdict
		Changed  []string
		Gates    []gate.Result
	}
	// Unchanged are those that it did not measure.
	Unchanged []struct {
		Name, Reason string
		Gates        []gate.Result
	}
}

// Unmeasured is why a benchmark was not measured. An older hone gives no reason: it knows one only.
func Unmeasured(reason string) string {
	if reason == "" || reason == benchmarks.SameCode {
		return SameCode
	}
	return NotExecuted
}

// Bench runs hone bench on one benchmark, and wants an interval of it. Where hone gives none, the error comes with what
// it said.
func (h Hone) Bench(ctx context.Context, args ...string) (Bench, error) {
	var d benchAnswer
	done, err := h.Ask(ctx, &d, []int{Regression, Undecided}, "bench --quiet", args...)
	if err != nil {
		return Bench{}, err
	}
	b, err := d.only()
	if err != nil {
		return b, fmt.Errorf("read what hone bench prints: %w in %.200q", err, done.Stdout)
	}
	return b, nil
}

// BenchVerdicts runs hone bench on one benchmark, and returns its verdicts on all measures.
func (h Hone) BenchVerdicts(ctx context.Context, args ...string) ([]judge.Verdict, error) {
	var d benchAnswer
	done, err := h.Ask(ctx, &d, []int{Regression, Undecided}, "bench --quiet", args...)
	if err == nil && len(d.Benchmarks) != 1 {
		err = fmt.Errorf("%d benchmarks, want one: hone bench prints %.200q", len(d.Benchmarks), done.Stdout)
	}
	if err != nil {
		return nil, err
	}
	return d.Benchmarks[0].Verdicts, nil
}

// only takes the first verdict of the only benchmark, that on time per operation.
func (d benchAnswer) only() (Bench, error) {
	if d.Schema == "hone.bench/1" && len(d.Benchmarks) == 0 && len(d.Unchanged) == 1 {
		return Bench{Elapsed: d.Elapsed, Said: Said{Word: judge.Same, First: judge.Same, Seconds: d.Elapsed.Seconds(),
			Unmeasured: Unmeasured(d.Unchanged[0].Reason)}}, nil
	}
	if d.Schema != "hone.bench/1" || len(d.Benchmarks) != 1 || len(d.Benchmarks[0].Verdicts) == 0 {
		return Bench{}, fmt.Errorf("schema %q with %d benchmarks: want hone.bench/1 with one and its verdicts",
			d.Schema, len(d.Benchmarks))
	}
	one := d.Benchmarks[0]
	v, s := one.Verdicts[0], said(one.Verdicts, one.Gates, d.Elapsed)
	if len(one.Changed) > 0 {
		s.Reason = "the benchmark itself differs: " + strings.Join(one.Changed, ", ")
	}
	b := Bench{Verdict: v, How: one.How, Elapsed: d.Elapsed, Said: s}
	if v.Measure.Key != "time" || !v.Bounded() {
		return b, fmt.Errorf("verdict on %s, %v to %v: want one on time with an interval", v.Measure.Key, v.Low, v.High)
	}
	return b, nil
}
