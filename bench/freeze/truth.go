package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
)

// truth is the response time of a schedule of evenly spaced requests: none for those
// that are due while the server runs, and for the others the time until it goes on. The
// time of serving comes on top, and that of working off what has piled up: both are
// some milliseconds.
func (f freeze) truth(rateHz int, length time.Duration) side.Report {
	n := int(length.Seconds() * float64(rateHz))
	all := make([]time.Duration, n)
	for i := range all {
		due := time.Duration(i) * time.Second / time.Duration(rateHz)
		if due >= f.at && due < f.at+f.stop {
			all[i] = f.at + f.stop - due
		}
	}
	slices.Sort(all)
	at := func(q int) time.Duration { return all[(n*q+99)/100-1] } // nearest rank
	return side.Report{Answered: uint64(n), P50: at(50), P99: at(99), Max: all[n-1]}
}

// line is a tool's row of the table: medians over its runs.
func line(t side.Found, rows []observation) string {
	median := func(of func(observation) float64) float64 { return figures.Median(figures.Column(rows, of)) }
	ratio := fmt.Sprintf("%12.3f", median(func(o observation) float64 { return float64(o.said.P99) / float64(o.truth.P99) }))
	if !t.Open {
		ratio = " closed loop" // it keeps to no schedule: the truth is not about it
	}
	return fmt.Sprintf("%-14s %10.1f  %28s  %10.1f  %s  %9.0f  %7.0f  %8.0f  %7.1f", t.Name,
		median(func(o observation) float64 { return millis(o.said.P50) }),
		figures.Spread("%.1f", figures.Column(rows, func(o observation) float64 { return millis(o.said.P99) })),
		median(func(o observation) float64 { return millis(o.said.Max) }), ratio,
		median(func(o observation) float64 { return float64(o.said.Answered) }),
		median(func(o observation) float64 { return float64(o.said.Failed) }),
		median(func(o observation) float64 { return float64(o.said.GivenUp) }),
		median(func(o observation) float64 { return o.took.Seconds() }))
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
