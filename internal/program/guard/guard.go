package guard

import (
	"encoding/gob"
	"net"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// The descriptors that hone hands to the guard.
const (
	controlFD = 3
	dialerFD  = 4 // isolated subjects only
)

// killRetry is the pause between two rounds of KILL. A process that forks while
// the first round runs leaves a child that only the next round sees.
const killRetry = 10 * time.Millisecond

// The guards' names, as argv[0] and in /proc/PID/comm: "pkill hone" and "pkill -f hone"
// shall end hone and not those who clean up behind it. The kernel keeps 15 bytes.
const (
	Name       = "subject-guard"
	BackupName = "subject-backup"
	// plainName is that of a guard whose subject is not to notice it.
	plainName = "sh"
)

// Run is what the hidden command "hone guard" runs; it returns the exit code.
//
// Under the name of the backup it is that (see backUp). Otherwise it is the guard.
// The guard is the parent of the subject and of all its orphans. It holds the far
// end of a socket to hone, whose end of file is the news of hone's death, however
// it died. The guard then ends everything below it. Guard returns 2 at once if
// descriptor 3 is not such a socket, which is what a user sees who runs it by hand.
func Run() int {
	takeName(os.Args[0])
	if os.Args[0] == BackupName {
		return backUp()
	}
	// The subject's death signal is tied to the thread that forked it, not to the
	// process: this goroutine keeps its thread until the guard ends.
	runtime.LockOSThread()
	control, err := inheritedSocket(controlFD)
	if err != nil {
		return 2
	}
	g := &guard{
		control: control,
		in:      gob.NewDecoder(control),
		out:     gob.NewEncoder(control),
		killed:  map[int]bool{},
	}
	return g.run()
}

// inheritedSocket takes over a descriptor that was passed on.
func inheritedSocket(fd uintptr) (*net.UnixConn, error) {
	f := os.NewFile(fd, "socket")
	if f == nil {
		return nil, syscall.EBADF
	}
	defer f.Close() // FileConn works on a copy that is closed on exec
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, syscall.ENOTSOCK
	}
	return u, nil
}

type guard struct {
	control *net.UnixConn
	in      *gob.Decoder
	out     *gob.Encoder

	main     int // PID and process group of the subject
	born     time.Time
	spent    usage.Spent   // by all that was reaped, until the main process ended
	cpu      time.Duration // of all that was reaped
	peak     *usage.Peak
	box      cgroup.Group
	mainGone bool // reaped
	alone    bool // nothing left to wait for
	stopping bool
	killing  bool
	deadline time.Time // of the grace
	killed   map[int]bool
	toll     []KilledProcess
}

func (g *guard) run() int {
	var first order
	if err := g.in.Decode(&first); err != nil {
		return 0 // hone is gone, and nothing was started
	}
	if fault := prepareGuard(first.Start.Isolated); fault != nil {
		g.say(report{Kind: ReportFault, Fault: *fault})
		return 1
	}
	if first.Kind != orderStart {
		g.say(report{Kind: reportReady})
		return 0
	}
	if first.Start.HideHone {
		takeCommandLine(plainName)
	}
	g.born = time.Now()
	g.box = first.Start.Box
	pid, fault := forkSubject(first.Start)
	if fault != nil {
		g.say(report{Kind: ReportFault, Fault: *fault})
		return 1
	}
	g.main = pid
	g.say(report{Kind: ReportStarted, PID: pid, Guard: os.Getpid(), Began: g.born})
	g.peak = usage.WatchPeak(first.Start.Once, pid)
	g.watch(first.Start)
	return 0
}

// say reports to hone. An error means that hone is gone, which the reader of the
// control socket notices too.
func (g *guard) say(r report) { _ = g.out.Encode(r) }

// watch waits for the end, in whatever form it comes. Its goroutines end with the
// guard's process.
func (g *guard) watch(o StartOrder) {
	orders := make(chan order)
	go g.readOrders(orders)
	deaths := make(chan death)
	go reap(deaths)
	if o.Isolated {
		go serveDials()
	}
	// Notify, not Ignore: an ignored signal would stay ignored in the subject.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)

	tick := time.NewTimer(time.Hour)
	defer tick.Stop()
	for !g.finished() {
		select {
		case got, ok := <-orders:
			if !ok {
				orders = nil
				g.stop(o.OrphanGrace)
			} else if got.Kind == orderStop {
				g.stop(got.Grace)
			}
		case d, ok := <-deaths:
			if !ok {
				deaths, g.alone = nil, true
			} else {
				g.buried(d)
			}
		case <-signals:
			g.stop(o.OrphanGrace)
		case <-tick.C:
		}
		tick.Reset(g.advance())
	}
	g.say(report{Kind: ReportStopped, Killed: g.toll, Life: usage.Life{Counters: usage.OfReaped(g.cpu), Known: true},
		Box: g.counted()})
}

// counted is what the kernel has counted of the box; zero without one.
func (g *guard) counted() cgroup.Counters {
	c, err := g.box.Read()
	if err != nil {
		return cgroup.Counters{}
	}
	return c
}

// readOrders passes hone's orders on and closes the channel when hone is gone.
func (g *guard) readOrders(orders chan<- order) {
	defer close(orders)
	for {
		var o order
		if g.in.Decode(&o) != nil {
			return
		}
		orders <- o
	}
}

// death is a process that was reaped.
type death struct {
	pid    int
	status syscall.WaitStatus
	usage  syscall.Rusage // its own, and that of the children it waited for
	at     time.Time
}

// reap waits for every child, the adopted ones too, and closes the channel when
// there is none left. As orphans become children of the guard, that means that the
// whole tree is gone (on Linux; elsewhere finished looks again).
func reap(deaths chan<- death) {
	defer close(deaths)
	for {
		d := death{}
		var err error
		d.pid, err = syscall.Wait4(-1, &d.status, 0, &d.usage)
		d.at = time.Now()
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return // ECHILD
		}
		deaths <- d
	}
}

// buried takes note of a death and tells hone if it was the main process's.
func (g *guard) buried(d death) {
	g.cpu += time.Duration(d.usage.Utime.Nano() + d.usage.Stime.Nano())
	if g.mainGone {
		return
	}
	g.spent.Add(d.usage)
	if d.pid != g.main {
		return
	}
	g.mainGone = true
	g.spent.Real = d.at.Sub(g.born)
	g.peak.Settle(&g.spent)
	s := ExitStatus{Code: d.status.ExitStatus()}
	if d.status.Signaled() {
		s = ExitStatus{Signal: int(d.status.Signal()), Core: d.status.CoreDump()}
	}
	g.say(report{Kind: ReportEnded, Status: s, Spent: g.spent, Box: g.counted()})
	if g.stopping {
		g.signalRest(syscall.SIGTERM)
	}
}
