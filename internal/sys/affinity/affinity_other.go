//go:build !linux

package affinity

import (
	"errors"
	"runtime"

	"github.com/gohone/hone/internal/text/fail"
)

var ErrNoPinning = errors.New("this system cannot pin a process to CPUs")

// AllowedCPUs lists all CPUs: there is no affinity here.
func AllowedCPUs() ([]int, error) {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus, nil
}

// Spread always fails here, with a *fail.Error (Environment).
func Spread(_, _ []int) (restore func(), err error) {
	return nil, fail.New(fail.Environment, "let the program run on more CPUs: %w", ErrNoPinning)
}

// PinSelf always fails here, with a *fail.Error (Environment).
func PinSelf([]int) (restore func(), err error) {
	return nil, fail.New(fail.Environment, "pin hone: %w", ErrNoPinning).
		WithHint("leave the pinning out, or measure on Linux")
}
