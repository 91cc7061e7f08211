package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"strconv"

	"github.com/prometheus/procfs"

	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/vitals"
)

// connections counts the established connections of a process. It is a source of its own
// because it takes time in proportion to all sockets of the machine.
type connections struct {
	watched *watched
	unheld
}

func (s *connections) name() string { return "connections" }

func (s *connections) companion() {}

func (s *connections) read(context.Context) (vitals.Reading, error) {
	var r vitals.Reading
	pid := s.watched.now()
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
		if inode, ok := sockets.Inode(t); ok {
			own[inode] = true
		}
	}
	n := 0
	err = sockets.Each(strconv.Itoa(pid), func(l sockets.Socket) {
		if l.State == sockets.Established && own[l.Inode] {
			n++
		}
	})
	if err != nil {
		return r, err
	}
	r.Connections = vitals.Of(float64(n))
	return r, nil
}

// findListener returns the process that takes connections to one of the addresses, all of
// this machine, and the port: the oldest, if several share the socket.
func findListener(addresses []netip.Addr, port int) (pid int, err error) {
	var found []sockets.Socket
	err = sockets.Each("self", func(l sockets.Socket) {
		if l.State == sockets.Listen && int(l.Local.Port()) == port && covers(l.Local.Addr(), addresses) {
			found = append(found, l)
		}
	})
	if err != nil {
		return 0, refusal{err}
	}
	if len(found) == 0 {
		return 0, ended{fmt.Errorf("no process listens on port %d of this machine", port)}
	}
	inodes := map[uint64]bool{}
	for _, l := range found {
		inodes[l.Inode] = true
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
			if inode, ok := sockets.Inode(t); ok && inodes[inode] {
				pid = p.PID
				break
			}
		}
	}
	if me := os.Geteuid(); pid == 0 && (me == 0 || uint64(me) == found[0].UID) {
		// Its process is coming or going: the socket was there before or after it.
		return 0, ended{fmt.Errorf("the process on port %d is not visible", port)}
	}
	if pid == 0 {
		return 0, refusal{fmt.Errorf("the process on port %d belongs to the user with id %d: only that user and root can "+
			"read its CPU, memory and connections", port, found[0].UID)}
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
