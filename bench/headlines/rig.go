package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// rig is what all sections measure with.
type rig struct {
	hone, version string
	root          string // of the repository, where commands run
	dir           string // for ledgers and programs
	quick         bool
	// disturbed and repeated add up over the section that is measured: what else the machine
	// did, and what hone said of measurements that were invalid and taken again.
	disturbed conditions
	repeated  []string
}

// budget is d, or a tenth of it where nothing but trying is wanted.
func (r *rig) budget(d time.Duration) string {
	if r.quick {
		d /= 10
	}
	return d.String()
}

// rounds is how often what has no comparison of hone's own is measured: six are the
// least that give a 95 % interval.
func (r *rig) rounds() int {
	if r.quick {
		return 2
	}
	return 6
}

// inTurns calls do for 0 to n-1 in every round, in random order.
func (r *rig) inTurns(n int, do func(i, round int) error) error {
	for round := range r.rounds() {
		for _, i := range rand.Perm(n) {
			if err := do(i, round); err != nil {
				return err
			}
		}
	}
	return nil
}

// Exit codes of hone that come with a document (hone help exit-codes).
const (
	exitRegression = 1 // what hone bench ends with if a benchmark is slower
	exitInvalid    = 4
	exitUndecided  = 8
)

// attempts are how often a measurement is taken that hone calls invalid: on a busy machine
// one of dozens may be, and the page says so.
const attempts = 3

// ask runs hone in a directory of the repository and reads the document that it prints. The
// error has hone's own words if it ends with a code other than 0 and those in fine.
func (r *rig) ask(ctx context.Context, dir string, into any, fine []int, args ...string) error {
	for attempt := 1; ; attempt++ {
		out, said, err := r.once(ctx, dir, args)
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && slices.Contains(fine, exit.ExitCode()):
			err = nil
		case errors.As(err, &exit) && exit.ExitCode() == exitInvalid && attempt < attempts && ctx.Err() == nil:
			first, _, _ := strings.Cut(said, "\n")
			r.repeated = append(r.repeated, first)
			continue
		}
		if err != nil {
			return fmt.Errorf("run hone %s: %w\n%s", strings.Join(args, " "), err, said)
		}
		if err := json.Unmarshal(out, into); err != nil {
			return fmt.Errorf("read what hone %s prints: %w", args[0], err)
		}
		return nil
	}
}

// once runs hone, and returns what it prints and what it says.
func (r *rig) once(ctx context.Context, dir string, args []string) (out []byte, said string, err error) {
	cmd := exec.CommandContext(ctx, r.hone, args...)
	cmd.Dir = filepath.Join(r.root, dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	// Interrupted, hone ends its subjects before itself.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	out, err = cmd.Output()
	return out, strings.TrimSpace(stderr.String()), err
}

// ledger is where hone keeps what it measures.
func (r *rig) ledger() string { return filepath.Join(r.dir, "ledger") }

// build builds programs of the repository into r.dir.
func (r *rig) build(ctx context.Context, packages ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-o", r.dir + string(filepath.Separator)}, packages...)...)
	cmd.Dir = r.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", strings.Join(packages, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

// program is the path of a program that build made.
func (r *rig) program(name string) string { return filepath.Join(r.dir, name) }

// conditions are what else happened on the machine during timed load, as hone noted it.
type conditions struct {
	Elapsed int64 `json:"elapsed_ns"`
	Others  int64 `json:"others_cpu_ns"`
	// Steal is the time that the host took, as a share of all CPUs.
	Steal float64 `json:"steal_share"`
	// CPUs are those of the machine.
	CPUs int `json:"-"`
}

func (c *conditions) add(more conditions) {
	if all := c.Elapsed + more.Elapsed; all > 0 {
		c.Steal = (c.Steal*float64(c.Elapsed) + more.Steal*float64(more.Elapsed)) / float64(all)
	}
	c.Elapsed += more.Elapsed
	c.Others += more.Others
}

func (c conditions) String() string {
	if c.Elapsed == 0 {
		return "hone noted nothing about what else the machine did."
	}
	return fmt.Sprintf("Meanwhile other programs had %.1f %% of the CPUs, and the host took %.1f %%.",
		100*float64(c.Others)/float64(c.Elapsed)/float64(c.CPUs), 100*c.Steal)
}
