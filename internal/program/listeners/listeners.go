package listeners

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/fail"
)

// Listener is a socket that accepts connections: a TCP socket, or a Unix socket where Socket is not empty.
type Listener struct {
	Address netip.Addr `json:"address"`
	Port    int        `json:"port"`
	// PID is the process that holds it, the oldest one if several do; 0 if it is not
	// ours to know (another user's).
	PID int `json:"pid"`
	// UID is the user it belongs to, -1 where the system does not say.
	UID int `json:"uid"`
	// Socket is the path of a Unix socket, absolute, or @ and its name in Linux's abstract namespace.
	Socket string `json:"socket,omitempty"`
}

func (l Listener) String() string {
	if l.Socket != "" {
		return l.Socket
	}
	return net.JoinHostPort(l.Address.String(), strconv.Itoa(l.Port))
}

// covers says that a connection to ip and the listener's port may arrive here. A
// socket on [::] also takes IPv4, unless its owner asked otherwise, which /proc does
// not show.
func (l Listener) covers(ip netip.Addr) bool {
	own := l.Address.Unmap()
	if own.IsUnspecified() {
		return own.Is6() || ip.Is4()
	}
	return own == ip
}

// Where is where hone connects to reach the listener: host:port, or the path of a Unix socket.
func (l Listener) Where() string {
	if l.Socket != "" {
		return l.Socket
	}
	return l.DialAddress().String()
}

// DialAddress is where hone connects to reach a TCP listener.
func (l Listener) DialAddress() netip.AddrPort {
	ip := l.Address.Unmap()
	if ip.IsUnspecified() {
		ip = loopback4
	}
	return netip.AddrPortFrom(ip, uint16(l.Port))
}

var loopback4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// Target is the place where the plan expects the subject.
type Target struct {
	Text   string // host:port or the path of a socket, templates filled; empty: find out
	ips    []netip.Addr
	Port   int    // 0: find out
	Socket string // of a Unix socket, absolute, or @name
}

// ParseTarget reads host:port. An empty or wildcard host means this machine.
func ParseTarget(ctx context.Context, text string, isolated bool) (Target, error) {
	if text == "" {
		return Target{}, nil
	}
	bad := func(format string, args ...any) (Target, error) {
		return Target{}, fail.New(fail.BadInput, "target %q: %w", text, fmt.Errorf(format, args...)).
			WithHint("write host:port, such as 127.0.0.1:8080 or 127.0.0.1:%s", templates.Port)
	}
	host, portText, err := net.SplitHostPort(text)
	if err != nil {
		return bad("%w", err)
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil || port == 0 {
		return bad("port %q is not a number from 1 to 65535", portText)
	}
	ips, err := sockets.LocalAddresses(ctx, host)
	if err != nil {
		return bad("%w", err)
	}
	if isolated && slices.ContainsFunc(ips, func(ip netip.Addr) bool { return !ip.IsLoopback() }) {
		return bad("an isolated program has no address but the loopback's")
	}
	if h := strings.Trim(host, "[]"); h == "" || h == "0.0.0.0" || h == "::" {
		text = net.JoinHostPort(loopback4.String(), portText)
	}
	return Target{Text: text, ips: ips, Port: int(port)}, nil
}

// Find looks for the target among listeners, ours and others'. It returns the
// address to connect to and our listener there, or the stranger that would be
// reached in its stead. Where both listen, a connection might reach either: that
// counts as the stranger's.
func (t Target) Find(all []Listener, ours func(pid int) bool) (at netip.AddrPort, own, stranger *Listener) {
	for _, ip := range t.ips {
		for i, l := range all {
			if l.Port != t.Port || !l.covers(ip) {
				continue
			}
			if !ours(l.PID) {
				return netip.AddrPort{}, nil, &all[i]
			}
			if own == nil {
				own, at = &all[i], netip.AddrPortFrom(ip, uint16(t.Port))
			}
		}
	}
	return at, own, nil
}

// goPprofPort is where net/http/pprof's documentation tells Go programs to listen.
const goPprofPort = 6060

// Guess chooses the listener that a plan without a target talks to: one on the
// preferred port (the template's; 0 for none) before others, then the preferred socket, net/http/pprof's usual
// port and other Unix sockets last, and otherwise the lowest port, IPv4 first.
func Guess(own []Listener, preferred int, socket string) Listener {
	rank := func(l Listener) int {
		switch {
		case l.Socket != "" && l.Socket == socket:
			return 1
		case l.Socket != "":
			return 4
		case l.Port == preferred:
			return 0
		case l.Port == goPprofPort:
			return 3
		}
		return 2
	}
	return slices.MinFunc(own, func(a, b Listener) int {
		return cmp.Or(rank(a)-rank(b), a.Port-b.Port, a.Address.Compare(b.Address), strings.Compare(a.Socket, b.Socket))
	})
}

// TakenError says that another process has the port of the target.
type TakenError struct {
	Listener
	target, who string
}

func (e *TakenError) Error() string {
	if e.Socket != "" {
		return fmt.Sprintf("socket of target %s is taken: %s listens on it", e.target, e.who)
	}
	return fmt.Sprintf("port of target %s is taken: %s listens on %s", e.target, e.who, e.Listener)
}

// Taken is the error that names who has the port.
func Taken(l Listener, text string) error {
	who := fmt.Sprintf("a process of the user with id %d", l.UID)
	kill := fmt.Sprintf("look who it is (sudo ss -ltnp 'sport = :%d')", l.Port)
	what, template := "port", templates.Port
	if l.Socket != "" {
		who, kill = "a process of another user or container", "look who it is (sudo ss -lxp)"
		what, template = "path", templates.Socket
	}
	if l.PID != 0 {
		name, _ := processes.Name(l.PID)
		who = fmt.Sprintf("PID %d (%s)", l.PID, cmp.Or(name, "name unknown"))
		kill = fmt.Sprintf("stop it (kill %d)", l.PID)
	}
	return fail.New(fail.Subject, "%w", &TakenError{l, text, who}).
		WithHint("%s, or let hone choose a free %s: write %s for the %s in the arguments and the target", kill, what,
			template, what)
}
