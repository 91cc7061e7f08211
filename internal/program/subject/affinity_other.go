//go:build !linux

package subject

import (
	"errors"
	"runtime"

	"github.com/gohone/hone/internal/text/fail"
)

var errNoPinning = errors.New("this system cannot pin a process to CPUs")

// AllowedCPUs lists all CPUs: there is no affinity here.
func AllowedCPUs() ([]int, error) {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus, nil
}

// spreadOver always fails here, with a *fail.Error (Environment).
func spreadOver(_, _ []int) (restore func(), err error) {
	return nil, fail.New(fail.Environment, "let the program run on more CPUs: %w", errNoPinning)
}

// PinSelf always fails here, with a *fail.Error (Environment).
func PinSelf([]int) (restore func(), err error) {
	return nil, fail.New(fail.Environment, "pin hone: %w", errNoPinning).
		WithHint("leave the pinning out, or measure on Linux")
}
