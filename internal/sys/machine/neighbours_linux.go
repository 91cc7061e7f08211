package machine

import (
	"os"
	"strconv"
	"time"
)

// Neighbours watches the CPU clocks of the processes that are neither the measurement's own nor
// the kernel's. Not safe for concurrent use.
type Neighbours struct {
	names map[int]string
	at    map[int]time.Duration // CPU clocks at the last reading
	// working are those that Next reads: all at first, and then those that have used CPU time
	// between two calls of Rest.
	working map[int]time.Duration // CPU clocks at the last reading
}

// kthreadd is the parent of the kernel's own threads.
const kthreadd = 2

// WatchNeighbours lists the processes that run now, except for own and its descendants. It does
// not see a process that starts later.
func WatchNeighbours(own int) *Neighbours {
	n := &Neighbours{names: map[int]string{}, at: map[int]time.Duration{}, working: map[int]time.Duration{}}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return n
	}
	all := map[int]ProcessStat{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if s, err := ReadProcessStat(pid); err == nil {
			all[pid] = s
		}
	}
	for pid, s := range all {
		if pid == kthreadd || descends(all, pid, own) || descends(all, pid, kthreadd) {
			continue
		}
		if cpu, err := ProcessCPU(pid); err == nil {
			n.names[pid], n.at[pid], n.working[pid] = s.Name, cpu, cpu
		}
	}
	return n
}

// descends says whether pid is root or below it.
func descends(all map[int]ProcessStat, pid, root int) bool {
	for range len(all) { // a list that was read while processes come and go might have a circle
		if pid == root {
			return true
		}
		s, ok := all[pid]
		if !ok {
			return false
		}
		pid = s.Parent
	}
	return false
}

// Next is the CPU time that each process has used since the last reading, by number; those that
// used none are left out. It takes a system call, of half a microsecond, for each that works.
func (n *Neighbours) Next() map[int]time.Duration {
	var used map[int]time.Duration
	for pid, before := range n.working {
		now, err := ProcessCPU(pid)
		if err != nil || now < before { // it has ended
			delete(n.working, pid)
			continue
		}
		if now > before {
			if used == nil {
				used = map[int]time.Duration{}
			}
			used[pid] = now - before
			n.working[pid] = now
		}
	}
	return used
}

// Rest reads all processes, in a pause of the measurement, and finds out which of them work. What
// they have used since the last reading is in no Next.
func (n *Neighbours) Rest() {
	clear(n.working)
	for pid, before := range n.at {
		now, err := ProcessCPU(pid)
		switch {
		case err != nil || now < before:
			delete(n.at, pid)
		case now > before:
			n.at[pid], n.working[pid] = now, now
		}
	}
}

// Name is what a process called itself when it was listed.
func (n *Neighbours) Name(pid int) string { return n.names[pid] }
