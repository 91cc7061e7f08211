package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/results"
)

// The goals that the results are held against.
const (
	halfGoal  = 0.007
	alarmGoal = 0.05
	foundGoal = 0.90
)

// printTable writes the table of the results that were taken in so much time.
func printTable(w io.Writer, records []record, budget time.Duration) error {
	results.Origin(w, records)
	fmt.Fprintf(w, "\nhone bench --budget %v, a benchmark against itself, and with %d units of work for %d.\n"+
		"Goals in 30 s: half-width at most %.1f %%, alarms at most %.0f %%, found at least %.0f %%. In brackets: 95 %% intervals (Wilson).\n"+
		"hone ends before its budget where the verdict is there and its interval useful.\n\n",
		budget, unitsOf[planted], fastUnits, 100*halfGoal, 100*alarmGoal, 100*foundGoal)
	results.TableHead(w, "benchmark", "kind", "measurements", "half-width, median (least .. greatest)", "pairs", "seconds", "alarms", "found", "ratio, slow to fast")
	for _, benchmark := range benchmarks {
		for _, kind := range []string{equal, planted} {
			if some := of(records, benchmark, kind, budget); len(some) > 0 {
				results.TableRow(w, cells(benchmark, kind, some)...)
			}
		}
	}
	return nil
}

func cells(benchmark, kind string, some []record) []string {
	var half, pairs, seconds, ratio []float64
	alarms, found := results.Share{N: len(some)}, results.Share{N: len(some)}
	for _, r := range some {
		half, pairs, seconds = append(half, 100*r.Half), append(pairs, float64(r.Pairs)), append(seconds, r.Seconds)
		if r.Slow == "A" {
			r.Ratio = 1 / r.Ratio
		}
		ratio = append(ratio, r.Ratio)
		if r.alarm() {
			alarms.Of++
		}
		if r.found() {
			found.Of++
		}
	}
	row := []string{benchmark, kind, fmt.Sprint(len(some)),
		fmt.Sprintf("%.2f %% (%.2f .. %.2f)", figures.Median(half), slices.Min(half), slices.Max(half)),
		fmt.Sprintf("%.0f", figures.Median(pairs)), fmt.Sprintf("%.1f", figures.Median(seconds)), alarms.String(), "-", fmt.Sprintf("%.4f", figures.Median(ratio))}
	if kind == planted {
		row[6], row[7] = "-", found.String()
	}
	return row
}
