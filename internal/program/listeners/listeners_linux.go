package listeners

import (
	"fmt"
	"os"
	"strconv"

	"github.com/gohone/hone/internal/sys/sockets"
)

// Of lists the TCP listeners, or the UDP sockets without a peer if network is "udp", in the network namespace of
// process pid, with their owners looked up among owners, in that order. The table is read before the
// owners: a socket that is in it has its owner by then.
func Of(network string, pid int, owners func() ([]int, error)) ([]Listener, error) {
	var all []Listener
	var inodes []uint64 // by which /proc/PID/fd knows them
	use := func(s sockets.Socket) {
		all = append(all, Listener{Address: s.Local.Addr(), Port: int(s.Local.Port()), UID: int(s.UID)})
		inodes = append(inodes, s.Inode)
	}
	var err error
	if network == "udp" {
		err = sockets.EachUDP(strconv.Itoa(pid), func(s sockets.Socket) {
			if s.State == sockets.Unconnected {
				use(s)
			}
		})
	} else {
		err = sockets.EachOfState(strconv.Itoa(pid), sockets.Listen, use)
	}
	if err != nil || len(all) == 0 {
		return nil, err
	}
	pids, err := owners()
	if err != nil {
		return nil, err
	}
	holders := socketHolders(pids)
	for i := range all {
		all[i].PID = holders[inodes[i]]
	}
	return all, nil
}

// socketHolders maps the sockets that pids hold to the first of pids that does.
// Processes that cannot be looked into are left out.
func socketHolders(pids []int) map[uint64]int {
	holders := map[uint64]int{}
	for _, pid := range pids {
		dir := fmt.Sprintf("/proc/%d/fd", pid)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			link, err := os.Readlink(dir + "/" + e.Name())
			if err != nil {
				continue
			}
			inode, ok := sockets.Inode(link)
			if !ok {
				continue
			}
			if _, taken := holders[inode]; !taken {
				holders[inode] = pid
			}
		}
	}
	return holders
}
