package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/perf/benchmath"

	"github.com/gohone/hone/bench/side"
)

// How the classic way is taken: ten samples of each side, what people pass to -count, after
// a warm-up, on CPUs apart as hone has them.
const (
	classicSamples = 10
	classicWarmUp  = 500 * time.Millisecond
	classicAlpha   = 0.05
	leastSample    = 200 * time.Millisecond
	subjectCPU     = 0
	loadCPU        = 1
)

// oldThenNew measures the same program twice in the classic way, in as much time as d:
// all samples of one process, then all of another one.
func oldThenNew(ctx context.Context, t tool, program string, s service, d time.Duration) (*classic, error) {
	began := time.Now()
	length := max(leastSample, (d-2*classicWarmUp)/(2*classicSamples))
	old, err := sampleProcess(ctx, t, program, s, length)
	if err != nil {
		return nil, fmt.Errorf("measure old: %w", err)
	}
	young, err := sampleProcess(ctx, t, program, s, length)
	if err != nil {
		return nil, fmt.Errorf("measure new: %w", err)
	}
	c := &classic{Samples: classicSamples, Seconds: rounded(time.Since(began).Seconds(), 2)}
	c.CPURatio, c.CPUP = rankTest(old.cpu, young.cpu)
	c.RateRatio, c.RateP = rankTest(old.rate, young.rate)
	return c, nil
}

// rankTest returns the ratio of the medians and the p-value, as benchstat has them.
func rankTest(old, young []float64) (ratio, p float64) {
	thresholds := &benchmath.Thresholds{CompareAlpha: classicAlpha}
	a, b := benchmath.NewSample(old, thresholds), benchmath.NewSample(young, thresholds)
	test := benchmath.AssumeNothing.Compare(a, b)
	return rounded(side.Median(young)/side.Median(old), 6), rounded(test.P, 6)
}

// samples are of one process: CPU nanoseconds per request, and requests per second.
type samples struct{ cpu, rate []float64 }

// sampleProcess starts the program, warms it up and loads it once for each sample.
func sampleProcess(ctx context.Context, t tool, program string, s service, length time.Duration) (got samples, err error) {
	p, err := startSubject(ctx, program)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	target := strings.ReplaceAll(s.Target, "{port}", p.port)
	if _, _, err := p.sample(ctx, t, s, target, classicWarmUp); err != nil {
		return got, err
	}
	for range classicSamples {
		cpu, rate, err := p.sample(ctx, t, s, target, length)
		if err != nil {
			return got, err
		}
		got.cpu, got.rate = append(got.cpu, cpu), append(got.rate, rate)
	}
	return got, nil
}

// running is a subject that this program started itself.
type running struct {
	cmd  *exec.Cmd
	port string
}

// startSubject starts a program that takes -addr and prints where it listens.
func startSubject(ctx context.Context, program string) (*running, error) {
	cmd := exec.CommandContext(ctx, program, "-addr", "127.0.0.1:0", "-spin", "0")
	// Without the pipe's own goroutine: Wait would close what is still being read.
	said, its, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	cmd.Stderr = its
	err = side.StartOn(subjectCPU, cmd)
	its.Close()
	if err != nil {
		said.Close()
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	p := &running{cmd: cmd}
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	go func() { // ends with the process, which holds the other end of the pipe
		io.Copy(io.Discard, lines)
		said.Close()
	}()
	i := strings.LastIndexByte(line, ':')
	if err != nil || i < 0 {
		return nil, errors.Join(fmt.Errorf("start %s: no word of where it listens in %q", program, line), p.stop())
	}
	p.port = strings.TrimSpace(line[i+1:])
	return p, nil
}

// sample loads the subject once.
func (p *running) sample(ctx context.Context, t tool, s service, target string, d time.Duration) (cpuNanos, rate float64, err error) {
	before, err := cpuTime(p.cmd.Process.Pid)
	if err != nil {
		return 0, 0, err
	}
	args := append([]string{"load"}, s.load(target)...)
	args = append(args, "-d", d.String(), "--warmup", "0s", "--workers", "1", "--quiet", "--json")
	h, _, err := side.RunHone(ctx, loadCPU, side.Found{Program: t.program}, side.Command{Args: args})
	if err != nil {
		return 0, 0, err
	}
	after, err := cpuTime(p.cmd.Process.Pid)
	if err != nil {
		return 0, 0, err
	}
	if h.Account.Answered == 0 || h.Account.Failed > 0 {
		return 0, 0, fmt.Errorf("load %s: %d requests answered, %d failed", target, h.Account.Answered, h.Account.Failed)
	}
	return float64(after-before) / float64(h.Account.Answered), h.AchievedHz, nil
}

// stop ends the subject, which is to end well.
func (p *running) stop() error {
	p.cmd.Process.Signal(syscall.SIGTERM) // one that has gone already is waited for
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("stop %s: %w", filepath.Base(p.cmd.Path), err)
	}
	return nil
}

// buildSubjects builds the services' programs into dir, by name.
func buildSubjects(ctx context.Context, dir string, ss []service) (map[string]string, error) {
	programs := map[string]string{}
	for _, s := range ss {
		program := filepath.Join(dir, s.Name)
		out, err := exec.CommandContext(ctx, "go", "build", "-o", program, s.Package).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("build %s: %w: %s", s.Package, err, out)
		}
		programs[s.Name] = program
	}
	return programs, nil
}
