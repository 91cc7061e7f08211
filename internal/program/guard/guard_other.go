//go:build !linux

package guard

import (
	"syscall"

	"github.com/gohone/hone/internal/sys/affinity"
)

// prepareGuard has nothing to prepare: orphans go to init here, and the guard
// finds those in the subject's process group only.
func prepareGuard(isolated bool) *Fault {
	if isolated {
		return &Fault{Step: "isolate the subject", Text: errNoIsolation.Error()}
	}
	return nil
}

// firstGuard is the guard that hone starts. There is no backup: without subreapers the
// orphans of a guard come to init.
const firstGuard = Name

// Describe describes what ends the subject's processes if hone is killed, and whether that
// reaches all of them.
func Describe() (text string, complete bool) {
	return "started programs are stopped, even if hone is killed, but not processes that left their group (setsid)",
		false
}

func backUp() int { return 2 }

func takeName(string) {}

func takeCommandLine(string) {}

func forkSubject(o StartOrder) (int, *Fault) {
	if len(o.CPUs) > 0 {
		return 0, &Fault{Step: "pin the subject", Text: affinity.ErrNoPinning.Error()}
	}
	return execSubject(o, &syscall.SysProcAttr{Setpgid: true})
}

// serveDials is never called: nothing is isolated here.
func serveDials() {}
