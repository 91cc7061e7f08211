package disturbed

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
	documents "github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
)

// answer is what hone says of a run.
type answer struct {
	// Invalid is why hone calls its measurement invalid. It names causes nevertheless.
	Invalid string `json:"invalid,omitempty"`
	// Untraced says that the run has no trace: hone then says nothing of the tail, and is judged by that.
	Untraced bool `json:"untraced,omitempty"`
	// Requests are those in the trace, CPUs the quota that was asked for.
	Requests int     `json:"requests"`
	CPUs     float64 `json:"cpus,omitempty"`
	P50      float64 `json:"p50_ns"`
	P99      float64 `json:"p99_ns"`
	// Causes are those that it says of the slow tail, the first first.
	Causes   []walltime.Cause `json:"causes"`
	Findings []found          `json:"findings"`
}

// found is what is kept of a finding.
type found struct {
	Rule    string         `json:"rule"`
	Title   string         `json:"title"`
	Measure advice.Measure `json:"measure"`
	Cost    float64        `json:"cost"`
	Place   code.Place     `json:"place"`
}

// causesKept are enough for a reader.
const causesKept = 3

// ask loads the service. A measurement that hone distrusts is an answer, too: a quota that cannot serve the rate makes
// one.
func (c config) ask(ctx context.Context, t task, service []string, cpus float64) (*answer, error) {
	var run documents.Run
	args := []string{"./svc", "-d", c.length.String(), "-c", strconv.Itoa(t.Connections), "--target",
		"http://127.0.0.1:{port}/"}
	if t.Rate > 0 {
		args = append(args, "--rate", strconv.Itoa(t.Rate))
	}
	a := &answer{}
	if t.Cause == quota {
		a.CPUs = cpus
		args = append(args, "--cpus", strconv.FormatFloat(cpus, 'f', -1, 64))
	}
	args = slices.Concat(args, []string{"--", "-addr", "127.0.0.1:{port}"}, c.serviceArgs(service))
	if _, err := c.Hone.Ask(ctx, &run, []int{honecli.Invalid}, "run --quiet --no-report", args...); err != nil {
		return nil, err
	}
	d := walltime.Digest{Schema: walltime.Schema}
	if a.Untraced = run.Waits == nil; !a.Untraced {
		if _, err := c.Hone.Ask(ctx, &d, nil, "tail", run.ID); err != nil {
			return nil, err
		}
	}
	var f advice.Findings
	if _, err := c.Hone.Ask(ctx, &f, nil, "advise", run.ID); err != nil {
		return nil, err
	}
	if d.Schema != walltime.Schema || f.Schema != advice.Schema {
		return nil, fmt.Errorf("read what hone says of run %s: schemas %q and %q, want %s and %s: build hone and this "+
			"program from the same source", run.ID, d.Schema, f.Schema, walltime.Schema, advice.Schema)
	}
	for _, doubt := range run.Doubts {
		if doubt.Fatal {
			a.Invalid = doubt.Text
		}
	}
	if run.Latency != nil {
		a.P50, a.P99 = float64(run.Latency.P50), float64(run.Latency.P99)
	}
	a.Requests = d.Requests
	said := model.CausesSaid(&d)
	a.Causes = said[:min(causesKept, len(said))]
	for _, one := range f.Findings {
		a.Findings = append(a.Findings, found{one.Rule, one.Title, one.Measure, one.Cost, one.Place})
	}
	return a, nil
}
