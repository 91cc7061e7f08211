package sockets

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// States of sockets, as /proc/net/tcp and udp have them (the kernel's tcp_states.h).
const (
	Established = 1
	TimeWait    = 6
	Unconnected = 7 // of UDP
	CloseWait   = 8 // the other side has closed it
	Listen      = 10
)

// Socket is a line of the system's tables of sockets. IPv4 in IPv6 is unmapped. Inode is
// the number by which /proc/PID/fd knows it.
type Socket struct {
	Local, Remote netip.AddrPort
	State         uint64
	Inode, UID    uint64
}

// Each hands over the sockets of IPv4 and IPv6 in the network namespace of a process, by
// its directory below /proc ("self" is the caller). The tables can be long: nothing of
// them is kept.
func Each(process string, use func(Socket)) error {
	return EachIn(os.DirFS("/proc"), process+"/net", use)
}

// EachOfState is Each for sockets in one state. The kernel is asked for them alone where it can be.
func EachOfState(process string, state uint64, use func(Socket)) error {
	if ask(process, state, use) {
		return nil
	}
	return Each(process, func(s Socket) {
		if s.State == state {
			use(s)
		}
	})
}

// EachIn hands over the sockets of the tables tcp and tcp6 in a directory.
func EachIn(files fs.FS, dir string, use func(Socket)) error {
	return eachOf(files, dir, "tcp", use)
}

// EachUDP is Each for sockets of UDP. One that is bound and has no peer has the state Unconnected.
func EachUDP(process string, use func(Socket)) error {
	return eachOf(os.DirFS("/proc"), process+"/net", "udp", use)
}

// eachOf hands over the sockets of the two tables of a protocol.
func eachOf(files fs.FS, dir, protocol string, use func(Socket)) error {
	for _, name := range []string{protocol, protocol + "6"} {
		f, err := files.Open(dir + "/" + name)
		if errors.Is(err, fs.ErrNotExist) && name != protocol {
			continue // a kernel without IPv6
		}
		if err != nil {
			return fmt.Errorf("read sockets of %s: %w", strings.ToUpper(protocol), err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if one, ok := Parse(lines.Text()); ok {
				use(one)
			}
		}
		err = lines.Err()
		f.Close()
		if err != nil {
			return fmt.Errorf("read sockets of %s: %w", strings.ToUpper(protocol), err)
		}
	}
	return nil
}

// Parse reads a line of /proc/net/tcp or tcp6 (proc_pid_net(5)); false for the heading.
func Parse(line string) (one Socket, ok bool) {
	f := strings.Fields(line) // sl local_address rem_address st ... uid timeout inode
	if len(f) < 10 {
		return Socket{}, false
	}
	local, errLocal := address(f[1])
	remote, errRemote := address(f[2])
	state, errState := strconv.ParseUint(f[3], 16, 8)
	uid, errUID := strconv.ParseUint(f[7], 10, 32)
	inode, errInode := strconv.ParseUint(f[9], 10, 64)
	if errors.Join(errLocal, errRemote, errState, errUID, errInode) != nil {
		return Socket{}, false
	}
	return Socket{local, remote, state, inode, uid}, true
}

// address reads ADDRESS:PORT in hexadecimal. The kernel prints an address as numbers of 32
// bits in this machine's byte order.
func address(text string) (netip.AddrPort, error) {
	host, portText, _ := strings.Cut(text, ":")
	raw, errHost := hex.DecodeString(host)
	port, errPort := strconv.ParseUint(portText, 16, 16)
	if err := errors.Join(errHost, errPort); err != nil {
		return netip.AddrPort{}, err
	}
	if len(raw) != 4 && len(raw) != 16 {
		return netip.AddrPort{}, fmt.Errorf("an address of %d bytes", len(raw))
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	a, _ := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(a.Unmap(), uint16(port)), nil
}

// Inode reads the target of a file descriptor: that of a socket.
func Inode(target string) (uint64, bool) {
	text, ok := strings.CutPrefix(target, "socket:[")
	inode, err := strconv.ParseUint(strings.TrimSuffix(text, "]"), 10, 64)
	return inode, ok && err == nil
}
