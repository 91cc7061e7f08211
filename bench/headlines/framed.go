package headlines

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/honecli"
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

var framedService = service{"./services/framed/cmd/framed", "framed://127.0.0.1:{port}"}

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

func measureFramed(ctx context.Context, r *rig) (rows []row, err error) {
	load := []string{"-c", "100", "--depth", "16"}
	for i, s := range framedRungs[1:] {
		before := framedRungs[i]
		g, err := r.climb(ctx, framedService, 40*time.Second, before.stage, s.stage, load...)
		if err != nil {
			return rows, err
		}
		if i == 0 {
			rows = append(rows, row{What: before.stage, Published: rate(before.rateHz),
				Here: fmt.Sprintf("%s, %s of CPU each", rate(g.rate.A), micros(g.cpu.A))})
		}
		throughput := row{What: s.stage, Here: fromTo(g.rate.A, g.rate.B, rate), Ratio: change(g.rate),
			Note: joined(s.note, g.busyNote())}
		if s.rateHz > 0 {
			throughput.Published, throughput.PublishedRatio = rate(s.rateHz), s.rateHz/before.rateHz
		}
		rows = append(rows, throughput, row{What: s.stage + ", CPU per request", Here: fromTo(g.cpu.A, g.cpu.B, micros),
			Ratio: change(g.cpu)})
	}
	// The stage with the published bug, which hone has to refuse: any other code is an error, 0 too.
	const bug = "buffered-noflush"
	d, err := r.run(ctx, []int{honecli.Invalid}, append([]string{framedService.stage(bug), "--no-profile", "-d", "2s",
		"--target", framedService.target},
		append(load, "--", "-addr", "127.0.0.1:{port}")...)...)
	if err == nil && d.Status != "invalid" {
		err = fmt.Errorf("hone calls %s %s, want invalid: it withholds replies", bug, d.Status)
	}
	if err != nil {
		return rows, err
	}
	return append(rows, row{
		What: bug, Published: "published as buffered, the bug unnoticed",
		Here: fmt.Sprintf("refused: the measurement is invalid (exit %d)", honecli.Invalid), Note: d.Reason,
	}), nil
}
