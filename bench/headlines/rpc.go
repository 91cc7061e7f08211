package headlines

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/clients"
	"github.com/gohone/hone/bench/figures"
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

// rpcStages are the ladder; the stage pooled is built as the published framework is.
var rpcStages = []string{"naive", "pooled", "pipelined"}

var rpcService = service{"./services/rpc/cmd/rpc", "rpc://127.0.0.1:{port}"}

func measureRPC(ctx context.Context, r *rig) (rows []row, err error) {
	if err := r.build(ctx, rpcService.program, "./services/rpc/cmd/rpcbench"); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		callers   int
		published string
	}{{500, "75,374 calls/s"}, {100, "191,791 calls/s (gRPC there: 58,244)"}} {
		more, err := r.rpcCallers(ctx, p.callers, p.published)
		if rows = append(rows, more...); err != nil {
			return rows, err
		}
	}
	for _, load := range []struct {
		name  string
		flags []string
	}{
		{"500 connections", []string{"-c", "500"}},
		{"4 connections with 125 calls each", []string{"-c", "4", "--depth", "125"}},
	} {
		for i, stage := range rpcStages[1:] {
			before := rpcStages[i]
			g, err := r.climb(ctx, rpcService, 20*time.Second, before, stage, load.flags...)
			if err != nil {
				return rows, err
			}
			what := "%s, CPU per call, " + load.name
			if i == 0 {
				rows = append(rows, row{What: fmt.Sprintf(what, before), Here: micros(g.cpu.A)})
			}
			rows = append(rows, row{What: fmt.Sprintf(what, stage), Here: fromTo(g.cpu.A, g.cpu.B, micros),
				Ratio: change(g.cpu)})
		}
	}
	return rows, nil
}

// rpcCallers measures calls/s of all stages with that many callers.
func (r *rig) rpcCallers(ctx context.Context, callers int, published string) ([]row, error) {
	length := pick(r.quick, time.Second/5, 3*time.Second/2) // of one execution of rpcbench, about
	totals := make([]int, len(rpcStages))
	for i := range rpcStages {
		const few = 20_000
		pilot, err := r.rpcCalls(ctx, i, callers, few)
		if err != nil {
			return nil, err
		}
		totals[i] = max(few, int(pilot*length.Seconds()))
	}
	rates, err := figures.Sampled(r.rounds(), len(rpcStages), func(_, i int) (float64, error) {
		return r.rpcCalls(ctx, i, callers, totals[i])
	})
	if err != nil {
		return nil, err
	}
	return ladder(rates, func(i int, hz float64) row {
		next := row{What: fmt.Sprintf("%s, %d callers", rpcStages[i], callers), Here: rounded(hz) + " calls/s"}
		if rpcStages[i] == "pooled" {
			next.Published = published
		}
		return next
	})
}

// rpcCalls makes calls to a fresh server of a stage, and returns how many each second.
func (r *rig) rpcCalls(ctx context.Context, stage, callers, total int) (hz float64, err error) {
	s, err := r.serve(ctx, "rpc", rpcStages[stage])
	if err != nil {
		return 0, err
	}
	defer s.Stop()
	c, err := clients.Call(ctx, -1, r.program("rpcbench"), total, "-target", s.Addr, "-stage", rpcStages[stage],
		"-concurrency", strconv.Itoa(callers))
	return c.PerSecond, err
}
