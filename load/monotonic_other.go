//go:build !linux

package load

import (
	"errors"
	"time"
)

// monotonicAt: only on Linux the clock of Go's execution traces is known to be one that programs can read.
func monotonicAt(time.Time) (int64, error) {
	return 0, errors.New("time stamps of requests need Linux: elsewhere no clock is known to be that of execution traces")
}
