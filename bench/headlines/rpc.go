package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/side"
)

var rpc = section{
	Name:  "rpc",
	Title: "RPC framework",
	About: `Published: 500 callers made 1,000,000 calls in 13,267 ms; on another machine 100 callers made 191,791 calls/s, and
58,244 with gRPC. Here: rpcbench, with the published tool's flags and fewer calls, stage by stage, client and server of
the same stage on the same CPUs, in turns in random order; each ratio is over the rounds, to the rung above.
The published client has a pool of connections, as the stage pooled. gRPC is not measured here: bench/sidebyside
does that.
CPU per call is the server's alone, by hone compare on rpc://: the same 500 calls outstanding for both stages, on as
many connections, or on four.`,
	Measure: measureRPC,
}

// rpcStages are the ladder, rpcPublished the published calls/s by number of callers.
var (
	rpcStages    = []string{"naive", "pooled", "pipelined"}
	rpcPublished = []struct {
		callers int
		figure  string
	}{
		{500, "75,374 calls/s"},
		{100, "191,791 calls/s (gRPC there: 58,244)"},
	}
)

// rpcStageOfPublished is the stage that is built as the published framework is.
const rpcStageOfPublished = "pooled"

const rpcBudget = 20 * time.Second

func measureRPC(ctx context.Context, r *rig) ([]row, error) {
	if err := r.build(ctx, "./services/rpc/cmd/rpc", "./services/rpc/cmd/rpcbench"); err != nil {
		return nil, err
	}
	var rows []row
	for _, p := range rpcPublished {
		more, err := r.rpcCallers(ctx, p.callers, p.figure)
		if rows = append(rows, more...); err != nil {
			return rows, err
		}
	}
	more, err := r.rpcServers(ctx)
	return append(rows, more...), err
}

// rpcCallers measures calls/s of all stages with that many callers.
func (r *rig) rpcCallers(ctx context.Context, callers int, published string) ([]row, error) {
	totals := make([]int, len(rpcStages))
	for i, stage := range rpcStages {
		const few = 20_000
		pilot, err := r.rpcBench(ctx, stage, callers, few)
		if err != nil {
			return nil, err
		}
		totals[i] = max(few, int(pilot*r.rpcRound().Seconds()))
	}
	rates := make([][]float64, len(rpcStages))
	err := r.inTurns(len(rpcStages), func(i, _ int) error {
		hz, err := r.rpcBench(ctx, rpcStages[i], callers, totals[i])
		rates[i] = append(rates[i], hz)
		return err
	})
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, stage := range rpcStages {
		next := row{What: fmt.Sprintf("%s, %d callers", stage, callers), Here: rounded(side.Median(rates[i])) + " calls/s"}
		if stage == rpcStageOfPublished {
			next.Published = published
		}
		if i > 0 {
			if next.Ratio, err = paired(rates[i-1], rates[i]); err != nil {
				return rows, err
			}
		}
		rows = append(rows, next)
	}
	return rows, nil
}

// rpcRound is about how long one execution of rpcbench takes.
func (r *rig) rpcRound() time.Duration {
	if r.quick {
		return time.Second / 5
	}
	return 3 * time.Second / 2
}

// rpcBench makes calls to a fresh server, and returns how many succeeded each second. A call
// that fails is an error.
func (r *rig) rpcBench(ctx context.Context, stage string, callers, total int) (hz float64, err error) {
	s, err := serve(ctx, r.program("rpc"), "-stage", stage)
	if err != nil {
		return 0, err
	}
	defer s.stop()
	cmd := exec.CommandContext(ctx, r.program("rpcbench"),
		"-target", s.addr, "-stage", stage, "-concurrency", strconv.Itoa(callers), "-total", strconv.Itoa(total))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("run rpcbench on %s: %w\n%s%s", stage, err, out, stderr.Bytes())
	}
	return callsPerSecond(string(out), total)
}

// callsPerSecond reads rpcbench's report, a name and a number on each line.
func callsPerSecond(report string, total int) (float64, error) {
	numbers := map[string]float64{}
	for line := range strings.Lines(report) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		for _, f := range fields[1:] { // "throughput (TPS) 123", "took 123 ms"
			if n, err := strconv.ParseFloat(f, 64); err == nil {
				numbers[fields[0]] = n
			}
		}
	}
	hz := numbers["throughput"]
	if numbers["succeeded"] != float64(total) || !(hz > 0) {
		return 0, fmt.Errorf("read rpcbench's report: %d calls were to succeed at some rate in %q", total, report)
	}
	return hz, nil
}

// rpcServers compares the servers' CPU time per call.
func (r *rig) rpcServers(ctx context.Context) ([]row, error) {
	l := ladder{"./services/rpc/cmd/rpc", "rpc://127.0.0.1:{port}"}
	var rows []row
	for _, load := range []struct {
		name  string
		flags []string
	}{
		{"500 connections", []string{"-c", "500"}},
		{"4 connections with 125 calls each", []string{"-c", "4", "--depth", "125"}},
	} {
		for i, stage := range rpcStages[1:] {
			before := rpcStages[i]
			g, err := l.step(ctx, r, rpcBudget, before, stage, load.flags...)
			if err != nil {
				return rows, err
			}
			what := "%s, CPU per call, " + load.name
			if i == 0 {
				rows = append(rows, row{What: fmt.Sprintf(what, before), Here: micros(g.cpu.A)})
			}
			rows = append(rows, row{What: fmt.Sprintf(what, stage), Here: fromTo(g.cpu.A, g.cpu.B, micros), Ratio: g.cpu.change()})
		}
	}
	return rows, nil
}
