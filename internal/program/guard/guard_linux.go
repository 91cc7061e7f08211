package guard

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/affinity"
)

// prepareGuard makes this process the parent of all orphans below it, keeps stray
// descriptors from the subject, and gives an isolated subject its loopback.
func prepareGuard(isolated bool) *Fault {
	// Descriptors that hone's own parent left open (a build server's pipe) must not
	// be held by the subject. Kernels before 5.11 lack the call; then they are.
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return &Fault{Step: "adopt orphans of the subject", Text: err.Error()}
	}
	if !isolated {
		return nil
	}
	if err := loopbackUp(); err != nil {
		return &Fault{Step: "bring up the loopback of the subject's namespace", Text: err.Error()}
	}
	return nil
}

// takeName sets the name that ps and pgrep show. Without it there is only the one in
// the command line, which does no harm.
func takeName(name string) {
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0)
}

// takeCommandLine replaces the name and the command line of this process by one word. It writes where the kernel put
// the arguments.
func takeCommandLine(word string) {
	takeName(word)
	for i, arg := range os.Args {
		place := unsafe.Slice(unsafe.StringData(arg), len(arg))
		clear(place)
		if i == 0 {
			copy(place, word)
		}
	}
}

// forkSubject starts the subject in a process group of its own. It must run on the
// guard's locked thread: affinity, ambient capabilities and the death signal all
// belong to the thread.
func forkSubject(o StartOrder) (int, *Fault) {
	if o.Isolated {
		// The capability that brought the loopback up is not for the subject.
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
			return 0, &Fault{Step: "drop capabilities", Text: err.Error()}
		}
	}
	if len(o.CPUs) > 0 {
		before, err := affinity.ThreadCPUs(0)
		if err == nil {
			wanted := affinity.Set(o.CPUs)
			err = unix.SchedSetaffinity(0, &wanted)
		}
		if err != nil {
			return 0, &Fault{Step: fmt.Sprintf("pin the subject to CPUs %v", o.CPUs), Text: err.Error()}
		}
		defer func() { _ = unix.SchedSetaffinity(0, &before) }() // the guard makes room for the subject
	}
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return execSubject(o, attr)
}
