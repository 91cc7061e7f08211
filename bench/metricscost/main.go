// Command metricscost says what recording the metrics of a run costs: the program that is
// scraped and the load generator in CPU time, and hone in memory.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./metricscost
//
// It needs Linux and, with the defaults, 24 minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/stats"
)

// What is wanted: the share of a CPU that scraping takes from the program, at an interval
// of a second, what recording takes from the generator, and hone's memory over a run.
const (
	goalShare     = 0.005
	goalGenerator = 0.001
	goalMemory    = 150 << 20
)

type config struct {
	hone   string
	window time.Duration
	pairs  int
	length time.Duration
	series int
	skip   string
	cpu    int
}

func main() { side.Main("metricscost", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := flag.NewFlagSet("metricscost", flag.ContinueOnError)
	fs.StringVar(&c.hone, "hone", "../bin/hone", "hone's binary")
	fs.DurationVar(&c.window, "window", 10*time.Second, "how long the program is watched with and without scrapes, in turns")
	fs.IntVar(&c.pairs, "pairs", 15, "how many such pairs")
	fs.DurationVar(&c.length, "d", 10*time.Minute, "length of the run whose memory is watched")
	fs.IntVar(&c.series, "series", 5000, "series of the program in that run")
	fs.StringVar(&c.skip, "skip", "", "parts to leave out, separated by commas: cost, generator, memory")
	fs.IntVar(&c.cpu, "cpu", 1, "CPU of the program that is scraped")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	if c.window < 2*time.Second || c.pairs < 6 || c.length < 10*time.Second || c.series < 1 {
		return c, errors.New("want windows of 2s, 6 pairs, a run of 10s and a series, or more")
	}
	return c, nil
}

func run(ctx context.Context, c config) error {
	for _, line := range side.Machine() {
		fmt.Println(line)
	}
	dir, err := os.MkdirTemp("", "metricscost-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var faults []error
	for _, part := range []struct {
		name string
		run  func(context.Context, config, string) error
	}{{"cost", cost}, {"generator", generator}, {"memory", memory}} {
		if !slices.Contains(strings.Split(c.skip, ","), part.name) {
			faults = append(faults, part.run(ctx, c, dir))
		}
	}
	return errors.Join(faults...)
}

// cost scrapes a framed server that has nothing else to do: all of its CPU time, less what
// it takes without scrapes, is theirs.
func cost(ctx context.Context, c config, dir string) error {
	program := filepath.Join(dir, "framed")
	if err := build(ctx, program, "./services/framed/cmd/framed"); err != nil {
		return err
	}
	addr, page := free(), free()
	cmd := exec.CommandContext(ctx, program, "-stage", "batched", "-addr", addr, "-metrics", page)
	if err := side.StartOn(c.cpu, cmd); err != nil {
		return err
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	if err := await(ctx, page); err != nil {
		return err
	}
	store := metrics.In(dir)
	use := func(scraped bool, n int) (share float64, err error) {
		if scraped {
			r, err := store.Record(metrics.Record{Run: fmt.Sprintf("r%d", n), Page: &url.URL{Scheme: "http", Host: page, Path: "/metrics"}})
			if err != nil {
				return 0, err
			}
			defer r.Stop()
		}
		time.Sleep(time.Second) // what the window before has left is over
		before, err := side.CPUTime(cmd.Process.Pid)
		if err != nil {
			return 0, err
		}
		began := time.Now()
		select {
		case <-time.After(c.window):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		after, err := side.CPUTime(cmd.Process.Pid)
		return float64(after-before) / float64(time.Since(began)), err
	}
	var shares []float64
	for i := range c.pairs {
		var with, without float64
		for _, scraped := range [][]bool{{true, false}, {false, true}}[rand.IntN(2)] {
			share, err := use(scraped, i)
			if err != nil {
				return err
			}
			if scraped {
				with = share
			} else {
				without = share
			}
		}
		shares = append(shares, with-without)
	}
	estimate, err := stats.HodgesLehmann(shares, 0.95)
	if err != nil {
		return err
	}
	fmt.Printf("\nscraped every second for %d times %v: %.3f %% of a CPU (95 %% interval %.3f ... %.3f %%), wanted at most %.1f %%\n",
		c.pairs, c.window, 100*estimate.Value, 100*estimate.Low, 100*estimate.High, 100*goalShare)
	if estimate.High > goalShare {
		return fmt.Errorf("scraping is not shown to cost at most %.1f %% of a CPU", 100*goalShare)
	}
	return nil
}

// memory watches hone over a run of a service with many series.
func memory(ctx context.Context, c config, dir string) error {
	cmd := exec.CommandContext(ctx, c.hone, "run", "./bench/metricscost/subject", "--ledger", filepath.Join(dir, "ledger"),
		"--target", "http://127.0.0.1:{port}/", "-q", "2000", "-d", c.length.String(), "--no-profile", "--quiet",
		"--", "-addr", "127.0.0.1:{port}", "-series", strconv.Itoa(c.series))
	cmd.Dir = ".."
	hone, err := filepath.Abs(c.hone)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Stdout, cmd.Stderr = hone, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var peak, last int64
	fmt.Printf("\na run of %v with %d series at 2,000 requests/s; hone's resident memory every minute, MB:\n", c.length, c.series)
	for tick := time.Tick(time.Second); ; {
		select {
		case err := <-done:
			fmt.Printf("\nhone's largest resident memory: %.1f MB, wanted at most %d MB\n", float64(peak)/(1<<20), goalMemory>>20)
			if err == nil && peak > goalMemory {
				err = errors.New("hone took too much memory")
			}
			return err
		case now := <-tick:
			high, resident := memoryOf(cmd.Process.Pid)
			peak = max(peak, high)
			if minute := now.Unix() / 60; minute != last {
				last = minute
				fmt.Printf(" %.0f", float64(resident)/(1<<20))
			}
		}
	}
}

// memoryOf is the largest and the present resident memory of a process, 0 if it is gone.
func memoryOf(pid int) (peak, resident int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kb, _ := strconv.ParseInt(fields[1], 10, 64)
		switch fields[0] {
		case "VmHWM:":
			peak = kb << 10
		case "VmRSS:":
			resident = kb << 10
		}
	}
	return peak, resident
}

func build(ctx context.Context, to, pkg string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", to, pkg)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// free is an address that nobody listens on.
func free() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:0"
	}
	defer l.Close()
	return l.Addr().String()
}

func await(ctx context.Context, address string) error {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(end) {
			return err
		}
	}
}
