package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"github.com/gohone/hone/internal/vitals"
)

// States of TCP sockets, as /proc/net/tcp has them (the kernel's tcp_states.h).
const (
	stateEstablished = 1
	stateListen      = 10
)

// sockets counts the established connections of a process. It is a source of its own
// because it takes time in proportion to all sockets of the machine.
type sockets struct {
	who *who
}

func (s *sockets) name() string { return "connections" }

func (s *sockets) close() {}

func (s *sockets) read(context.Context) (vitals.Reading, error) {
	var r vitals.Reading
	pid := s.who.now()
	if pid == 0 {
		return r, nil // not found yet, or gone: the process says it
	}
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return r, nil
	}
	targets, err := proc.FileDescriptorTargets()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return r, refusal{fmt.Errorf("the files of process %d belong to another user", pid)}
	case err != nil:
		return r, nil
	}
	own := map[uint64]bool{}
	for _, t := range targets {
		if inode, ok := socketInode(t); ok {
			own[inode] = true
		}
	}
	n := 0
	err = eachSocket(fmt.Sprintf("/proc/%d", pid), func(l socket) {
		if l.state == stateEstablished && own[l.inode] {
			n++
		}
	})
	if err != nil {
		return r, fmt.Errorf("read TCP sockets: %w", err)
	}
	r.Connections = vitals.Of(float64(n))
	return r, nil
}

// socketInode reads the target of a file descriptor.
func socketInode(target string) (uint64, bool) {
	text, ok := strings.CutPrefix(target, "socket:[")
	inode, err := strconv.ParseUint(strings.TrimSuffix(text, "]"), 10, 64)
	return inode, ok && err == nil
}

// socket is a line of the system's tables of TCP sockets.
type socket struct {
	address    netip.Addr
	port       int
	state      uint64
	inode, uid uint64
}

// eachSocket reads the tables of IPv4 and IPv6 below a directory of /proc.
func eachSocket(dir string, use func(socket)) error {
	fsys, err := procfs.NewFS(dir)
	if err != nil {
		return err
	}
	four, err := fsys.NetTCP()
	if err != nil {
		return err
	}
	six, err := fsys.NetTCP6()
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a kernel without IPv6
		return err
	}
	for _, l := range append(four, six...) {
		address, _ := netip.AddrFromSlice(l.LocalAddr)
		use(socket{address.Unmap(), int(l.LocalPort), l.St, l.Inode, l.UID})
	}
	return nil
}

// findListener returns the process that takes connections to one of the addresses, all of
// this machine, and the port: the oldest, if several share the socket.
func findListener(addresses []netip.Addr, port int) (pid int, err error) {
	var found []socket
	err = eachSocket("/proc/self", func(l socket) {
		if l.state == stateListen && l.port == port && covers(l.address, addresses) {
			found = append(found, l)
		}
	})
	if err != nil {
		return 0, refusal{fmt.Errorf("read TCP sockets: %w", err)}
	}
	if len(found) == 0 {
		return 0, ending{fmt.Errorf("nobody listens on port %d of this machine", port)}
	}
	inodes := map[uint64]bool{}
	for _, l := range found {
		inodes[l.inode] = true
	}
	all, err := procfs.AllProcs()
	if err != nil {
		return 0, refusal{fmt.Errorf("list processes: %w", err)}
	}
	for _, p := range all {
		if pid != 0 && p.PID > pid {
			continue
		}
		targets, err := p.FileDescriptorTargets()
		if err != nil {
			continue // another user's, or ended
		}
		for _, t := range targets {
			if inode, ok := socketInode(t); ok && inodes[inode] {
				pid = p.PID
				break
			}
		}
	}
	if me := os.Geteuid(); pid == 0 && (me == 0 || uint64(me) == found[0].uid) {
		// Its process is coming or going: the socket was there before or after it.
		return 0, ending{fmt.Errorf("the process on port %d is not to be seen", port)}
	}
	if pid == 0 {
		return 0, refusal{fmt.Errorf("the process on port %d belongs to the user with id %d: CPU, memory and connections are for that user, or root, to see", port, found[0].uid)}
	}
	return pid, nil
}

// covers says that a connection to one of the addresses may arrive at a listener.
func covers(listener netip.Addr, addresses []netip.Addr) bool {
	for _, a := range addresses {
		if listener == a || listener.IsUnspecified() && (listener.Is6() || a.Is4()) {
			return true
		}
	}
	return false
}
