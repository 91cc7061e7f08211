package cost

import (
	"context"
	"fmt"
	"io"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
)

// sample is one slice of one tool.
type sample struct {
	micros    float64 // CPU time per request
	perSecond float64 // requests, over the time of the whole process
	switches  float64 // context switches per request
}

// measure has a tool load the server for one slice. Every request has to be answered right.
func (p *Plan) measure(ctx context.Context, tool side.Found, job side.Job) (sample, error) {
	r, done, err := tool.Run(ctx, p.ClientCPU, job)
	if ctx.Err() != nil {
		return sample{}, ctx.Err()
	}
	if err == nil && (r.Answered == 0 || r.Failed+r.GivenUp > 0) {
		err = fmt.Errorf("%d answered right, %d wrong, %d not answered", r.Answered, r.Failed, r.GivenUp)
	}
	if err != nil {
		return sample{}, err
	}
	n := float64(r.Answered)
	return sample{micros: float64(done.CPU.Nanoseconds()) / 1e3 / n, perSecond: n / done.Wall.Seconds(), switches: float64(done.Switches) / n}, nil
}

// show prints a line for each tool; tools[0] is hone.
func (p *Plan) show(w io.Writer, tools []side.Found, samples [][]sample) error {
	of := func(i int) []float64 { return figures.Column(samples[i], func(s sample) float64 { return s.micros }) }
	fmt.Fprintf(w, "%-12s  %28s  %10s  %14s  %24s  %s\n", "tool", "CPU us/"+p.Unit+" (min .. max)", p.Unit+"s/s", "switches/"+p.Unit, "hone / tool (95 %)", "goal")
	for i, tool := range tools {
		rates := figures.Column(samples[i], func(s sample) float64 { return s.perSecond })
		switches := figures.Column(samples[i], func(s sample) float64 { return s.switches })
		fmt.Fprintf(w, "%-12s  %28s  %10.0f  %14.2f", tool.Name, figures.Spread("%.2f", of(i)), figures.Median(rates), figures.Median(switches))
		if i > 0 {
			ratio, err := figures.Paired(of(i), of(0))
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "  %24s", ratio)
			if limit, ok := p.Limits[tool.Name]; ok {
				fmt.Fprintf(w, "  at most %g: %s", limit, verdict(ratio, limit))
			}
		}
		fmt.Fprintln(w)
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
