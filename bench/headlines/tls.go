package headlines

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gohone/hone/bench/clients"
	"github.com/gohone/hone/prof"
)

var tlsIdle = section{
	Name:  "tls",
	Title: "TLS server with idle connections",
	About: `Published: an HTTPS server with 1,000 connections and 100 requests/s in all; each connection kept a write buffer of
its own, which was the flat top of the heap profile, and was gone with a sync.Pool. No bytes were published. Here: the
same load. Resident memory per connection is what idleconns reads in /proc before and with the connections, over
rounds of all stages at once; ratios are over the rounds, to the rung above. Live heap is that of one hone run of each
stage, all of it divided by the connections; it runs with GOGC=10, since a heap profile is as old as the last
collection. Two Go toolchains are compared in the same way, with --toolchain.`,
	Measure: measureTLS,
}

// tlsStages are the ladder with what was published about each.
var tlsStages = []struct{ name, published string }{
	{"nethttp", ""},
	{"heldbuffer", "a write buffer held by each connection"},
	{"pooled", "buffers from a sync.Pool: gone from the heap profile"},
	{"parked", ""},
}

const tlsService = "./services/tlsidle/cmd/tlsidle"

const tlsConns, tlsRateHz = 1000, 100

func measureTLS(ctx context.Context, r *rig) (rows []row, err error) {
	if err := r.build(ctx, tlsService, "./services/tlsidle/cmd/idleconns"); err != nil {
		return nil, err
	}
	// The stages run at once: what has the CPU does not matter to memory.
	resident := make([][]float64, len(tlsStages))
	for range r.rounds() {
		var stages errgroup.Group
		for i, s := range tlsStages {
			stages.Go(func() error {
				bytes, err := r.tlsResident(ctx, s.name)
				resident[i] = append(resident[i], bytes)
				return err
			})
		}
		if err := stages.Wait(); err != nil {
			return nil, err
		}
	}
	rows, err = ladder(resident, func(i int, bytes float64) row {
		s := tlsStages[i]
		return row{What: s.name + ", resident per connection", Published: s.published, Here: kilobytes(bytes)}
	})
	if err != nil {
		return rows, err
	}
	heaps := map[string]heap{}
	for _, s := range tlsStages {
		h, err := r.tlsHeap(ctx, s.name)
		if err != nil {
			return rows, err
		}
		heaps[s.name] = h
		rows = append(rows, row{What: s.name + ", live heap per connection", Here: kilobytes(h.bytes / tlsConns),
			Note: "one run"})
	}
	held, pooled := heaps["heldbuffer"], heaps["pooled"]
	name, more := explain(held, pooled)
	return append(rows, row{
		What: "frame that explains heldbuffer against pooled", Published: "the write buffer of each connection",
		Here: fmt.Sprintf("`%s`: %s per connection more", name, kilobytes(more/tlsConns)),
		Note: fmt.Sprintf("of %s more live in all; both by one run of each stage",
			kilobytes((held.bytes-pooled.bytes)/tlsConns)),
	}), nil
}

// tlsResident is the resident memory per connection of a fresh server, in bytes.
func (r *rig) tlsResident(ctx context.Context, stage string) (float64, error) {
	s, err := r.serve(ctx, "tlsidle", stage)
	if err != nil {
		return 0, err
	}
	defer s.Stop()
	length := pick(r.quick, "500ms", "3s")
	// Warmed up, since the program's code is no memory of a connection's.
	idle, err := clients.KeepIdle(ctx, -1, r.program("idleconns"), s, "-conns", fmt.Sprint(tlsConns), "-rate",
		fmt.Sprint(tlsRateHz), "-warm", "50", "-for", length, "-settle", "1500ms")
	if err != nil {
		return 0, fmt.Errorf("stage %s: %w", stage, err)
	}
	return idle.PerConnection, nil
}

// heap is the live heap of one stage.
type heap struct {
	bytes float64
	// functions are the bytes that each allocated.
	functions map[string]float64
}

// tlsHeap measures one stage.
func (r *rig) tlsHeap(ctx context.Context, stage string) (heap, error) {
	// Each connection is to be used: they take turns within a slice, and it has to hold a
	// request for every one of them and some more.
	length := (time.Duration(tlsConns) * time.Second / tlsRateHz * 11 / 10).String()
	d, err := r.run(ctx, nil, tlsService+" -stage "+stage, "--env", "GOGC=10",
		"--target", "https://127.0.0.1:{port}/", "--set", "insecure", "-c", fmt.Sprint(tlsConns), "-R",
		fmt.Sprint(tlsRateHz),
		"-d", length, "--slice", length, "--profile-time", "500ms",
		// net/http counts from the connect to the first request, which may take 10 s
		"--", "-addr", "127.0.0.1:{port}", "-request-timeout", "1m")
	if err != nil {
		return heap{}, err
	}
	var top prof.Top
	if err := r.ask(ctx, "", &top, nil, "profile top", d.ID, "--kind", "heap", "--sample", "inuse_space",
		"--node-share", "0"); err != nil {
		return heap{}, err
	}
	if d.Runtime == nil {
		return heap{}, fmt.Errorf("run of %s has no figures of the runtime", stage)
	}
	return heap{d.Runtime.HeapLive, flat(top)}, nil
}

// flat are the bytes that each function allocated itself.
func flat(top prof.Top) map[string]float64 {
	all := map[string]float64{}
	for _, r := range top.Rows {
		all[r.Function] += float64(r.Flat)
	}
	return all
}

// explain names the function that allocated most of what a has more than b.
func explain(a, b heap) (name string, bytes float64) {
	bytes = math.Inf(-1)
	for f, n := range a.functions {
		if more := n - b.functions[f]; more > bytes || more == bytes && f < name {
			name, bytes = f, more
		}
	}
	return short(name), bytes
}
