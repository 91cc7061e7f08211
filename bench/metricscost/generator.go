package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/stats"
)

// generator runs hone with and without metrics, in turns, under the same open loop, and
// reads what its own process uses: the load generator is in it, the recorder is not.
func generator(ctx context.Context, c config, dir string) error {
	var more, tails []float64
	for range c.pairs {
		var cpu, p99 [2]float64 // with, without
		for _, i := range rand.Perm(2) {
			var err error
			if cpu[i], p99[i], err = generate(ctx, c, dir, i == 0); err != nil {
				return err
			}
		}
		more, tails = append(more, cpu[0]-cpu[1]), append(tails, (p99[0]-p99[1])/1e6)
	}
	cpu, err := stats.HodgesLehmann(more, 0.95)
	if err != nil {
		return err
	}
	tail, err := stats.HodgesLehmann(tails, 0.95)
	if err != nil {
		return err
	}
	fmt.Printf("\nhone's own process while it records, against --metrics none, %d pairs of %v at 2,000 requests/s:\n", c.pairs, c.window)
	fmt.Printf(" CPU  %+.2f ms a second (95 %% interval %+.2f ... %+.2f), wanted at most %.1f\n", 1e3*cpu.Value, 1e3*cpu.Low, 1e3*cpu.High, 1e3*goalGenerator)
	fmt.Printf(" p99  %+.3f ms (95 %% interval %+.3f ... %+.3f)\n", tail.Value, tail.Low, tail.High)
	if cpu.High > goalGenerator {
		return fmt.Errorf("recording is not shown to cost the generator at most %.1f ms a second", 1e3*goalGenerator)
	}
	return nil
}

// settle is how long hone has been loading when the window begins, and goes on behind it.
const settle = time.Second

// generate is one run of hone. It returns the CPU time that hone's process used in a second,
// and the p99 of the latency in nanoseconds.
func generate(ctx context.Context, c config, dir string, recorded bool) (cpu, p99 float64, err error) {
	args := []string{"run", "./bench/metricscost/subject", "--ledger", filepath.Join(dir, "ledger-generator"),
		"--target", "http://127.0.0.1:{port}/", "-q", "2000", "-d", (c.window + 2*settle).String(), "--no-profile", "--json"}
	if !recorded {
		args = append(args, "--metrics", "none")
	}
	args = append(args, "--", "-addr", "127.0.0.1:{port}")
	hone, err := filepath.Abs(c.hone)
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, hone, args...)
	cmd.Dir = ".."
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var document bytes.Buffer
	cmd.Stdout = &document
	progress, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return 0, 0, err
	}
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "measure ") && cpu == 0 {
			cpu, err = usedPerSecond(ctx, cmd.Process.Pid, c.window)
		}
	}
	var run struct {
		Latency *struct {
			P99 float64 `json:"p99"`
		} `json:"latency"`
	}
	ended := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code == 4 { // the figures stand; a busy machine is seen in both
		ended = nil
	}
	if err := errors.Join(err, ended, json.Unmarshal(document.Bytes(), &run)); err != nil {
		return 0, 0, fmt.Errorf("hone run: %w", err)
	}
	if run.Latency == nil {
		return 0, 0, errors.New("hone run: nothing was answered")
	}
	return cpu, run.Latency.P99, nil
}

// usedPerSecond is the share of a CPU that a process uses in the window, which begins soon.
func usedPerSecond(ctx context.Context, pid int, window time.Duration) (float64, error) {
	wait := func(d time.Duration) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := wait(settle); err != nil {
		return 0, err
	}
	before, err := side.CPUTime(pid)
	began := time.Now()
	if err == nil {
		err = wait(window)
	}
	if err != nil {
		return 0, err
	}
	after, err := side.CPUTime(pid)
	return float64(after-before) / float64(time.Since(began)), err
}
