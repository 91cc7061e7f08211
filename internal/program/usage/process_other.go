//go:build !linux

package usage

import (
	"time"

	"github.com/gohone/hone/internal/sys/processes"
)

// Without /proc the figures come from ps: CPU time in steps of 10 ms, resident
// memory, and nothing else. Each reading starts a process, which takes milliseconds.

// readProcess reads what ps knows; counts of calls and switches stay 0.
func readProcess(pid int, _ Depth, s *sample) (alive bool, err error) {
	table, err := processes.ReadPS()
	if err != nil {
		return false, err
	}
	row, ok := table[pid]
	if !ok {
		return false, nil
	}
	s.CPU, s.RSS = row.CPU, row.RSS
	s.PeakRSS = max(s.PeakRSS, row.RSS)
	return true, nil
}

// readAdopted reads nothing: ps does not say what a process has waited for.
func readAdopted(int, *sample) {}

// OfReaped are what all that was reaped has used: of calls nothing is known.
func OfReaped(cpu time.Duration) Counters { return Counters{CPU: cpu} }
