package disturbed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// serviceDir is where hone runs, from the directory bench.
const serviceDir = "disturbed"

// tools are the programs beside the service, and how much it computes for each request.
type tools struct {
	service, helper string
	rounds          int
}

// computes is for how long a request computes on a machine that is quiet.
const computes = 150 * time.Microsecond

// begin builds the service and its helper, and finds out how much of its work takes as long as a request is to.
func (c *config) begin(ctx context.Context) error {
	dir := filepath.Join(c.Dir, "programs") + "/"
	c.service, c.helper = dir+"svc", dir+"helper"
	c.rounds = roundsIn(computes)
	c.Hone.Dir = serviceDir
	return proc.BuildGo(ctx, ".", dir, "./disturbed/svc", "./disturbed/helper")
}

// measure takes a run, and keeps also what went wrong.
func (c *config) measure(ctx context.Context, t task) ([]record, error) {
	r := record{Task: &t}
	err := c.take(ctx, t, &r)
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

// roundsIn is how many hashes of the service's take so long: by the quickest of some tries, which nothing disturbed.
func roundsIn(d time.Duration) int {
	const some = 100
	var block [1024]byte
	quickest := time.Duration(math.MaxInt64)
	for range 200 {
		began := time.Now()
		for range some {
			sum := sha256.Sum256(block[:])
			copy(block[:], sum[:])
		}
		quickest = min(quickest, time.Since(began))
	}
	return max(1, int(some*d/quickest))
}

// take waits for a quiet machine and takes one run. Where the machine stays busy hone is not asked.
func (c config) take(ctx context.Context, t task, r *record) error {
	if c.anyway {
		c.patience = 0
	}
	before, err := awaitQuiet(ctx, c.patience)
	if err != nil {
		return err
	}
	r.Machine = conditions{Before: before}
	if r.Machine.busy() != "" && !c.anyway {
		return nil
	}
	dir, err := os.MkdirTemp(c.Dir, "run-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	s := &stage{task: t, helper: c.helper, dir: dir}
	defer s.strike()
	if err := s.set(ctx); err != nil {
		return err
	}
	cpus := t.Strength
	if t.Cause == quota && t.Rate > 0 {
		each, err := c.cpuOf(ctx, s)
		if err != nil {
			return err
		}
		// The kernel takes no quota below a hundredth of a CPU.
		cpus = max(0.02, math.Round(100*t.Strength*each.Seconds()*float64(t.Rate))/100)
	}
	during, end := context.WithCancel(ctx)
	defer end()
	seen, did := make(chan conditions, 1), make(chan error, 1)
	go func() { seen <- watch(during) }()
	go func() {
		var err error
		r.Injected, err = s.disturb(during)
		did <- err
	}()
	said, failed := c.ask(ctx, t, s.args, cpus)
	end()
	r.Machine = <-seen
	r.Machine.Before = before
	if err := <-did; failed == nil {
		failed = err
	}
	if failed == nil {
		r.Said = said
	}
	return failed
}

// cpuOf is the CPU time that a request takes of the service while nothing disturbs it.
func (c config) cpuOf(ctx context.Context, s *stage) (time.Duration, error) {
	defer os.Remove(s.path("pid")) // that of hone's own start comes later
	defer os.Remove(s.path("record"))
	service, err := proc.Serve(ctx, -1, proc.Command{Program: c.service, Args: c.serviceArgs(s.args)})
	if err != nil {
		return 0, err
	}
	defer service.Stop()
	const requests = 500
	used, err := proc.CPUOf(service.Pid(), func() error {
		for range requests {
			answer, err := http.Get("http://" + service.Addr + "/")
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if err != nil {
				return err
			}
		}
		return nil
	})
	return used / requests, err
}

func (c config) serviceArgs(more []string) []string {
	return append([]string{"-rounds", strconv.Itoa(c.rounds)}, more...)
}
