package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/gohone/hone/bench/side"
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

const tlsConns, tlsRateHz = 1000, 100

func measureTLS(ctx context.Context, r *rig) ([]row, error) {
	if err := r.build(ctx, "./services/tlsidle/cmd/tlsidle", "./services/tlsidle/cmd/idleconns"); err != nil {
		return nil, err
	}
	resident, err := r.tlsResident(ctx)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, s := range tlsStages {
		next := row{What: s.name + ", resident per connection", Published: s.published, Here: kilobytes(side.Median(resident[i]))}
		if i > 0 {
			if next.Ratio, err = paired(resident[i-1], resident[i]); err != nil {
				return rows, fmt.Errorf("resident memory of %s: %w", s.name, err)
			}
		}
		rows = append(rows, next)
	}
	more, err := r.tlsHeaps(ctx)
	return append(rows, more...), err
}

// tlsResident is the resident memory per connection in bytes, by stage and round. The
// stages run at once: memory is no matter of who else has the CPU.
func (r *rig) tlsResident(ctx context.Context) ([][]float64, error) {
	all := make([][]float64, len(tlsStages))
	for range r.rounds() {
		faults := make([]error, len(tlsStages))
		var stages sync.WaitGroup
		for i, s := range tlsStages {
			stages.Go(func() {
				var bytes float64
				bytes, faults[i] = r.idleConns(ctx, s.name)
				all[i] = append(all[i], bytes)
			})
		}
		stages.Wait()
		for i, err := range faults {
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", tlsStages[i].name, err)
			}
		}
	}
	return all, nil
}

// idleConns measures a fresh server once.
func (r *rig) idleConns(ctx context.Context, stage string) (float64, error) {
	s, err := serve(ctx, r.program("tlsidle"), "-stage", stage)
	if err != nil {
		return 0, err
	}
	defer s.stop()
	// Warmed up, since the program's code is no memory of a connection's.
	out, err := exec.CommandContext(ctx, r.program("idleconns"), "-json", "-addr", s.addr, "-pid", strconv.Itoa(s.pid),
		"-conns", strconv.Itoa(tlsConns), "-rate", strconv.Itoa(tlsRateHz), "-warm", "50", "-for", r.tlsLength(), "-settle", "1500ms").Output()
	if err != nil {
		return 0, fmt.Errorf("run idleconns: %w\n%s", err, stderrOf(err))
	}
	var v struct {
		Per *struct{ Resident float64 } `json:"bytes_per_connection"`
	}
	if err := json.Unmarshal(out, &v); err != nil || v.Per == nil {
		return 0, fmt.Errorf("read what idleconns prints: %w in %q", err, out)
	}
	return v.Per.Resident, nil
}

func (r *rig) tlsLength() string {
	if r.quick {
		return "500ms"
	}
	return "3s"
}

func stderrOf(err error) []byte {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.Stderr
	}
	return nil
}

// heap is the live heap of one stage.
type heap struct {
	bytes float64
	// functions are the bytes that each allocated.
	functions map[string]float64
}

// tlsHeaps says what each stage has live, and what tells heldbuffer from pooled.
func (r *rig) tlsHeaps(ctx context.Context) ([]row, error) {
	heaps := map[string]heap{}
	var rows []row
	for _, s := range tlsStages {
		h, err := r.tlsHeap(ctx, s.name)
		if err != nil {
			return rows, err
		}
		heaps[s.name] = h
		rows = append(rows, row{What: s.name + ", live heap per connection", Here: kilobytes(h.bytes / tlsConns), Note: "one run"})
	}
	name, more := explain(heaps["heldbuffer"], heaps["pooled"])
	return append(rows, row{
		What: "frame that explains heldbuffer against pooled", Published: "the write buffer of each connection",
		Here: fmt.Sprintf("`%s`: %s per connection more", name, kilobytes(more/tlsConns)),
		Note: fmt.Sprintf("of %s more live in all; both by one run of each stage", kilobytes((heaps["heldbuffer"].bytes-heaps["pooled"].bytes)/tlsConns)),
	}), nil
}

// tlsHeap measures one stage.
func (r *rig) tlsHeap(ctx context.Context, stage string) (heap, error) {
	// Each connection is to be used: they take turns within a slice, and it has to hold a
	// request for every one of them and some more.
	length := (time.Duration(tlsConns) * time.Second / tlsRateHz * 11 / 10).String()
	d, err := r.run(ctx, "./services/tlsidle/cmd/tlsidle -stage "+stage, "--env", "GOGC=10",
		"--target", "https://127.0.0.1:{port}/", "-k", "-c", strconv.Itoa(tlsConns), "-q", strconv.Itoa(tlsRateHz),
		"-d", length, "--slice", length, "--profile-time", "500ms",
		"--", "-addr", "127.0.0.1:{port}", "-request-timeout", "1m") // net/http counts from the connect to the first request, which may take 10 s
	if err != nil {
		return heap{}, err
	}
	var top topDocument
	err = r.ask(ctx, "", &top, nil, "profile", "top", d.ID, "--kind", "heap", "--sample", "inuse_space", "--json", "--node-share", "0", "--ledger", r.ledger())
	if err != nil {
		return heap{}, err
	}
	if d.Runtime == nil {
		return heap{}, fmt.Errorf("run of %s has no figures of the runtime", stage)
	}
	return heap{d.Runtime.HeapLive, top.flat()}, nil
}

// topDocument is what is read of hone.profile-top/1.
type topDocument struct {
	Rows []struct {
		Function string
		Flat     float64
	}
}

func (d topDocument) flat() map[string]float64 {
	all := map[string]float64{}
	for _, r := range d.Rows {
		all[r.Function] += r.Flat
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
