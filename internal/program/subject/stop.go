package subject

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// StopReport says what it took to end the subject.
type StopReport struct {
	// Killed are the processes that were left when the grace was over.
	Killed []guard.KilledProcess `json:"killed,omitempty"`
	// Grace is what they had to end by themselves; 0 if they had none.
	Grace time.Duration `json:"grace_ns,omitempty"`
	// Took is the time from the first TERM until nothing was left.
	Took time.Duration `json:"took_ns"`
}

// Warning is a sentence for the user if the subject did not end by itself, and
// empty if it did.
func (r StopReport) Warning() string {
	if len(r.Killed) == 0 {
		return ""
	}
	if r.Grace == 0 {
		return "had to be killed: " + listOf(r.Killed)
	}
	return fmt.Sprintf("did not end within %v of TERM and had to be killed: %s", r.Grace, listOf(r.Killed))
}

func listOf(processes []guard.KilledProcess) string {
	names := make([]string, len(processes))
	for i, k := range processes {
		names[i] = fmt.Sprintf("%s (PID %d)", k.Name, k.PID)
	}
	return strings.Join(names, ", ")
}

// killPatience is the time that processes get to vanish after KILL. Only one that
// hangs in the kernel needs more.
const killPatience = 2 * time.Second

// guardPatience is the time that a guard gets to vanish that was killed itself. On a machine that is far too busy that
// may take seconds; longer waiting costs nothing where it works.
const guardPatience = 10 * time.Second

// filesPatience is the time that removing its files gets. That waits for the disk, which other programs may keep busy.
const filesPatience = time.Minute

// Stop ends the subject: TERM to its process group, then, when the grace is over or ctx ends, KILL to all its
// processes, also those that left the group or lost their parent. Before that the caller closes its connections, and
// the program has a moment to notice: see awaitClosedConnections. It returns when nothing is left, at most the grace,
// 14 s and a minute for its files after the call. A further call changes nothing and returns the same report. The error
// is a *fail.Error (Environment) that names the processes that even KILL did not end.
func (p *running) Stop(ctx context.Context) (StopReport, error) {
	p.keepSockets()
	p.awaitClosedConnections(ctx)
	p.stop.ask()
	p.client.Stop(p.opts.Grace)
	patience := time.NewTimer(p.opts.Grace + killPatience)
	defer patience.Stop()
	select {
	case <-p.gone.happened:
		return p.stopped(), nil
	case <-ctx.Done():
		p.client.Stop(0)
		p.stop.hurried.Store(true)
		patience.Reset(killPatience)
	case <-patience.C:
		return p.force()
	}
	select {
	case <-p.gone.happened:
		return p.stopped(), nil
	case <-patience.C:
		return p.force()
	}
}

// force is for a guard that does not answer (it was stopped, or it waits for a process
// that hangs in the kernel): hone sends the KILL itself.
func (p *running) force() (StopReport, error) {
	var left []int
	if !closed(p.client.Gone) {
		left, _ = p.processes()
		guard.KillAll(left)
		if guard := p.guardPID(); guard != 0 {
			_ = syscall.Kill(guard, syscall.SIGKILL)
		}
		p.client.Kill()
		select {
		case <-p.client.Gone:
		case <-time.After(guardPatience):
			return StopReport{}, fail.New(fail.Environment, "stop %s: its guard (PID %d) does not end", p.name,
				p.client.PID())
		}
	}
	select {
	case <-p.gone.happened:
	case <-time.After(filesPatience):
		return StopReport{}, fail.New(fail.Environment,
			"stop %s: it has ended, but its output or its files are still held",
			p.name).
			WithHint("look at the disk that temporary files are on")
	}
	report := p.stopped()
	var hung []guard.KilledProcess
	for _, pid := range left {
		name, alive := processes.Name(pid)
		one := guard.KilledProcess{PID: pid, Name: name}
		report.Killed = append(report.Killed, one)
		if alive {
			hung = append(hung, one)
		}
	}
	if len(hung) > 0 {
		return report, fail.New(fail.Environment, "stop %s: KILL has not ended %s", p.name, listOf(hung)).
			WithHint("a process in state D hangs in the kernel; look at its disk or network file system")
	}
	return report, nil
}

func (p *running) stopped() StopReport {
	rest, _ := p.gone.known()
	r := StopReport{Killed: rest.killed, Grace: p.opts.Grace, Took: rest.took}
	if p.stop.hurried.Load() {
		r.Grace = 0
	}
	return r
}

// stopRequest is the wish to end a program.
type stopRequest struct {
	born    time.Time
	asked   atomic.Int64  // of the first Stop, nanoseconds since born; 0 before
	hurried atomic.Bool   // its grace was cut short
	closing time.Duration // closePatience
}

// ask notes the first Stop. The clock is monotonic: the wall clock may step.
func (s *stopRequest) ask() { s.asked.CompareAndSwap(0, int64(time.Since(s.born))) }

func (s *stopRequest) isAsked() bool { return s.asked.Load() != 0 }

// took is the time since the first Stop; 0 before.
func (s *stopRequest) took() time.Duration {
	if asked := s.asked.Load(); asked != 0 {
		return time.Since(s.born) - time.Duration(asked)
	}
	return 0
}
