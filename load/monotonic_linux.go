package load

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// monotonicTries is how often both clocks are read. One reading takes some 50 ns; a try that is interrupted takes
// longer than the others, and does not count.
const monotonicTries = 8

// monotonicAt is what CLOCK_MONOTONIC showed at base, in nanoseconds. Go's own monotonic clock is the same one, but
// keeps its zero to itself: so both are read closely together, and the tightest try counts.
func monotonicAt(base time.Time) (int64, error) {
	var at int64
	tightest := time.Duration(never)
	for range monotonicTries {
		var now unix.Timespec
		before := time.Since(base)
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
			return 0, fmt.Errorf("read CLOCK_MONOTONIC: %w", err)
		}
		took := time.Since(base) - before
		if took < tightest {
			tightest, at = took, now.Nano()-int64(before+took/2)
		}
	}
	return at, nil
}
