package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/services/framed"
)

// demoPackage is the program that the demo measures.
const demoPackage = "github.com/gohone/hone/services/framed/cmd/framed"

func (a *app) demoCommand() *cobra.Command {
	f := &measureFlags{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the loop on a framed TCP server: two comparisons and one measurement that is refused",
		Long: `demo takes the framed TCP server through its ladder: raw against buffered, buffered
against batched. Then it measures buffered-noflush, which never flushes its answers,
and shows that the measurement is refused. It needs about 45 seconds after the build.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.demo(f) },
	}
	f.addOutput(cmd)
	return cmd
}

// demoRequest is the load of every step: the published benchmark's 100 connections,
// with 16 requests outstanding on each.
func demoRequest() lab.Request {
	r := lab.Request{
		Target: "framed://127.0.0.1:{port}", Args: []string{"-addr", "127.0.0.1:{port}"},
		Duration: 4 * time.Second, Budget: 12 * time.Second, Slice: 25 * time.Millisecond,
		WarmUp: 200 * time.Millisecond, ProfileTime: 1500 * time.Millisecond,
		ReadyTimeout: 15 * time.Second, Grace: 5 * time.Second, Alpha: 0.05, Delta: 0.01,
	}
	r.Plan.Connections, r.Plan.Depth, r.Plan.Timeout = 100, 16, 2*time.Second
	return r
}

func (a *app) demo(f *measureFlags) error {
	if err := demoWorks(a.ctx); err != nil {
		return err
	}
	var steps []comparisonDocument
	for i, step := range [][2]string{{"raw", "buffered"}, {"buffered", "batched"}} {
		fmt.Fprintf(a.stderr, "%d/3  %s against %s\n", i+1, step[0], step[1])
		out, err := a.demoMeasure(f, step[:]...)
		if err != nil {
			return err
		}
		steps = append(steps, documentOf(out))
		if f.json {
			continue
		}
		if err := report.Comparison(a.stdout, out.Comparison, out.Runs); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s\n\n", published(step[0], step[1], out.Comparison))
	}
	fmt.Fprintln(a.stderr, "3/3  buffered-noflush, which withholds its answers")
	out, err := a.demoMeasure(f, "buffered-noflush")
	if fail.ExitCode(err) != int(fail.Invalid) {
		return orFirst(err, fail.New(fail.Invalid, "buffered-noflush was measured as if it answered: this is a bug of hone"))
	}
	if f.json {
		return a.printJSON(struct {
			Schema      string               `json:"schema"`
			Comparisons []comparisonDocument `json:"comparisons"`
			Refused     lab.Record           `json:"refused"`
		}{"hone.demo/1", steps, out.Runs[0]})
	}
	if err := report.Run(a.stdout, out.Runs[0]); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, "caught: a server that withholds its replies is never called fast; hone run would exit with 4 here")
	return nil
}

// demoMeasure measures one stage, or compares two.
func (a *app) demoMeasure(f *measureFlags, stages ...string) (*lab.Outcome, error) {
	var words []string
	for _, stage := range stages {
		words = append(words, demoPackage+" -stage "+stage)
	}
	f.request = demoRequest()
	var err error
	if f.request.Variants, err = f.variants(words); err != nil {
		return nil, err
	}
	return a.measure(f)
}

// published sets the published gain of a rung beside the measured one. The published
// ladder was measured on 4 cores with 100 connections that send without waiting.
func published(from, to string, c *lab.ComparisonRecord) string {
	rate := func(name string) float64 {
		for _, s := range framed.Stages {
			if s.Name == name {
				return s.PublishedRateHz
			}
		}
		return 0
	}
	here := "no verdict"
	for _, v := range c.Contests[0].Verdicts {
		switch v.Measure.Key {
		case compare.CPU.Key:
			here = fmt.Sprintf("CPU per request %s", units.Percent(v.Ratio-1))
		case compare.Throughput.Key:
			here += fmt.Sprintf(", throughput %s", units.Percent(v.Ratio-1))
		}
	}
	a, b, until := rate(from), rate(to), to
	for i := len(framed.Stages) - 1; b == 0 && i >= 0; i-- {
		// The published ladder ends before this rung: its last one is the nearest.
		until, b = framed.Stages[i].Name, framed.Stages[i].PublishedRateHz
	}
	return fmt.Sprintf("published: %s -> %s %s -> %s requests/s (%s) on 4 cores; here, %s -> %s on one: %s", from, until,
		units.Count(uint64(a)), units.Count(uint64(b)), units.Percent(b/a-1), from, to, here)
}

// demoWorks checks that the demo's program can be built from here.
func demoWorks(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "list", demoPackage).CombinedOutput()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fail.New(fail.Environment, "find the go command: %w", err).WithHint("hone builds what it measures: install Go and put it on PATH")
	}
	dir, _ := os.Getwd()
	return fail.New(fail.BadInput, "find %s from %s: %s", demoPackage, dir, strings.TrimSpace(string(out))).
		WithHint("run the demo in a checkout of hone: go run ./cmd/hone demo")
}
