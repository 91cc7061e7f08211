package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// generator runs hone with and without metrics, in turns, under the same open loop, and
// reads what its own process uses: the load generator is in it, the recorder is not.
func generator(ctx context.Context, c config, hone honecli.Hone, dir string) error {
	cpu, tail, err := more(c, func(_ int, recorded bool) (reading, error) { return generate(ctx, c, hone, dir, recorded) })
	if err != nil {
		return err
	}
	fmt.Printf("\nhone's own process while it records, against --metrics none, %d pairs of %v at 2,000 requests/s:\n", c.pairs, c.window)
	fmt.Printf(" CPU  %+.2f ms a second (95 %% interval %+.2f ... %+.2f), wanted at most %.1f\n", 1e3*cpu.Value, 1e3*cpu.Low, 1e3*cpu.High, 1e3*goalGenerator)
	fmt.Printf(" p99  %+.3f ms (95 %% interval %+.3f ... %+.3f)\n", tail.Value/1e6, tail.Low/1e6, tail.High/1e6)
	if cpu.High > goalGenerator {
		return fmt.Errorf("recording is not shown to cost the generator at most %.1f ms a second", 1e3*goalGenerator)
	}
	return nil
}

// generate is one run of hone: the CPU time that hone's process used, and the latency.
func generate(ctx context.Context, c config, hone honecli.Hone, dir string, recorded bool) (reading, error) {
	args := []string{"run", "./bench/metricscost/subject", "--ledger", filepath.Join(dir, "ledger-generator"),
		"--target", "http://127.0.0.1:{port}/", "-q", "2000", "-d", (c.window + 2*settle).String(), "--no-profile", "--json"}
	if !recorded {
		args = append(args, "--metrics", "none")
	}
	progress, out := io.Pipe()
	p, err := proc.Start(ctx, -1, proc.Command{Program: hone.Program, Dir: hone.Dir, Interrupt: true, Stderr: out,
		Args: append(args, "--", "-addr", "127.0.0.1:{port}")})
	if err != nil {
		return reading{}, err
	}
	go func() { // ends with hone
		<-p.Ended()
		out.Close()
	}()
	var r reading
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "measure ") && r.cpu == 0 {
			r.cpu, err = usedPerSecond(ctx, p.Pid(), c.window)
		}
	}
	done, ended := p.Wait()
	if done.Code == honecli.Invalid { // the figures stand; a busy machine is seen in both
		ended = nil
	}
	var run struct{ Latency *struct{ P99 float64 } }
	if err := errors.Join(err, ended, json.Unmarshal(done.Stdout, &run)); err != nil {
		return r, fmt.Errorf("hone run: %w", err)
	}
	if run.Latency == nil {
		return r, errors.New("hone run: nothing was answered")
	}
	r.p99 = run.Latency.P99
	return r, nil
}
