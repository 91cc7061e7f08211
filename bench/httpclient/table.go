package main

import (
	"context"
	"fmt"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
)

// table holds what each tool did in each round.
type table struct {
	found []side.Found
	rows  [][]sample
	ended []string // why a tool gave no figures; empty: it did
}

// sample is one slice.
type sample struct {
	round         int
	nanos         float64 // CPU time per request
	perSecond     float64 // requests, over the time of the whole process
	switches      float64 // context switches per request
	failed, total uint64
}

func newTable(found []side.Found) *table {
	return &table{found: found, rows: make([][]sample, len(found)), ended: make([]string, len(found))}
}

// measure runs tool i for one slice. A peer that goes wrong is left out from then on
// and named; hone going wrong is an error.
func (t *table) measure(ctx context.Context, cpu, i, round int, job side.Job) error {
	if t.ended[i] != "" {
		return nil
	}
	r, done, err := t.found[i].Run(ctx, cpu, job)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && r.Answered == 0 {
		err = fmt.Errorf("%s: no answers, %d failed", t.found[i].Name, r.Failed)
	}
	if err != nil {
		if t.found[i].Name == side.Hone {
			return err
		}
		t.ended[i] = err.Error()
		return nil
	}
	t.rows[i] = append(t.rows[i], sample{
		round: round, nanos: float64(done.CPU) / float64(r.Answered),
		perSecond: float64(r.Answered) / done.Wall.Seconds(), switches: float64(done.Switches) / float64(r.Answered), failed: r.Failed, total: r.Answered + r.Failed,
	})
	return nil
}

// print shows a line for each tool; found[0] is hone.
func (t *table) print() {
	fmt.Printf("%-12s %6s  %28s  %11s  %12s  %26s\n", "tool", "rounds", "CPU us/request (min .. max)", "requests/s", "switches/req", "hone / tool (min .. max)")
	for i, tool := range t.found {
		if t.ended[i] != "" {
			fmt.Printf("%-12s left out: %s\n", tool.Name, t.ended[i])
			continue
		}
		micros := figures.Column(t.rows[i], func(s sample) float64 { return s.nanos / 1e3 })
		rates := figures.Column(t.rows[i], func(s sample) float64 { return s.perSecond })
		switches := figures.Column(t.rows[i], func(s sample) float64 { return s.switches })
		fmt.Printf("%-12s %6d  %28s  %11.0f  %12.2f  %26s", tool.Name, len(micros), figures.Spread("%.2f", micros),
			figures.Median(rates), figures.Median(switches), figures.Spread("%.3f", t.ratios(i)))
		var failed, total uint64
		for _, s := range t.rows[i] {
			failed, total = failed+s.failed, total+s.total
		}
		if failed > 0 {
			fmt.Printf("  %d of %d failed", failed, total)
		}
		fmt.Println()
	}
}

// ratios are hone's cost over tool i's, for each round in which both took part.
func (t *table) ratios(i int) []float64 {
	hone := map[int]float64{}
	for _, s := range t.rows[0] {
		hone[s.round] = s.nanos
	}
	var out []float64
	for _, s := range t.rows[i] {
		if h, ok := hone[s.round]; ok {
			out = append(out, h/s.nanos)
		}
	}
	return out
}
