package listeners

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/sockets"
)

// peerOf is the process that listens at the other end of a Unix connection (SO_PEERCRED in unix(7)); 0 if it is of
// another PID namespace.
func peerOf(fd int) int {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0
	}
	return int(c.Pid)
}

// OfUnix lists the Unix sockets that owners listen on in the network namespace of process pid. A path that was
// bound relative to a directory is completed by that of its owner.
func OfUnix(pid int, owners func() ([]int, error)) ([]Listener, error) {
	var found []sockets.Unix
	if err := sockets.EachUnix(strconv.Itoa(pid), func(u sockets.Unix) { found = append(found, u) }); err != nil ||
		len(found) == 0 {
		return nil, err
	}
	pids, err := owners()
	if err != nil {
		return nil, err
	}
	holders := socketHolders(pids)
	var all []Listener
	for _, u := range found {
		owner := holders[u.Inode]
		if owner == 0 {
			continue
		}
		if path := u.Path; !strings.HasPrefix(path, "@") && !filepath.IsAbs(path) {
			dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", owner))
			if err != nil {
				continue // it has ended
			}
			u.Path = filepath.Join(dir, path)
		}
		all = append(all, Listener{Socket: u.Path, PID: owner})
	}
	return all, nil
}
