package main

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// pinSelf binds this process to one CPU: all threads that there are, from which those to
// come inherit. It looks again until it finds no new one, which an unbound thread may
// have started meanwhile.
func pinSelf(cpu int) error {
	var only unix.CPUSet
	only.Set(cpu)
	pinned := map[int]bool{}
	for again := true; again; {
		again = false
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("list own threads: %w", err)
		}
		for _, t := range threads {
			tid, err := strconv.Atoi(t.Name())
			if err != nil || pinned[tid] {
				continue
			}
			if err := unix.SchedSetaffinity(tid, &only); err != nil && err != unix.ESRCH {
				return fmt.Errorf("pin to CPU %d: %w", cpu, err)
			}
			pinned[tid], again = true, true
		}
	}
	return nil
}
