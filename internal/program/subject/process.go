package subject

import (
	"context"
	"maps"
	"net"
	"time"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/templates"
)

// Process is a program that is ready, or one that StartOnce has executed. Its methods, those of running among them, may
// be called from several goroutines. Stop must be called in the end, also when the program has died.
type Process struct {
	*running
	at         place
	readyAfter time.Duration // from its beginning until it was seen to be ready
}

// place is where a program is under load.
type place struct {
	address string // as the plan shall use it: host:port, or the path of a Unix socket
	dial    string // IP:port behind the address, or the path
	unix    bool   // dial is a path
}

// Address is what the plan shall use: host:port, or the path of a Unix socket if Network is "unix".
func (p *Process) Address() string { return p.at.address }

// Network is "tcp" or "unix", for net.Dial.
func (p *Process) Network() string {
	if p.at.unix {
		return "unix"
	}
	return "tcp"
}

// Dial connects to Address, from within the subject's namespace if it has one of its
// own. The connection is a *net.TCPConn or a *net.UnixConn, the error a *net.OpError.
func (p *Process) Dial(ctx context.Context) (net.Conn, error) {
	return p.dialAt(ctx, p.Network(), p.at.dial)
}

// Templates are what the templates of its arguments and environment stand for at this start. {port} and {socket} are
// there, too, if it listens without having been told where.
func (p *Process) Templates() map[string]string {
	all := maps.Clone(p.fill.Values)
	if _, port, err := net.SplitHostPort(p.at.address); err == nil && all[templates.Port] == "" && !p.at.unix {
		all[templates.Port] = port
	}
	if p.at.unix && all[templates.Socket] == "" {
		all[templates.Socket] = p.at.address
	}
	return all
}

// Use makes one of Listeners or Sockets the Address of a subject that was started without a target, instead
// of the guess. It must not be called while another method of p is. The error is that
// of Start for a listener that belongs to another executable than the one that was built.
func (p *Process) Use(l listeners.Listener) error {
	at, err := p.accept(&l, l.Where(), "")
	if err != nil {
		return err
	}
	p.at = at
	return nil
}

// ReadyAfter is how long the subject took from its beginning until it was ready: until it listened, and met the
// condition if it has one. It is known to some 6 %, and to a millisecond; 0 where nothing was waited for.
func (p *Process) ReadyAfter() time.Duration { return p.readyAfter }
