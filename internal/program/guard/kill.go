package guard

import (
	"os"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/sys/processes"
)

// stop begins the end: TERM to the subject's group, so that the main process can
// end its helpers in the order it likes. What is left when the main process has
// ended gets a TERM of its own (see buried), and what is left after grace a KILL.
// A further call can only shorten the grace.
func (g *guard) stop(grace time.Duration) {
	deadline := time.Now().Add(grace)
	if g.stopping {
		if deadline.Before(g.deadline) {
			g.deadline = deadline
		}
		return
	}
	g.stopping, g.deadline = true, deadline
	if g.mainGone {
		g.signalRest(syscall.SIGTERM)
		return
	}
	_ = syscall.Kill(-g.main, syscall.SIGTERM)
	_ = syscall.Kill(-g.main, syscall.SIGCONT) // a stopped process takes no TERM
}

// advance does what is due and returns the time until it wants to be called again.
func (g *guard) advance() time.Duration {
	if !g.stopping {
		return time.Hour
	}
	if !g.killing {
		if left := time.Until(g.deadline); left > 0 {
			return left
		}
		g.killing = true
	}
	g.kill()
	return killRetry
}

// finished says that the end was asked for and nothing is left to end.
func (g *guard) finished() bool {
	return g.stopping && g.alone && len(processes.Below(os.Getpid(), g.main)) == 0
}

// kill sends KILL to everything below the guard and notes the names. A zombie that
// waits for its parent does not count as one.
func (g *guard) kill() {
	for _, pid := range processes.Below(os.Getpid(), g.main) {
		name, alive := processes.Name(pid)
		if !alive {
			continue
		}
		if !g.killed[pid] {
			g.killed[pid] = true
			g.toll = append(g.toll, KilledProcess{PID: pid, Name: name})
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func KillAll(pids []int) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (g *guard) signalRest(sig syscall.Signal) {
	for _, pid := range processes.Below(os.Getpid(), g.main) {
		_ = syscall.Kill(pid, sig)
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
}
