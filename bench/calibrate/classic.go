package calibrate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// How the classic way is taken: ten samples of each side, what people pass to -count, after
// a warm-up, on CPUs apart as hone has them.
const (
	classicSamples = 10
	classicWarmUp  = 500 * time.Millisecond
	leastSample    = 200 * time.Millisecond
	subjectCPU     = 0
	loadCPU        = 1
)

// oldThenNew measures the same program twice in the classic way, in as much time as d:
// all samples of one process, then all of another one.
func oldThenNew(ctx context.Context, t tool, program string, s service, d time.Duration) (*classic, error) {
	began := time.Now()
	length := max(leastSample, (d-2*classicWarmUp)/(2*classicSamples))
	var sides [2]samples
	for i, name := range []string{"old", "new"} {
		var err error
		if sides[i], err = sampleProcess(ctx, t, program, s, length); err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
	}
	c := &classic{Samples: classicSamples, Seconds: rounded(time.Since(began).Seconds(), 2)}
	c.CPURatio, c.CPUP = ranked(sides[0].cpu, sides[1].cpu)
	c.RateRatio, c.RateP = ranked(sides[0].rate, sides[1].rate)
	return c, nil
}

// ranked compares samples as benchstat does.
func ranked(old, young []float64) (ratio, p float64) {
	ratio, p = figures.RankTest(old, young)
	return rounded(ratio, 6), rounded(p, 6)
}

// samples are of one process: CPU nanoseconds per request, and requests per second.
type samples struct{ cpu, rate []float64 }

// sampleProcess starts the program, warms it up and loads it once for each sample.
func sampleProcess(ctx context.Context, t tool, program string, s service, length time.Duration) (got samples,
	err error) {
	p, err := startSubject(ctx, program)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, p.Terminate()) }() // it is to end well
	if _, _, err := sample(ctx, p, t, s, classicWarmUp); err != nil {
		return got, err
	}
	for range classicSamples {
		cpu, rate, err := sample(ctx, p, t, s, length)
		if err != nil {
			return got, err
		}
		got.cpu, got.rate = append(got.cpu, cpu), append(got.rate, rate)
	}
	return got, nil
}

// startSubject starts the program of a service as it is.
func startSubject(ctx context.Context, program string) (*proc.Server, error) {
	return proc.Serve(ctx, subjectCPU, proc.Command{Program: program, Args: []string{"-spin", "0"}})
}

// sample loads the subject once.
func sample(ctx context.Context, p *proc.Server, t tool, s service, d time.Duration) (cpuNanos, rate float64,
	err error) {
	target := strings.ReplaceAll(s.Target, "127.0.0.1:{port}", p.Addr)
	var h honecli.Load
	used, err := proc.CPUOf(p.Pid(), func() (err error) {
		h, err = t.Load(ctx, loadCPU, append(s.load(target), "-d", d.String(), "--warmup", "0s")...)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	if h.Account.Answered == 0 || h.Account.Failed > 0 {
		return 0, 0, fmt.Errorf("load %s: %d requests answered, %d failed", target, h.Account.Answered,
			h.Account.Failed)
	}
	return float64(used) / float64(h.Account.Answered), h.AchievedHz, nil
}

// buildSubjects builds the services' programs into dir, by name.
func buildSubjects(ctx context.Context, dir string, ss []service) (map[string]string, error) {
	programs := map[string]string{}
	for _, s := range ss {
		programs[s.Name] = filepath.Join(dir, s.Name)
		if err := proc.BuildGo(ctx, "", programs[s.Name], s.Package); err != nil {
			return nil, err
		}
	}
	return programs, nil
}
