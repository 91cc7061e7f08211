package sockets

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Unix is a listening Unix stream socket of the system's table. Path is as it was bound, perhaps relative;
// an abstract name begins with @. Inode is the number by which /proc/PID/fd knows it.
type Unix struct {
	Path  string
	Inode uint64
}

// LongestPath is the longest path of a Unix socket, in bytes (unix(7)).
const LongestPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// acceptsConnections is the kernel's flag of a socket that listens (__SO_ACCEPTCON in linux/net.h).
const acceptsConnections = 1 << 16

// streamType is SOCK_STREAM.
const streamType = 1

// EachUnix hands over the listening Unix stream sockets in the network namespace of a process, by its directory
// below /proc. Those without a name are left out.
func EachUnix(process string, use func(Unix)) error {
	f, err := os.Open("/proc/" + process + "/net/unix")
	if err != nil {
		return fmt.Errorf("read Unix sockets: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if one, ok := ParseUnix(lines.Text()); ok {
			use(one)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read Unix sockets: %w", err)
	}
	return nil
}

// ParseUnix reads a line of /proc/net/unix (unix(7) and proc_pid_net(5)); false for the heading, and for a socket
// that does not listen or has no name. A path may hold spaces.
func ParseUnix(line string) (one Unix, ok bool) {
	var f [7]string // Num RefCount Protocol Flags Type St Inode, then the path
	for i := range f {
		line = strings.TrimLeft(line, " ")
		f[i], line, _ = strings.Cut(line, " ")
	}
	flags, errFlags := strconv.ParseUint(f[3], 16, 64)
	kind, errKind := strconv.ParseUint(f[4], 16, 16)
	inode, errInode := strconv.ParseUint(f[6], 10, 64)
	if errors.Join(errFlags, errKind, errInode) != nil || flags&acceptsConnections == 0 || kind != streamType ||
		line == "" {
		return Unix{}, false
	}
	return Unix{line, inode}, true
}
