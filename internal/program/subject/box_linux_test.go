package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// halfBox is the box of these tests.
var halfBox = cgroup.Limits{CPUs: 0.5, Memory: 64 << 20}

// needBox skips a test where no control group can be made.
func needBox(t *testing.T) {
	t.Helper()
	if err := cgroup.Try(halfBox); err != nil {
		t.Skipf("no box on this machine: %v", err)
	}
}

// groupsOf are the control groups that a hone with a PID has made and that are there.
func groupsOf(t *testing.T, hone int) (found []string) {
	t.Helper()
	g, err := cgroup.Place(halfBox)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range g.Dirs() {
		all, err := filepath.Glob(filepath.Join(filepath.Dir(dir), fmt.Sprintf("hone-%d-*", hone)))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, all...)
	}
	return found
}

// A subject is in its group from its first instruction on, with all that it starts, and gets no more than its quota.
// What it waits beyond its CPU time is what the kernel counts as throttled. The guard is not in the group, and nothing
// is left of it.
func TestBoxThrottles(t *testing.T) {
	needBox(t)
	limits := cgroup.Limits{CPUs: 0.05, Memory: halfBox.Memory}
	p := start(t, server(t, "127.0.0.1:{port}"),
		StartOptions{Resources: Resources{Box: limits}, Grace: 100 * time.Millisecond})
	orphan := number(t, tell(t, p, "orphan"))
	for _, dir := range p.box.Dirs() {
		text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		procs := strings.Fields(string(text))
		for pid, inside := range map[int]bool{p.PID(): true, orphan: true, p.guardPID(): false} {
			if slices.Contains(procs, fmt.Sprint(pid)) != inside {
				t.Errorf("%s holds %v, %v: process %d should be in it: %v", dir, procs, err, pid, inside)
			}
		}
	}
	const burned = 75 * time.Millisecond
	before, began := idle(t, p), time.Now()
	tell(t, p, fmt.Sprintf("burn %d", burned.Milliseconds()))
	took := time.Since(began) + cgroup.Period // the kernel counts a wait at its end, a period later at most
	counted := idle(t, p).Since(before)
	// Of the first period and of the last one it may have seen only the part in which there is a quota.
	if most := time.Duration(limits.CPUs * float64(took+2*cgroup.Period)); burned > most {
		t.Errorf("%v of CPU time in %v, the limit is %v CPUs", burned, took, limits.CPUs)
	}
	// It also waits for its neighbours, but not for longer than that: they are of the same weight, and it wants 5 ms of
	// each 100.
	if waited := took - burned; counted.Throttled > 2*waited || counted.Throttled < waited/4 {
		t.Errorf("it waited for %v, and was throttled for %v", waited, counted.Throttled)
	}
	if counted.ThrottledPeriods < 5 || counted.Periods < counted.ThrottledPeriods || counted.PeakMemory == 0 {
		t.Errorf("counted %+v", counted)
	}
	if _, err := p.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if last := p.Box(); last.Throttled < counted.Throttled {
		t.Errorf("after its end %+v is counted, before %+v", last, counted)
	}
	if left := groupsOf(t, os.Getpid()); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// idle waits until the counters of a subject have not changed for two periods, and returns them.
func idle(t *testing.T, p *Process) cgroup.Counters {
	t.Helper()
	last, since := p.Box(), time.Now()
	await(t, "counters that stand still", func() bool {
		if now := p.Box(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) >= 2*cgroup.Period
	})
	return last
}

// A subject that needs more memory than its box has is killed by the kernel, and the error says so.
func TestBoxRunsOutOfMemory(t *testing.T) {
	needBox(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Resources: Resources{Box: halfBox}})
	command(t, p, "ballast 100")
	<-p.Done()
	wantFail(t, p.Exit(), fail.Subject, "was killed at the memory limit of the box (64 MiB)")
	if hint := fail.HintOf(p.Exit()); !strings.Contains(hint, "GOMEMLIMIT=57MiB") {
		t.Errorf("the hint is %q", hint)
	}
	if c := p.Box(); c.OOMKills != 1 || c.PeakMemory < halfBox.Memory*9/10 || c.PeakMemory > halfBox.Memory+1<<20 {
		t.Errorf("counted %+v", c)
	}
}

// No kill of hone and its guards leaves a group; if all of them die at once, the next hone removes it.
func TestNoGroupSurvivesKill(t *testing.T) {
	needBox(t)
	for name, kill := range map[string]func(family) []int{
		"hone":                 func(f family) []int { return []int{f.hone} },
		"hone and guard":       func(f family) []int { return []int{f.hone, f.guard} },
		"guard and then hone":  func(f family) []int { return []int{f.guard, f.hone} },
		"the subject":          func(f family) []int { return []int{f.server, f.hone} },
		"all guards, and hone": func(f family) []int { return []int{f.backup, f.guard, f.hone} },
		"hone and the backup":  func(f family) []int { return []int{f.hone, f.backup} },
	} {
		t.Run(name, func(t *testing.T) {
			f := startFamily(t, "boxed", 100*time.Millisecond)
			if len(groupsOf(t, f.hone)) == 0 {
				t.Fatal("no group was made")
			}
			pids := kill(f)
			sendAll(t, syscall.SIGKILL, pids...)
			_ = f.cmd.Wait()
			swept := slices.Contains(pids, f.backup)
			await(t, "the end of its groups", func() bool {
				if swept {
					lifetime.EndOrphans()
				}
				return len(groupsOf(t, f.hone)) == 0
			})
		})
	}
}

// A hone that lives removes the group that its guards, killed at once, have left.
func TestHoneRemovesTheGroupOfDeadGuards(t *testing.T) {
	needBox(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Resources: Resources{Box: halfBox}})
	sendAll(t, syscall.SIGKILL, p.client.PID(), p.guardPID())
	<-p.gone.happened
	if left := groupsOf(t, os.Getpid()); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
