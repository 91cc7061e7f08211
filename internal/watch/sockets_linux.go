package watch

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
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

func (s *sockets) companion() {}

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

// eachSocket reads the tables of IPv4 and IPv6 below a directory of /proc. They can be
// long: nothing of them is kept.
func eachSocket(dir string, use func(socket)) error {
	for _, name := range []string{"tcp", "tcp6"} {
		f, err := os.Open(dir + "/net/" + name)
		if errors.Is(err, fs.ErrNotExist) && name == "tcp6" {
			continue // a kernel without IPv6
		}
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if one, ok := parseSocket(lines.Text()); ok {
				use(one)
			}
		}
		err = lines.Err()
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// parseSocket reads a line of /proc/net/tcp or tcp6 (proc_pid_net(5)); false for the
// heading.
func parseSocket(line string) (one socket, ok bool) {
	f := strings.Fields(line)
	if len(f) < 10 {
		return socket{}, false
	}
	host, portText, _ := strings.Cut(f[1], ":")
	raw, errHost := hex.DecodeString(host)
	port, errPort := strconv.ParseUint(portText, 16, 16)
	state, errState := strconv.ParseUint(f[3], 16, 8)
	uid, errUID := strconv.ParseUint(f[7], 10, 32)
	inode, errInode := strconv.ParseUint(f[9], 10, 64)
	if errors.Join(errHost, errPort, errState, errUID, errInode) != nil || len(raw) != 4 && len(raw) != 16 {
		return socket{}, false
	}
	// The kernel prints an address as numbers of 32 bits in this machine's byte order.
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	address, _ := netip.AddrFromSlice(raw)
	return socket{address.Unmap(), int(port), state, inode, uid}, true
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
