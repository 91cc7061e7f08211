package guard

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// Client is hone's end of a guard: the process and the sockets to it.
type Client struct {
	// cmd is the process that hone started: the backup of the guard where there is one.
	cmd *exec.Cmd
	// life is a pipe that is never written to: its end tells the backup of hone's.
	life    *os.File
	control *net.UnixConn
	dialer  *dialer // nil unless isolated

	mu  sync.Mutex // of out
	out *gob.Encoder

	// Reports is closed when the guard has closed its side, which it does by ending.
	Reports chan report
	// Gone is closed when the guard has ended and is reaped.
	Gone chan struct{}
}

// Start starts a guard whose standard output and error are the given files. Its backup removes the box in the end.
func Start(argv []string, isolated bool, box cgroup.Group, stdout, stderr *os.File) (*Client, error) {
	if len(argv) == 0 {
		return nil, fail.New(fail.BadInput, "start guard: its command line is empty")
	}
	attrs := []*syscall.SysProcAttr{{Setsid: true}}
	if isolated {
		if attrs = isolations(); len(attrs) == 0 {
			return nil, isolationError(errNoIsolation)
		}
	}
	var first error
	for _, attr := range attrs {
		c, err := spawnGuard(argv, attr, isolated, box, stdout, stderr)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	if isolated {
		return nil, isolationError(first)
	}
	return nil, fail.New(fail.Environment, "start guard: %w", first)
}

func spawnGuard(argv []string, attr *syscall.SysProcAttr, isolated bool, box cgroup.Group, stdout,
	stderr *os.File) (*Client, error) {
	control, farControl, err := socketPair(syscall.SOCK_STREAM)
	if err != nil {
		return nil, err
	}
	defer farControl.Close()
	c := &Client{
		control: control,
		out:     gob.NewEncoder(control),
		Reports: make(chan report, maxReports),
		Gone:    make(chan struct{}),
	}
	far, near, err := os.Pipe()
	if err != nil {
		control.Close()
		return nil, err
	}
	defer far.Close()
	c.life = near
	c.cmd = exec.Command(argv[0], argv[1:]...)
	c.cmd.Args[0] = firstGuard
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = far, stdout, stderr
	// No probe in the guard, and no mark. To collect what libraries allocate while they start would take a third of its
	// CPU.
	c.cmd.Env = Environment(os.Environ(), append(boxEntry(box), "GOGC=400"), "", "", "")
	c.cmd.SysProcAttr = attr
	c.cmd.ExtraFiles = []*os.File{farControl}
	if isolated {
		near, far, err := socketPair(dialerSocket)
		if err != nil {
			c.close()
			return nil, err
		}
		defer far.Close()
		c.cmd.ExtraFiles = append(c.cmd.ExtraFiles, far)
		c.dialer = newDialer(near)
	}
	if err := c.cmd.Start(); err != nil {
		c.close()
		return nil, err
	}
	go c.read()
	return c, nil
}

// read passes the guard's reports on until the guard ends, waits until nothing is left
// below the backup, and closes the sockets. It is the client's only goroutine and ends
// with the backup.
func (c *Client) read() {
	defer close(c.Gone)
	defer c.close()
	in := gob.NewDecoder(c.control)
	for {
		var r report
		if in.Decode(&r) != nil {
			break
		}
		c.Reports <- r // never waits: see maxReports
	}
	close(c.Reports)
	_ = c.cmd.Wait() // its exit code says nothing that it has not reported
}

// send gives the guard an order. An error means that it is gone.
func (c *Client) send(o order) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Encode(o)
}

// Begin has the guard start the subject. Whether it does is in Reports.
func (c *Client) Begin(o StartOrder) {
	_ = c.send(order{Kind: orderStart, Start: o}) // an error shows as a guard that has ended
}

// Stop has the guard end the subject: TERM, and KILL after grace. A later call can only shorten the grace that is left.
func (c *Client) Stop(grace time.Duration) {
	_ = c.send(order{Kind: orderStop, Grace: grace}) // an error means that the guard has ended
}

// PID is the process that hone started: the backup of the guard where there is one.
func (c *Client) PID() int { return c.cmd.Process.Pid }

// Kill sends KILL to that process.
func (c *Client) Kill() { _ = c.cmd.Process.Kill() }

// Dial connects to host:port of TCP, within the namespace of the subject if it has one of its own.
func (c *Client) Dial(ctx context.Context, address string) (net.Conn, error) {
	if c.dialer != nil {
		return c.dialer.Dial(ctx, address)
	}
	return new(net.Dialer).DialContext(ctx, "tcp", address)
}

// HangUp closes the connections that callers of Dial who gave up have left behind. It waits at most so long.
func (c *Client) HangUp(limit time.Duration) {
	if c.dialer != nil {
		c.dialer.HangUp(limit)
	}
}

func (c *Client) close() {
	c.control.Close()
	c.life.Close()
	if c.dialer != nil {
		c.dialer.close()
	}
}

// CanIsolate says whether a subject can get a network namespace of its own on this
// machine: nil, or a *fail.Error (Environment) with the reason. It tries, with a
// guard that starts nothing; that takes as long as starting hone. argv is the
// guard's, as in StartOptions.Guard.
func CanIsolate(ctx context.Context, argv []string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fail.New(fail.Environment, "try isolation: %w", err)
	}
	defer null.Close()
	c, err := Start(argv, true, cgroup.Group{}, null, null)
	if err != nil {
		return err
	}
	// A guard that has answered ends by itself; one that hangs is ended.
	defer func() { <-c.Gone }()
	stop := context.AfterFunc(ctx, c.Kill)
	defer stop()
	if err := c.send(order{Kind: orderTry, Start: StartOrder{Isolated: true}}); err != nil {
		return isolationError(fmt.Errorf("talk to the guard: %w", err))
	}
	r, ok := <-c.Reports
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !ok:
		return isolationError(ErrLost)
	case r.Kind == ReportFault:
		return isolationError(r.Fault.Err())
	}
	return nil
}

var (
	ErrLost        = errors.New("the guard process has ended")
	errNoIsolation = errors.New("this system has no network namespaces")
)

func (f Fault) Err() error { return fmt.Errorf("%s: %s", f.Step, f.Text) }

func isolationError(err error) error {
	hint := "leave the isolation out and give the variants different ports, or run hone as root"
	switch {
	case errors.Is(err, syscall.ENOSPC):
		hint = "raise sysctl user.max_user_namespaces and user.max_net_namespaces, or leave the isolation out"
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		hint += "; unprivileged user namespaces may be switched off (sysctl kernel.unprivileged_userns_clone, " +
			"kernel.apparmor_restrict_unprivileged_userns, or the container's seccomp profile)"
	}
	return fail.New(fail.Environment, "isolate the program in a network namespace: %w", err).WithHint("%s", hint)
}

// socketPair makes two connected Unix sockets, one for this process and one to hand
// on. Neither leaks into another child.
func socketPair(kind int) (*net.UnixConn, *os.File, error) {
	syscall.ForkLock.RLock()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, kind, 0)
	if err == nil {
		syscall.CloseOnExec(fds[0])
		syscall.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, fmt.Errorf("make socket pair: %w", err)
	}
	far := os.NewFile(uintptr(fds[1]), "socket")
	near, err := inheritedSocket(uintptr(fds[0]))
	if err != nil {
		far.Close()
		return nil, nil, err
	}
	return near, far, nil
}
