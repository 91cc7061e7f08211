package reach

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// leftOut is what hone bench says of the benchmarks of a commit that it does not measure.
type leftOut struct {
	// Measured, SameCode and NotExecuted are how many it measures, and how many not, by why.
	Measured    int     `json:"measured"`
	SameCode    int     `json:"same_code"`
	NotExecuted int     `json:"not_executed"`
	Seconds     float64 `json:"s"`
	// Refused is what hone said where it measured nothing by an error.
	Refused string `json:"refused,omitempty"`
	// Missed are the benchmarks that it leaves out although they execute what differs, with that function.
	Missed []string `json:"missed,omitempty"`
}

// unchanged is a benchmark that hone bench does not measure.
type unchanged struct{ Name, Reason string }

// askBench has hone bench say which benchmarks of a package it leaves out. What it measures of the others is one round:
// not its figures are asked for.
func askBench(ctx context.Context, hone honecli.Hone, dir, base, temp string) (l leftOut, all []unchanged) {
	hone.Dir, hone.Ledger = dir, filepath.Join(temp, "ledger")
	var d struct {
		Benchmarks []struct{ Name string }
		Unchanged  []unchanged
	}
	began := time.Now()
	done, err := hone.Ask(ctx, &d, []int{honecli.Undecided}, "bench --quiet --no-report", ".", "--vs", base,
		"--count", "1", "--budget", "10s", "--benchtime", "1x")
	l.Seconds = time.Since(began).Seconds()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && len(done.Stdout) > 0) {
		l.Refused = cut(err)
		return l, nil
	}
	l.Measured = len(d.Benchmarks)
	for _, u := range d.Unchanged {
		if honecli.Unmeasured(u.Reason) == honecli.SameCode {
			l.SameCode++
		} else {
			l.NotExecuted++
		}
	}
	return l, d.Unchanged
}

// check compares the benchmarks that hone leaves out with what they execute. A function that is compiled to the same
// code does not differ, and neither does one that is inlined in a benchmark which is compiled to the same (isSame).
func (l *leftOut) check(all []unchanged, functions []finding, isSame func(benchmark string) bool) {
	for _, u := range all {
		for _, f := range functions {
			if !f.SameCode && slices.Contains(f.Truth.Benchmarks, u.Name) &&
				(honecli.Unmeasured(u.Reason) != honecli.SameCode || !isSame(u.Name)) {
				l.Missed = append(l.Missed, u.Name+" executes "+f.Name)
				break
			}
		}
	}
}
