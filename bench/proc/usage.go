package proc

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/procfs"
)

// CPUOf is the CPU time that a process uses while do runs.
func CPUOf(pid int, do func() error) (time.Duration, error) {
	before, err := CPUTime(pid)
	if err != nil {
		return 0, err
	}
	failed := do()
	after, err := CPUTime(pid)
	return after - before, errors.Join(failed, err)
}

// Memory is what a process has resident now and had at most, in bytes. One that is just
// ending has neither, which is an error.
func Memory(pid int) (now, peak int64, err error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, 0, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	s, err := p.NewStatus()
	if err == nil && s.VmRSS == 0 {
		err = errors.New("it is ending")
	}
	if err != nil {
		return 0, 0, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	return int64(s.VmRSS), int64(s.VmHWM), nil
}
