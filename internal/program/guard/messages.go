package guard

import (
	"fmt"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// Hone and the guard talk in gob over a socket pair: gob, unlike JSON, carries
// arguments and environment that are not valid UTF-8 unchanged. Both ends are the
// same executable, so the messages need no version.

type orderKind int

const (
	// orderTry: set up the namespace, say how it went, end.
	orderTry orderKind = iota + 1
	// orderStart: set up and start the subject. Comes at most once.
	orderStart
	// orderStop: TERM, KILL after Grace, end. A later order may only shorten the
	// grace that is left.
	orderStop
)

// order is what hone tells the guard.
type order struct {
	Kind  orderKind
	Start StartOrder
	Grace time.Duration
}

// StartOrder is the subject as the guard starts it: nothing is left to fill in.
type StartOrder struct {
	Path     string
	Argv     []string
	Env      []string
	Dir      string
	CPUs     []int
	Isolated bool
	// Box is a control group to make and to start it in; none if it does not exist.
	Box cgroup.Group
	// HideHone has the guard take a name that many parents have.
	HideHone bool
	// Once says that the subject is to end by itself, and what it takes is of interest.
	Once bool
	// OrphanGrace is the time between TERM and KILL when hone has died.
	OrphanGrace time.Duration
}

type reportKind int

const (
	// reportReady answers orderTry.
	reportReady reportKind = iota + 1
	// ReportFault: the guard could not do what it was told, and ends.
	ReportFault
	// ReportStarted carries the PIDs of the subject's main process and of the guard, and when the former began.
	ReportStarted
	// ReportEnded: the main process has ended; its descendants may live on.
	ReportEnded
	// ReportStopped: nothing is left below the guard, which ends now.
	ReportStopped
)

// report is what the guard tells hone. Each kind comes at most once.
type report struct {
	Kind   reportKind
	Fault  Fault
	PID    int
	Guard  int
	Began  time.Time // of the main process, by the clock that both share
	Status ExitStatus
	Spent  usage.Spent
	Killed []KilledProcess
	Life   usage.Life
	Box    cgroup.Counters // with the last two kinds
}

// maxReports is the most reports a guard ever sends: hone's side buffers as many,
// so that its reader never waits.
const maxReports = 4

// Fault is an error that crossed the socket.
type Fault struct {
	Step string // what was tried, as verb and noun
	Text string
	// Subject says that the subject could not be executed; otherwise it is the
	// machine that refused.
	Subject bool
}

// ExitStatus is how a process ended.
type ExitStatus struct {
	Code   int // exit code, if Signal is 0
	Signal int
	Core   bool
}

// KilledProcess is a process that had to be ended with KILL.
type KilledProcess struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
}

// String finishes a sentence that begins with the subject.
func (s ExitStatus) String() string {
	if s.Signal == 0 {
		return fmt.Sprintf("ended with exit code %d", s.Code)
	}
	text := fmt.Sprintf("was ended by signal %d (%v)", s.Signal, syscall.Signal(s.Signal))
	if s.Core {
		text += ", core dumped"
	}
	return text
}

// OrphanGrace bounds the grace when hone has died: no process may be left 5 s later.
const OrphanGrace = 2 * time.Second
