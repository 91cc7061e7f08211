package subject

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// Address is what the plan shall use: host:port, or the path of a Unix socket if Network is "unix".
func (p *Process) Address() string { return p.target.Text }

// Network is "tcp" or "unix", for net.Dial.
func (p *Process) Network() string {
	if p.unix {
		return "unix"
	}
	return "tcp"
}

// PID is the subject's main process.
func (p *Process) PID() int { return p.pid }

// ProbeSocket is the path of the Unix socket of the main process's probe; empty if none was
// asked for.
func (p *Process) ProbeSocket() string { return p.probe }

// Done is closed when the main process has ended. What it wrote is in Output then.
func (p *Process) Done() <-chan struct{} { return p.done }

// Dial connects to Address, from within the subject's namespace if it has one of its
// own. The connection is a *net.TCPConn or a *net.UnixConn, the error a *net.OpError.
func (p *Process) Dial(ctx context.Context) (net.Conn, error) {
	return p.dialAt(ctx, p.Network(), p.dial)
}

// DialListener connects to one of Listeners or Sockets, as Dial does to Address.
func (p *Process) DialListener(ctx context.Context, l listeners.Listener) (net.Conn, error) {
	if l.Socket != "" {
		return p.dialAt(ctx, "unix", l.Socket)
	}
	return p.dialAt(ctx, "tcp", l.DialAddress().String())
}

// dialAt goes through the guard into a namespace of the subject's own; a path is outside of it.
func (p *Process) dialAt(ctx context.Context, network, address string) (net.Conn, error) {
	if p.leash.Dialer != nil && network == "tcp" {
		return p.leash.Dialer.Dial(ctx, address)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// TemplatePort is what stands in the place of Port in the arguments, the environment
// or the target; 0 if it is in none of them.
func (p *Process) TemplatePort() int { return p.port }

// TemplateSocket is what stands in the place of Socket there; empty if it is in none of them.
func (p *Process) TemplateSocket() string { return p.fill.Values[templates.Socket] }

// Templates are what the templates of its arguments and environment stand for at this start. {port} and {socket} are
// there, too, if it listens without having been told where.
func (p *Process) Templates() map[string]string {
	all := maps.Clone(p.fill.Values)
	if _, port, err := net.SplitHostPort(p.target.Text); err == nil && all[templates.Port] == "" && !p.unix {
		all[templates.Port] = port
	}
	if p.unix && all[templates.Socket] == "" {
		all[templates.Socket] = p.target.Text
	}
	return all
}

// Told says that a listener is where the subject was told to listen: at TemplatePort, or else at TemplateSocket.
func (p *Process) Told(l listeners.Listener) bool {
	if p.port != 0 {
		return l.Socket == "" && l.Port == p.port
	}
	return l.Socket != "" && l.Socket == p.TemplateSocket()
}

// Use makes one of Listeners or Sockets the Address of a subject that was started without a target, instead
// of the guess. It must not be called while another method of p is. The error is that
// of Start for a listener that belongs to another executable than the one that was built.
func (p *Process) Use(l listeners.Listener) error {
	p.target.Text = ""
	return p.accept(&l, l.Where())
}

// Listeners lists the TCP sockets on which the subject's processes accept
// connections. Where Target was empty and there are several, Address is a guess: the
// Port that stood in for Port, or else the lowest port, with 6060 (the usual
// place of net/http/pprof) last.
func (p *Process) Listeners() ([]listeners.Listener, error) {
	_, own, err := p.listeners("tcp")
	if err != nil {
		return nil, fail.New(fail.Environment, "list listeners of %s: %w", p.name, err)
	}
	return own, nil
}

// Of lists all listeners in the subject's namespace, those of others with PID
// 0, and its own ones apart.
func (p *Process) listeners(network string) (all, own []listeners.Listener, err error) {
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
func (p *Process) processes() ([]int, error) {
	guard := p.guardPID()
	if guard == 0 {
		return nil, nil
	}
	return processes.Below(guard, p.pid), nil
}

// guardPID is the guard's number: 0 before it has started the subject, and when it is
// gone, since another process may have its number then.
func (p *Process) guardPID() int {
	if closed(p.gone) || !closed(p.started) {
		return 0
	}
	return p.guard
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
func (p *Process) Counters() (usage.Counters, error) {
	u, err := p.read(usage.AllProcesses)
	return u.Counters, err
}

// KnownCounters are the counters of the processes that the last Counters or Usage saw: it does
// not look for new ones, which takes longer than all else. Errors as for Counters.
func (p *Process) KnownCounters() (usage.Counters, error) {
	u, err := p.read(usage.KnownProcesses)
	return u.Counters, err
}

// Reading reads everything, which takes some time per thread: not between slices.
// Errors as for Counters.
func (p *Process) Usage() (usage.Reading, error) { return p.read(usage.Everything) }

func (p *Process) read(d usage.Depth) (usage.Reading, error) {
	u, err := p.account.Read(d)
	if err == nil && closed(p.done) {
		err = fail.New(fail.Subject, "read counters of %s: its main process has ended", p.name)
	}
	return u, err
}

// Streams returns what the subject has written. It may lag behind by some
// milliseconds while the subject lives.
func (p *Process) Output() output.Streams {
	return output.Streams{Stdout: p.stdout.Stream(), Stderr: p.stderr.Stream()}
}

// Exit says how the subject ended by itself: a *fail.Error (Subject) with the signal
// or exit code and the end of what it wrote. It is nil as long as the main process
// lives, and if it ended because of Stop.
func (p *Process) Exit() error {
	if !closed(p.done) || p.expected {
		return nil
	}
	if p.exit.Signal == int(syscall.SIGPROF) { // the timer of the profiler outlives execve(2)
		return p.deathError("by itself").WithHint("it replaced itself by another program (exec) during a CPU profile: --no-profile")
	}
	if err := p.outOfMemory("under load"); err != nil {
		return err
	}
	return p.deathError("by itself").WithHint("see what it wrote; a server must run until hone stops it (hone run --once is for programs that end by themselves)")
}

// watch is the owner of everything that was started: it takes the guard's reports
// until the guard is gone, and then closes what is open. It ends with the guard.
func (p *Process) watch() {
	defer close(p.gone)
	for r := range p.leash.Reports {
		switch r.Kind {
		case guard.ReportStarted:
			p.pid, p.guard, p.executed = r.PID, r.Guard, r.Began
			close(p.started)
		case guard.ReportFault:
			fault := r.Fault
			p.fault = &fault
			close(p.started)
		case guard.ReportEnded:
			p.spent = r.Spent
			p.keepBox(r.Box)
			p.ended(r.Status, false)
		case guard.ReportStopped:
			p.killed, p.life = r.Killed, r.Life
			p.keepBox(r.Box)
		}
	}
	if !closed(p.started) {
		p.fault = &guard.Fault{Step: "start guard", Text: guard.ErrLost.Error()}
		close(p.started)
	}
	if !closed(p.done) {
		if p.pid != 0 {
			// The guard was killed: the subject has got its death signal, and its group
			// gets ours, in case that there is no backup to do it.
			_ = syscall.Kill(-p.pid, syscall.SIGKILL)
		}
		p.ended(guard.ExitStatus{}, true)
	}
	<-p.leash.Gone
	if p.lost && p.mark != "" {
		lifetime.EndMarked(func(mark string) bool { return mark == p.mark }) // the backup may be dead, too
	}
	_ = p.box.Remove() // that, too
	p.stdout.Finish()
	p.stderr.Finish()
	p.life.Left = usage.FilesBelow(p.fill.Values[templates.Dir], p.temp)
	p.removeFiles()
	if asked := p.stopAsked.Load(); asked != 0 {
		p.stopTook = time.Since(p.born) - time.Duration(asked)
	}
}

// removeFiles removes what was made for this start: the subject leaves its sockets, and what
// it has put into the directory for Dir.
func (p *Process) removeFiles() {
	if p.probe != "" {
		p.probed = probeclient.RemoveSockets(p.probe)
	}
	templates.RemoveDir(p.fill.Values[templates.Dir])
	templates.RemoveDir(p.temp)
	templates.RemoveDir(p.fill.Sockets)
	p.files.remove()
}

// Ended publishes the end of the main process, its last words being in the rings.
func (p *Process) ended(s guard.ExitStatus, lost bool) {
	p.stdout.Drain()
	p.stderr.Drain()
	p.exit, p.lost = s, lost
	p.expected = p.stopAsked.Load() != 0
	close(p.done)
}

// deathError describes the end of the main process.
func (p *Process) deathError(when string) *fail.Error {
	if err := p.outOfMemory(when); err != nil {
		return err
	}
	how := p.exit.String()
	if p.lost {
		how = "was lost: " + guard.ErrLost.Error()
	}
	return fail.New(fail.Subject, "%s %s %s%s", p.name, how, when, p.lastWords())
}

// LastWords quotes the end of what it wrote, for an error.
func (p *Process) lastWords() string { return p.Output().LastWords() }

// CPUByProcess returns the CPU time of each process, those that have ended included, as
// Counters or Usage last read it.
func (p *Process) CPUByProcess() []usage.ProcessCPU { return p.account.ByProcess() }

// Life says what a subject used whose Stop has returned.
func (p *Process) Life() usage.Life { return p.life }

// Tree returns the numbers of a program that is ready.
func (p *Process) Tree() usage.Tree { return usage.Tree{Guard: p.guardPID(), Main: p.pid} }

// SpreadOver lets all threads of the subject's processes, and those that they start, run on cpus. restore takes them
// back to the CPUs that they had; one that has ended needs nothing. The error is a *fail.Error (Environment); nothing
// has moved then.
func (p *Process) SpreadOver(cpus []int) (restore func(), err error) {
	pids, err := p.processes()
	if err != nil {
		return nil, err
	}
	return affinity.Spread(pids, cpus)
}
