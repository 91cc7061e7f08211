package main

import (
	"context"
	"fmt"
	"time"
)

var framed = section{
	Name:  "framed",
	Title: "Framed TCP server",
	About: `Published: 4 cores, 8 GB, 100 connections whose client sends without waiting for answers. Here: 100
connections with at most 16 requests unanswered on each, 24-byte payloads; the server has one CPU, the
generator another. A client that does not wait counts what a server reads and not what it answers, which
is how the published buffered stages could withhold their answers unnoticed: that bug is the last row.
Ratios are to the rung above.`,
	Measure: measureFramed,
}

// framedRungs are the ladder; rates are requests/s, 0 where none was published.
var framedRungs = []struct {
	stage  string
	rateHz float64
	note   string
}{
	{"raw", 185_000, ""},
	{"buffered", 270_000, "published as +45 %, with the bug of the last row"},
	{"pooled", 292_000, "published as +8 %, with the same bug"},
	{"batched", 0, "a further rung"},
	{"reactor", 0, "a further rung"},
}

const framedBudget = 40 * time.Second

func measureFramed(ctx context.Context, r *rig) ([]row, error) {
	l := ladder{"./services/framed/cmd/framed", "framed://127.0.0.1:{port}"}
	load := []string{"-c", "100", "--depth", "16"}
	var rows []row
	for i, s := range framedRungs[1:] {
		before := framedRungs[i]
		g, err := l.step(ctx, r, framedBudget, before.stage, s.stage, load...)
		if err != nil {
			return rows, err
		}
		if i == 0 {
			rows = append(rows, row{
				What: before.stage, Published: rate(before.rateHz),
				Here: fmt.Sprintf("%s, %s of CPU each", rate(g.rate.A), micros(g.cpu.A)),
			})
		}
		throughput := row{
			What: s.stage, Here: fromTo(g.rate.A, g.rate.B, rate), Ratio: g.rate.change(), Note: joined(s.note, g.busyNote()),
		}
		if s.rateHz > 0 {
			throughput.Published, throughput.PublishedRatio = rate(s.rateHz), s.rateHz/before.rateHz
		}
		rows = append(rows, throughput, row{
			What: s.stage + ", CPU per request", Here: fromTo(g.cpu.A, g.cpu.B, micros), Ratio: g.cpu.change(),
		})
	}
	bug, err := r.noflush(ctx, l, load)
	return append(rows, bug...), err
}

func rate(hz float64) string { return rounded(hz) + " requests/s" }

// noflush runs the stage with the published bug, which hone has to refuse.
func (r *rig) noflush(ctx context.Context, l ladder, load []string) ([]row, error) {
	const stage = "buffered-noflush"
	var d runDocument
	args := append([]string{"run", "--json", "--quiet", "--no-profile", "--ledger", r.ledger(), "-d", "2s", l.stage(stage), "--target", l.Target}, load...)
	// Any other code than that of an invalid measurement is an error, 0 too.
	if err := r.ask(ctx, "", &d, []int{exitInvalid}, append(args, "--", "-addr", "127.0.0.1:{port}")...); err != nil {
		return nil, err
	}
	if d.Status != "invalid" {
		return nil, fmt.Errorf("hone calls %s %s, want invalid: it withholds replies", stage, d.Status)
	}
	return []row{{
		What: stage, Published: "published as buffered, the bug unnoticed",
		Here: fmt.Sprintf("refused: the measurement is invalid (exit %d)", exitInvalid), Note: d.Reason,
	}}, nil
}
