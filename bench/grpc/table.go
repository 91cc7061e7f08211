package main

import (
	"context"
	"fmt"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
)

// sample is one slice of one tool.
type sample struct {
	micros    float64 // CPU time per call
	perSecond float64 // calls, over the time of the whole process
}

// measure has a tool call the server for one slice. Every call has to be answered right.
func measure(ctx context.Context, cpu int, tool side.Found, job side.Job) (sample, error) {
	r, done, err := tool.Run(ctx, cpu, job)
	if ctx.Err() != nil {
		return sample{}, ctx.Err()
	}
	if err == nil && (r.Answered == 0 || r.Failed+r.GivenUp > 0) {
		err = fmt.Errorf("%d calls answered right, %d wrong, %d not answered", r.Answered, r.Failed, r.GivenUp)
	}
	if err != nil {
		return sample{}, err
	}
	n := float64(r.Answered)
	return sample{micros: float64(done.CPU.Nanoseconds()) / 1e3 / n, perSecond: n / done.Wall.Seconds()}, nil
}

// limits are the goals for hone's cost over that of another tool.
var limits = map[string]float64{nameGhz: 0.35, nameHTTP2: 1.3}

// show prints a line for each tool; tools[0] is hone.
func show(tools []side.Found, samples [][]sample) error {
	of := func(i int) []float64 { return figures.Column(samples[i], func(s sample) float64 { return s.micros }) }
	fmt.Printf("%-12s  %28s  %9s  %24s  %s\n", "tool", "CPU us/call (min .. max)", "calls/s", "hone / tool (95 %)", "goal")
	for i, tool := range tools {
		rates := figures.Column(samples[i], func(s sample) float64 { return s.perSecond })
		fmt.Printf("%-12s  %28s  %9.0f", tool.Name, figures.Spread("%.2f", of(i)), figures.Median(rates))
		if limit, ok := limits[tool.Name]; ok {
			ratio, err := figures.Paired(of(i), of(0))
			if err != nil {
				return err
			}
			fmt.Printf("  %24s  at most %g: %s", ratio, limit, verdict(ratio, limit))
		}
		fmt.Println()
	}
	return nil
}

// verdict says whether a ratio is at most a limit, and whether its whole interval agrees.
func verdict(r figures.Ratio, limit float64) string {
	word := "missed"
	if r.Value <= limit {
		word = "met"
	}
	if !r.Bounded() || (r.Low <= limit) != (r.High <= limit) {
		word += ", but not for sure"
	}
	return word
}
