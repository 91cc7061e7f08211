// Package cost measures what a request costs load generators: user and system CPU time of the whole process, start and end
// included, over the requests that it says were answered right. The tools take turns in slices, in random order within each
// round. All have one CPU; the server has another.
package cost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

// Plan is how to measure.
type Plan struct {
	ServerCPU, ClientCPU, Rounds int
	Slice                        time.Duration
	// Unit is what is counted: a call, a message, a command.
	Unit string
	// Limits are the goals for the cost of the first tool over that of another, by its name.
	Limits map[string]float64
}

// Flags are the flags of a plan, with their defaults; Unit and Limits stay as they are.
func (p *Plan) Flags(fs *side.Flags, rounds int) {
	fs.CPUs(&p.ServerCPU, &p.ClientCPU)
	fs.IntVar(&p.Rounds, "n", rounds, "rounds for each number of connections")
	fs.DurationVar(&p.Slice, "d", time.Second, "length of a slice")
}

// Check notes what is wrong with the flags.
func (p *Plan) Check(fs *side.Flags) {
	fs.Want(p.Rounds > 0 && p.Slice >= time.Millisecond, "want at least 1 round and slices of 1ms")
}

// Header prints the machine, the tools and the plan. The first tool has to be hone; what says who the server is.
func (p *Plan) Header(w io.Writer, tools []side.Found, missing []string, what string) error {
	if len(tools) == 0 || tools[0].File != side.Hone {
		return fmt.Errorf("no binary of hone: go build -o ../bin/hone ../cmd/hone, or name it with -hone")
	}
	side.Header(w, tools, missing)
	fmt.Fprintf(w, "plan      %d rounds of %v, %s on CPU %d, tools on CPU %d\n", p.Rounds, p.Slice, what, p.ServerCPU, p.ClientCPU)
	return nil
}

// Compare measures all tools against a fresh process of the server, and prints a line for each below the title. The job
// lacks its address and its duration.
func (p *Plan) Compare(ctx context.Context, w io.Writer, server proc.Command, tools []side.Found, job side.Job, title string) error {
	s, err := proc.Serve(ctx, p.ServerCPU, server)
	if err != nil {
		return err
	}
	defer s.Stop()
	job.URL, job.Duration = s.Addr, p.Slice
	gauge := machine.OpenGauge()
	defer gauge.Close()
	before := gauge.Read()
	samples, err := figures.Sampled(p.Rounds, len(tools), func(_, i int) (sample, error) {
		one, err := p.measure(ctx, tools[i], job)
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", tools[i].Name, err), s.Fault())
		}
		return one, err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", title, err)
	}
	fmt.Fprintf(w, "\n%s (%s)\n", title, gauge.Read().Since(before))
	return p.show(w, tools, samples)
}
