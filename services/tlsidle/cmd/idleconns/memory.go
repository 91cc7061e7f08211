package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is what a process has resident, in bytes.
type Memory struct {
	Resident  int64 `json:"resident"`  // VmRSS, all of it
	Anonymous int64 `json:"anonymous"` // RssAnon: heap and stacks
	File      int64 `json:"file"`      // RssFile: mostly the program's code
}

// readMemory asks Linux for the memory of a process.
func readMemory(pid int) (Memory, error) {
	path := fmt.Sprintf("/proc/%d/status", pid)
	text, err := os.ReadFile(path)
	if err != nil {
		return Memory{}, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	m, err := parseMemory(string(text))
	if err != nil {
		return Memory{}, fmt.Errorf("read %s: %w", path, err)
	}
	return m, nil
}

// parseMemory reads the lines "VmRSS:   1234 kB" and its parts (proc_pid_status(5)).
func parseMemory(text string) (m Memory, err error) {
	want := map[string]*int64{"VmRSS": &m.Resident, "RssAnon": &m.Anonymous, "RssFile": &m.File}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		to := want[name]
		if to == nil {
			continue
		}
		number, ok := strings.CutSuffix(strings.TrimSpace(value), " kB")
		if !ok {
			return Memory{}, fmt.Errorf("%s is %q, want a number of kB", name, value)
		}
		kb, err := strconv.ParseInt(strings.TrimSpace(number), 10, 53) // a product with 1024 fits
		if err != nil || kb < 0 {
			return Memory{}, fmt.Errorf("%s is %q, want a number of kB", name, value)
		}
		*to = kb << 10
		delete(want, name)
	}
	for name := range want {
		return Memory{}, fmt.Errorf("no line %s", name)
	}
	return m, nil
}

// per is what each of n connections added to m since before, in bytes.
func (m Memory) per(n int, before Memory) PerConn {
	each := func(after, before int64) float64 { return float64(after-before) / float64(n) }
	return PerConn{
		Resident:  each(m.Resident, before.Resident),
		Anonymous: each(m.Anonymous, before.Anonymous),
		File:      each(m.File, before.File),
	}
}

// PerConn is Memory for each connection, in bytes.
type PerConn struct {
	Resident  float64 `json:"resident"`
	Anonymous float64 `json:"anonymous"`
	File      float64 `json:"file"`
}
