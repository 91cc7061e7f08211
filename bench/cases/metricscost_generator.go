package cases

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
func (c recordingCost) generator(ctx context.Context) error {
	cpu, tail, err := c.more(func(_ int, recorded bool) (usage, error) { return c.generate(ctx, recorded) })
	if err != nil {
		return err
	}
	c.Claim("recording metrics: CPU of hone's own process at 2,000 requests/s, over --metrics none; p99",
		"%+.2f ms a second (%+.2f ... %+.2f); %+.3f ms (%+.3f ... %+.3f)",
		1e3*cpu.Value, 1e3*cpu.Low, 1e3*cpu.High, tail.Value/1e6, tail.Low/1e6, tail.High/1e6)
	if cpu.High > goalGenerator {
		return fmt.Errorf("recording is not shown to cost the generator at most %.1f ms a second", 1e3*goalGenerator)
	}
	return nil
}

// generate is one run of hone: the CPU time that hone's process used, and the latency.
func (c recordingCost) generate(ctx context.Context, recorded bool) (usage, error) {
	args := []string{"run", "./bench/subjects/series", "--ledger", filepath.Join(c.Dir, "ledger-generator"),
		"--target", "http://127.0.0.1:{port}/", "-R", "2000", "-d", (c.Slice + 2*settle).String(), "--no-profile",
		"--json"}
	if !recorded {
		args = append(args, "--metrics", "none")
	}
	progress, out := io.Pipe()
	p, err := proc.Start(ctx, -1, proc.Command{Program: c.Hone.Program, Dir: c.Hone.Dir, Interrupt: true, Stderr: out,
		Args: append(args, "--", "-addr", "127.0.0.1:{port}")})
	if err != nil {
		return usage{}, err
	}
	go func() { // ends with hone
		<-p.Ended()
		out.Close()
	}()
	var r usage
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "measure ") && r.cpu == 0 {
			r.cpu, err = usedPerSecond(ctx, p.Pid(), c.Slice)
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
