package memory

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// Moment is what of an account is read again and again beside a load, in bytes: without the mappings, whose reading
// takes milliseconds of a large process. Objects, live heap and goal are read beside it.
type Moment struct {
	// Resident is what is in memory, Mapped the part of it that belongs to files and shared memory.
	Resident uint64 `json:"rss_bytes"`
	Mapped   uint64 `json:"file_bytes"`
	// Unused, Free and Stacks are those of Classes, Structures the sum of its structures.
	Unused     uint64 `json:"unused_bytes"`
	Free       uint64 `json:"free_bytes"`
	Stacks     uint64 `json:"stack_bytes"`
	Structures uint64 `json:"runtime_bytes"`
}

// MomentOf reads it of processes whose runtimes say this together; false where the kernel does not tell (not Linux), or
// one has ended.
func MomentOf(c Classes, pids []int) (m Moment, known bool) {
	m = Moment{Unused: c.Unused, Free: c.Free, Stacks: c.Stacks, Structures: c.structures()}
	for _, pid := range pids {
		resident, mapped, err := statm(pid)
		if err != nil {
			return m, false
		}
		m.Resident, m.Mapped = m.Resident+resident, m.Mapped+mapped
	}
	return m, len(pids) > 0
}

// statm reads what of a process is resident, and what of that belongs to files and shared memory (proc_pid_statm(5)).
func statm(pid int) (resident, mapped uint64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 3 {
		return 0, 0, fmt.Errorf("read memory of PID %d: %.40q is not a line of statm", pid, text)
	}
	page := uint64(os.Getpagesize())
	resident, err = strconv.ParseUint(string(fields[1]), 10, 48)
	if err != nil {
		return 0, 0, fmt.Errorf("read resident memory of PID %d: %w", pid, err)
	}
	if mapped, err = strconv.ParseUint(string(fields[2]), 10, 48); err != nil {
		return 0, 0, fmt.Errorf("read shared memory of PID %d: %w", pid, err)
	}
	return resident * page, min(mapped, resident) * page, nil
}

// FromFiles is the part of an account over time that belongs to files and shared memory.
const FromFiles = "binary, files, shared memory"

// OverTime are the parts of an account over time, the first at the bottom. What a line of resident memory has above
// them is not accounted for: variables of the program, memory of C, and what was given back and is still there.
var OverTime = []string{LiveHeap, Garbage, FreeSpans, Fragmentation, Stacks, Structures, FromFiles}

// Account is that of a moment at which the runtime said this of its heap as well.
func (m Moment) Account(objects, live, goal, goroutines uint64) *Account {
	c := Classes{Objects: objects, Unused: m.Unused, Free: m.Free, Stacks: m.Stacks, Live: live, Goal: goal,
		Goroutines: goroutines}
	a := &Account{Schema: Schema, Resident: m.Resident}
	anonymous, structures := above(m.Resident, m.Mapped), m.Structures
	if mapped := c.inArenas() + structures; mapped > anonymous {
		structures = uint64(float64(structures) * float64(anonymous) / float64(mapped))
		c.Objects, c.Unused, c.Free, c.Stacks = c.touched(anonymous - structures)
		c.Live = uint64(float64(live) * float64(c.Objects) / float64(max(1, objects)))
	}
	a.inHeap(c, c.Objects, c.Unused, c.Free, c.Stacks)
	a.add(Structures, structures)
	a.add(FromFiles, m.Mapped)
	a.Unaccounted = above(a.Resident, a.sum())
	return a
}
