package cases

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/sys/machine"
)

// costs measures what a request costs load generators: user and system CPU time of the whole process, start and end
// included, over the requests that it says were answered right. The tools take turns in slices, in random order within
// each round. All have one CPU; the server has another.
type costs struct {
	*bed.Bed
	// unit is what is counted: a call, a message, a command.
	unit string
	// limits are the goals for the cost of the first tool over that of another, by its name.
	limits map[string]float64
	// slow tools take part in few rounds.
	slow  []string
	few   int
	tools []side.Found
}

// start begins a case with its tools, of which the first has to be hone.
func (c *costs) start(ctx context.Context, tools []*side.Tool, built ...side.Found) error {
	if err := c.Bed.Start(ctx); err != nil {
		return err
	}
	found, missing := side.FindAmong(tools, c.Hone.Program, nil)
	c.tools = append(found, built...)
	if len(c.tools) == 0 || c.tools[0].File != side.Hone && c.tools[0].Name != side.Hone {
		return errors.New("hone has to be the first of the tools")
	}
	side.Note(c.Result, c.tools, missing)
	return nil
}

// against measures the tools against a fresh process of a server.
func (c *costs) against(ctx context.Context, server proc.Command, job side.Job, title string) error {
	s, err := proc.Serve(ctx, c.ServerCPU, server)
	if err != nil {
		return err
	}
	defer s.Stop()
	job.URL = s.Addr
	if err := c.compare(ctx, c.tools, job, title); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", title, err), s.Fault())
	}
	return nil
}

// cost is one slice of one tool.
type cost struct {
	micros    float64 // CPU time per request; 0 where the tool did not take part
	perSecond float64 // requests, over the time of the whole process
	switches  float64 // context switches per request
	wrong     uint64
}

// compare measures tools under one job, and makes a table and claims of it.
func (c *costs) compare(ctx context.Context, tools []side.Found, job side.Job, title string) error {
	job.Duration = c.Slice
	gauge := machine.OpenGauge()
	defer gauge.Close()
	before := gauge.Read()
	out := make([]error, len(tools)) // why a peer is left out
	samples, err := figures.Sampled(c.Rounds, len(tools), func(round, i int) (cost, error) {
		if out[i] != nil || round >= c.few && slices.Contains(c.slow, tools[i].Name) {
			return cost{}, nil
		}
		one, err := c.once(ctx, tools[i], job)
		if i > 0 && ctx.Err() == nil { // hone that goes wrong is an error, a peer is left out from then on
			out[i], err = err, nil
		}
		return one, err
	})
	if err != nil {
		return err
	}
	return c.show(tools, samples, out, fmt.Sprintf("%s (%s)", title, gauge.Read().Since(before)), title)
}

// once has a tool load the server for one slice.
func (c *costs) once(ctx context.Context, tool side.Found, job side.Job) (cost, error) {
	r, done, err := tool.Run(ctx, c.ClientCPU, job)
	if ctx.Err() != nil {
		return cost{}, ctx.Err()
	}
	if err == nil && (r.Answered == 0 || tool.Name == side.Hone && r.Failed+r.GivenUp > 0) {
		err = fmt.Errorf("%d answered right, %d wrong, %d not answered", r.Answered, r.Failed, r.GivenUp)
	}
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w", tool.Name, err)
	}
	n := float64(r.Answered)
	return cost{float64(done.CPU.Nanoseconds()) / 1e3 / n, n / done.Wall.Seconds(), float64(done.Switches) / n,
		r.Failed + r.GivenUp}, nil
}

// show has a row for each tool; tools[0] is hone.
func (c *costs) show(tools []side.Found, samples [][]cost, out []error, title, claim string) error {
	t := c.Table(title, "tool", "rounds", "CPU us/"+c.unit, c.unit+"s/s", "switches/"+c.unit, "hone / tool", "goal")
	for i, tool := range tools {
		if out[i] != nil {
			t.Say("%s is left out: %v", tool.Name, out[i])
			continue
		}
		var ours, own []cost // of the rounds in which both took part
		wrong := uint64(0)
		for round, s := range samples[i] {
			if s.micros > 0 {
				ours, own, wrong = append(ours, samples[0][round]), append(own, s), wrong+s.wrong
			}
		}
		micros := func(s cost) float64 { return s.micros }
		row := []string{tool.Name, fmt.Sprint(len(own)), figures.Spread("%.2f", figures.Column(own, micros)),
			fmt.Sprintf("%.0f", figures.Median(figures.Column(own, func(s cost) float64 { return s.perSecond }))),
			fmt.Sprintf("%.2f", figures.Median(figures.Column(own, func(s cost) float64 { return s.switches })))}
		if i > 0 {
			ratio, err := figures.Paired(figures.Column(own, micros), figures.Column(ours, micros))
			if err != nil {
				return err
			}
			row = append(row, ratio.String())
			if limit, ok := c.limits[tool.Name]; ok {
				row = append(row, fmt.Sprintf("at most %g: %s", limit, verdict(ratio, limit)))
			}
			c.Claim(fmt.Sprintf("CPU per %s of `hone load` over that of %s, %s", c.unit, tool.Name, claim), "%s", ratio)
		}
		if t.Row(row...); wrong > 0 {
			t.Say("%s: %d wrong or not answered", tool.Name, wrong)
		}
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
