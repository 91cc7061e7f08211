//go:build !linux

package side

import (
	"errors"
	"time"
)

// CPUTime is the CPU time that a process has used so far; Linux's only.
func CPUTime(int) (time.Duration, error) { return 0, errors.New("this benchmark needs Linux") }
