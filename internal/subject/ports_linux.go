package subject

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

// listenState is TCP_LISTEN as /proc/net/tcp writes it (proc_pid_net(5)).
const listenState = "0A"

// listeners lists the TCP listeners in the network namespace of process pid, with
// their owners looked up among owners, in that order. The table is read before the
// owners: a socket that is in it has its owner by then.
func listeners(pid int, owners func() ([]int, error)) ([]Listener, error) {
	rows, err := listenRows(pid)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	pids, err := owners()
	if err != nil {
		return nil, err
	}
	holders := socketHolders(pids)
	all := make([]Listener, len(rows))
	for i, r := range rows {
		all[i] = r.Listener
		all[i].PID = holders[r.inode]
	}
	return all, nil
}

// socketRow is a listener with the number by which /proc/PID/fd knows it.
type socketRow struct {
	Listener
	inode uint64
}

func listenRows(pid int) ([]socketRow, error) {
	var rows []socketRow
	for _, name := range []string{"tcp", "tcp6"} {
		path := fmt.Sprintf("/proc/%d/net/%s", pid, name)
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) && name == "tcp6" {
			continue // a kernel without IPv6
		}
		if err != nil {
			return nil, fmt.Errorf("read TCP sockets: %w", err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if row, ok := parseSocketRow(lines.Text()); ok {
				rows = append(rows, row)
			}
		}
		err = lines.Err()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("read TCP sockets: %w", err)
		}
	}
	return rows, nil
}

// parseSocketRow reads a line of /proc/net/tcp or tcp6; false if it is no listener.
func parseSocketRow(line string) (socketRow, bool) {
	f := strings.Fields(line)
	if len(f) < 10 || f[3] != listenState {
		return socketRow{}, false
	}
	host, port, ok := strings.Cut(f[1], ":")
	addr, okAddr := parseProcAddr(host)
	number, errPort := strconv.ParseUint(port, 16, 16)
	uid, errUID := strconv.ParseUint(f[7], 10, 32)
	inode, errInode := strconv.ParseUint(f[9], 10, 64)
	if !ok || !okAddr || errPort != nil || errUID != nil || errInode != nil {
		return socketRow{}, false
	}
	return socketRow{Listener{Address: addr, Port: int(number), UID: int(uid)}, inode}, true
}

// parseProcAddr reads an address as the kernel prints it: words of 32 bits in
// network order in memory, printed as numbers of this machine's byte order.
func parseProcAddr(s string) (netip.Addr, bool) {
	raw, err := hex.DecodeString(s)
	if err != nil || (len(raw) != 4 && len(raw) != 16) {
		return netip.Addr{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	addr, ok := netip.AddrFromSlice(raw)
	return addr.Unmap(), ok
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
			text, ok := strings.CutPrefix(link, "socket:[")
			inode, err := strconv.ParseUint(strings.TrimSuffix(text, "]"), 10, 64)
			if !ok || err != nil {
				continue
			}
			if _, taken := holders[inode]; !taken {
				holders[inode] = pid
			}
		}
	}
	return holders
}
