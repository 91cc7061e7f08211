package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// memory is what a process has and had resident, in bytes.
type memory struct{ now, peak int64 }

func readMemory(pid int) (memory, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return memory{}, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	return parseMemory(string(text))
}

// parseMemory reads the lines "VmRSS:   1234 kB" and "VmHWM: ..." (proc_pid_status(5)). A
// process that is just ending has neither.
func parseMemory(text string) (m memory, err error) {
	want := map[string]*int64{"VmRSS": &m.now, "VmHWM": &m.peak}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		to := want[name]
		if to == nil {
			continue
		}
		number, ok := strings.CutSuffix(strings.TrimSpace(value), " kB")
		kB, err := strconv.ParseInt(strings.TrimSpace(number), 10, 53) // its product with 1024 fits
		if !ok || err != nil || kB < 0 {
			return memory{}, fmt.Errorf("read memory: %s is %q, want a number of kB", name, strings.TrimSpace(value))
		}
		*to = kB << 10
		delete(want, name)
	}
	for name := range want {
		return memory{}, fmt.Errorf("read memory: no line %s", name)
	}
	return m, nil
}
