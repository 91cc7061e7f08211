package disturbed

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/machine"
)

// conditions is what the machine did besides a run.
type conditions struct {
	// Before is the part of the time for which threads of the case that spun got no CPU before the run: the worst CPU.
	Before float64 `json:"before"`
	// Others is the CPU time of other programs during the run, as a part of one CPU, Bursts the part of the time in
	// which they had more than a quarter of one, and Steal the host's part of all CPUs.
	Others float64 `json:"others"`
	Bursts float64 `json:"bursts"`
	Steal  float64 `json:"steal"`
}

// From these on the machine is busy. What has a CPU for more than one part in a hundred of the time makes the slowest
// hundredth slow; the host's share is counted in ticks of 10 ms.
const (
	busyBefore = 0.05
	busyOthers = 0.05
	busyBursts = 0.02
	busySteal  = 0.02
)

// busy says what makes the machine too busy for a run; empty if nothing does.
func (c conditions) busy() string {
	switch {
	case c.Before > busyBefore:
		return fmt.Sprintf("a thread that spins got no CPU for %.1f %% of the time", 100*c.Before)
	case c.Others > busyOthers:
		return fmt.Sprintf("other programs had %.1f %% of a CPU", 100*c.Others)
	case c.Bursts > busyBursts:
		return fmt.Sprintf("other programs were at work for %.1f %% of the time", 100*c.Bursts)
	case c.Steal > busySteal:
		return fmt.Sprintf("the host had %.1f %% of the CPUs", 100*c.Steal)
	}
	return ""
}

// spun is how long a thread spins on each CPU.
const spun = 200 * time.Millisecond

// awaitQuiet waits until threads that spin get their CPUs, or patience is over, and says for which part of the time the
// worst got none.
func awaitQuiet(ctx context.Context, patience time.Duration) (worst float64, err error) {
	for end := time.Now().Add(patience); ; {
		if worst, err = withheld(); err != nil || worst <= busyBefore || time.Now().After(end) || ctx.Err() != nil {
			return worst, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Second):
		}
	}
}

// withheld spins on each CPU in turn and is the largest part of the time for which the thread got none.
func withheld() (worst float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return 0, fmt.Errorf("read CPU affinity: %w", err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	for cpu := range len(before) * 64 {
		if !before.IsSet(cpu) {
			continue
		}
		var only unix.CPUSet
		only.Set(cpu)
		if err := unix.SchedSetaffinity(0, &only); err != nil {
			return 0, fmt.Errorf("pin to CPU %d: %w", cpu, err)
		}
		ran, waited, err := ownSchedule()
		if err != nil {
			return 0, err
		}
		for end := time.Now().Add(spun); time.Now().Before(end); {
		}
		ranNow, waitedNow, err := ownSchedule()
		if err != nil {
			return 0, err
		}
		ran, waited = ranNow-ran, waitedNow-waited
		worst = max(worst, float64(waited)/float64(max(1, ran+waited)))
	}
	return worst, nil
}

// ownSchedule is how long this thread ran and waited for a CPU so far, in nanoseconds.
func ownSchedule() (ran, waited int64, err error) {
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	if err == nil {
		_, err = fmt.Fscan(strings.NewReader(string(text)), &ran, &waited)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("read how long a thread waited: %w", err)
	}
	return ran, waited, nil
}

const (
	// looked is how often the CPU clocks of other programs are read, and listedEvery how often it is looked for new
	// ones.
	looked      = 20 * time.Millisecond
	listedEvery = 2 * time.Second
	burst       = 0.25
)

// watch watches the machine until ctx ends.
func watch(ctx context.Context) (c conditions) {
	gauge := machine.OpenGauge()
	defer gauge.Close()
	began, before := time.Now(), gauge.Read()
	var used, bursts time.Duration
	for ctx.Err() == nil {
		others, listed := machine.WatchNeighbours(os.Getpid()), time.Now()
		for at := listed; ctx.Err() == nil && time.Since(listed) < listedEvery; {
			select {
			case <-ctx.Done():
			case <-time.After(looked):
			}
			now, sum := time.Now(), time.Duration(0)
			for _, one := range others.Next() {
				sum += one
			}
			used += sum
			if float64(sum) > burst*float64(now.Sub(at)) {
				bursts += now.Sub(at)
			}
			at = now
		}
	}
	took := time.Since(began)
	c.Others, c.Bursts = float64(used)/float64(took), float64(bursts)/float64(took)
	if d := gauge.Read().Since(before); d.Steal != nil {
		c.Steal = *d.Steal
	}
	return c
}
