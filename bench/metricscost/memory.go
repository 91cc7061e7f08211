package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// memory watches hone over a run of a service with many series.
func memory(ctx context.Context, c config, hone honecli.Hone, dir string) error {
	p, err := proc.Start(ctx, -1, proc.Command{Program: hone.Program, Dir: hone.Dir, Interrupt: true, Args: []string{
		"run", "./bench/metricscost/subject", "--ledger", filepath.Join(dir, "ledger"),
		"--target", "http://127.0.0.1:{port}/", "-q", "2000", "-d", c.length.String(), "--no-profile", "--quiet",
		"--", "-addr", "127.0.0.1:{port}", "-series", strconv.Itoa(c.series)}})
	if err != nil {
		return err
	}
	var peak, last int64
	fmt.Printf("\na run of %v with %d series at 2,000 requests/s; hone's resident memory every minute, MB:\n", c.length, c.series)
	for tick := time.Tick(time.Second); ; {
		select {
		case <-p.Ended():
			done, err := p.Wait()
			fmt.Printf("\n%s\nhone's largest resident memory: %.1f MB, wanted at most %d MB\n", done.Stdout, float64(peak)/(1<<20), goalMemory>>20)
			if err == nil && peak > goalMemory {
				err = errors.New("hone took too much memory")
			}
			return err
		case now := <-tick:
			resident, high, err := proc.Memory(p.Pid())
			if err != nil {
				continue // it is ending
			}
			peak = max(peak, high)
			if minute := now.Unix() / 60; minute != last {
				last = minute
				fmt.Printf(" %.0f", float64(resident)/(1<<20))
			}
		}
	}
}
