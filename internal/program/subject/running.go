package subject

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// running is a program under its guard: its main process and all processes below it, from the order to start it until
// nothing of it is left. What comes to be known on the way is in its events.
type running struct {
	*prepared
	client         *guard.Client
	stdout, stderr *output.Pump
	account        *usage.Account
	boxed          boxCounters

	begun *event[beginning] // the guard has answered
	ended *event[ending]    // the main process has ended
	gone  *event[remains]   // nothing is left: guard reaped, pipes closed
	stop  stopRequest
}

// beginning is what the guard says to the order to start: the PIDs of the main process and of the guard, and when the
// former began; or a fault, and nothing runs.
type beginning struct {
	pid, guard int
	at         time.Time
	fault      *guard.Fault
}

// ending is how the main process ended, and what was spent by then.
type ending struct {
	exit     guard.ExitStatus
	spent    usage.Spent
	lost     bool // with the guard: nothing else is known
	expected bool // after Stop was called
}

// remains are what is known when nothing is left.
type remains struct {
	probed bool // the probe had come to work
	life   usage.Life
	killed []guard.KilledProcess
	took   time.Duration // from the first Stop
}

func newRunning(p *prepared) *running {
	return &running{
		prepared: p,
		begun:    newEvent[beginning](), ended: newEvent[ending](), gone: newEvent[remains](),
		stop: stopRequest{born: time.Now(), closing: closePatience},
	}
}

// PID is the subject's main process.
func (p *running) PID() int {
	begun, _ := p.begun.known()
	return begun.pid
}

// ProbeSocket is the path of the Unix socket of the main process's probe; empty if none was
// asked for.
func (p *running) ProbeSocket() string { return p.probe }

// Done is closed when the main process has ended. What it wrote is in Output then.
func (p *running) Done() <-chan struct{} { return p.ended.happened }

// DialListener connects to one of Listeners or Sockets, as Dial does to Address.
func (p *running) DialListener(ctx context.Context, l listeners.Listener) (net.Conn, error) {
	if l.Socket != "" {
		return p.dialAt(ctx, "unix", l.Socket)
	}
	return p.dialAt(ctx, "tcp", l.DialAddress().String())
}

// dialAt goes through the guard into a namespace of the subject's own; a path is outside of it.
func (p *running) dialAt(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "tcp" {
		return p.client.Dial(ctx, address)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// TemplatePort is what stands in the place of {port} in the arguments, the environment
// or the target; 0 if it is in none of them.
func (p *running) TemplatePort() int { return p.port }

// TemplateSocket is what stands in the place of {socket} there; empty if it is in none of them.
func (p *running) TemplateSocket() string { return p.fill.Values[templates.Socket] }

// ListensAsTold says that a listener is where the subject was told to listen: at TemplatePort, or else at
// TemplateSocket.
func (p *running) ListensAsTold(l listeners.Listener) bool {
	if p.port != 0 {
		return l.Socket == "" && l.Port == p.port
	}
	return l.Socket != "" && l.Socket == p.TemplateSocket()
}

// Listeners lists the TCP sockets on which the subject's processes accept
// connections. Where Target was empty and there are several, Address is a guess: the
// port that stood in for {port}, or else the lowest port, with 6060 (the usual
// place of net/http/pprof) last.
func (p *running) Listeners() ([]listeners.Listener, error) {
	_, own, err := p.listeners("tcp")
	if err != nil {
		return nil, fail.New(fail.Environment, "list listeners of %s: %w", p.name, err)
	}
	return own, nil
}

// listeners lists all listeners in the subject's namespace, those of others with PID
// 0, and its own ones apart.
func (p *running) listeners(network string) (all, own []listeners.Listener, err error) {
	guard := p.guardPID()
	if guard == 0 {
		return nil, nil, nil
	}
	// The guard shares the subject's namespace and outlives it.
	all, err = listeners.Of(network, guard, p.processes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // the guard has ended, and all else before it
	}
	if err != nil {
		return nil, nil, err
	}
	for _, l := range all {
		if l.PID != 0 {
			own = append(own, l)
		}
	}
	return all, own, nil
}

// processes lists the subject's processes, the main one first.
func (p *running) processes() ([]int, error) {
	guard := p.guardPID()
	if guard == 0 {
		return nil, nil
	}
	return processes.Below(guard, p.PID()), nil
}

// guardPID is the guard's number: 0 before it has started the subject, and when it is
// gone, since another process may have its number then.
func (p *running) guardPID() int {
	if _, over := p.gone.known(); over {
		return 0
	}
	begun, _ := p.begun.known()
	return begun.guard
}

// closed says whether a channel was closed on which nothing is sent.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Counters are the CPU time of the subject's processes since the start, from their CPU
// clocks, in nanoseconds, and their counts of read and write calls: for the time between
// two slices. They never go down; processes that have ended keep their last reading. It
// takes some microseconds per process, and once in 100 ms the time to list the
// processes. Once the main process has ended the error is a *fail.Error (Subject), and
// the value the last reading; Environment if the user may not read the counts.
func (p *running) Counters() (usage.Counters, error) {
	u, err := p.read(usage.AllProcesses)
	return u.Counters, err
}

// KnownCounters are the counters of the processes that the last Counters or Usage saw: it does
// not look for new ones, which takes longer than all else. Errors as for Counters.
func (p *running) KnownCounters() (usage.Counters, error) {
	u, err := p.read(usage.KnownProcesses)
	return u.Counters, err
}

// Usage reads everything, which takes some time per thread: not between slices.
// Errors as for Counters.
func (p *running) Usage() (usage.Reading, error) { return p.read(usage.Everything) }

func (p *running) read(d usage.Depth) (usage.Reading, error) {
	u, err := p.account.Read(d)
	if _, over := p.ended.known(); err == nil && over {
		err = fail.New(fail.Subject, "read counters of %s: its main process has ended", p.name)
	}
	return u, err
}

// Output returns what the subject has written. It may lag behind by some
// milliseconds while the subject lives.
func (p *running) Output() output.Streams {
	return output.Streams{Stdout: p.stdout.Stream(), Stderr: p.stderr.Stream()}
}

// Exit says how the subject ended by itself: a *fail.Error (Subject) with the signal
// or exit code and the end of what it wrote. It is nil as long as the main process
// lives, and if it ended because of Stop.
func (p *running) Exit() error {
	end, over := p.ended.known()
	if !over || end.expected {
		return nil
	}
	if end.exit.Signal == int(syscall.SIGPROF) { // the timer of the profiler outlives execve(2)
		return p.deathError("by itself").
			WithHint("it replaced itself by another program (exec) during a CPU profile: --no-profile")
	}
	if err := p.outOfMemory("under load"); err != nil {
		return err
	}
	return p.deathError("by itself").
		WithHint("see what it wrote; a server must run until hone stops it (hone run --once is for programs that end by " +
			"themselves)")
}

// watch is the owner of everything that was started: it takes the guard's reports
// until the guard is gone, and then closes what is open. It ends with the guard.
func (p *running) watch() {
	var rest remains
	for r := range p.client.Reports {
		switch r.Kind {
		case guard.ReportStarted:
			p.begun.set(beginning{pid: r.PID, guard: r.Guard, at: r.Began})
		case guard.ReportFault:
			fault := r.Fault
			p.begun.set(beginning{fault: &fault})
		case guard.ReportEnded:
			p.boxed.keep(r.Box)
			p.end(ending{exit: r.Status, spent: r.Spent})
		case guard.ReportStopped:
			rest.killed, rest.life = r.Killed, r.Life
			p.boxed.keep(r.Box)
		}
	}
	p.guardHasEnded()
	<-p.client.Gone
	if end, _ := p.ended.known(); end.lost && p.mark != "" {
		lifetime.EndMarked(func(mark string) bool { return mark == p.mark }) // the backup may be dead, too
	}
	_ = p.box.Remove() // that, too
	p.stdout.Finish()
	p.stderr.Finish()
	rest.life.Left = usage.FilesBelow(p.fill.Values[templates.Dir], p.temp)
	rest.probed = p.removeFiles()
	rest.took = p.stop.took()
	p.gone.set(rest)
}

// guardHasEnded completes what a guard that was killed has not reported.
func (p *running) guardHasEnded() {
	begun, answered := p.begun.known()
	if !answered {
		p.begun.set(beginning{fault: &guard.Fault{Step: "start guard", Text: guard.ErrLost.Error()}})
	}
	if _, over := p.ended.known(); over {
		return
	}
	if begun.pid != 0 {
		// The subject has got its death signal, and its group gets ours, in case that there is no backup to do it.
		_ = syscall.Kill(-begun.pid, syscall.SIGKILL)
	}
	p.end(ending{lost: true})
}

// end publishes the end of the main process, its last words being in the rings.
func (p *running) end(how ending) {
	p.stdout.Drain()
	p.stderr.Drain()
	how.expected = p.stop.isAsked()
	p.ended.set(how)
}

// deathError describes the end of the main process.
func (p *running) deathError(when string) *fail.Error {
	if err := p.outOfMemory(when); err != nil {
		return err
	}
	end, _ := p.ended.known()
	how := end.exit.String()
	if end.lost {
		how = "was lost: " + guard.ErrLost.Error()
	}
	return fail.New(fail.Subject, "%s %s %s%s", p.name, how, when, p.lastWords())
}

// lastWords quotes the end of what it wrote, for an error.
func (p *running) lastWords() string { return p.Output().LastWords() }

// CPUByProcess returns the CPU time of each process, those that have ended included, as
// Counters or Usage last read it.
func (p *running) CPUByProcess() []usage.ProcessCPU { return p.account.ByProcess() }

// Life says what a subject used whose Stop has returned.
func (p *running) Life() usage.Life {
	rest, _ := p.gone.known()
	return rest.life
}

// Tree returns the numbers of a program that is ready.
func (p *running) Tree() usage.Tree { return usage.Tree{Guard: p.guardPID(), Main: p.PID()} }

// SpreadOver lets all threads of the subject's processes, and those that they start, run on cpus. restore takes them
// back to the CPUs that they had; one that has ended needs nothing. The error is a *fail.Error (Environment); nothing
// has moved then.
func (p *running) SpreadOver(cpus []int) (restore func(), err error) {
	pids, err := p.processes()
	if err != nil {
		return nil, err
	}
	return affinity.Spread(pids, cpus)
}
