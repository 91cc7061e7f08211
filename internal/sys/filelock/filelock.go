// Package filelock locks files between processes with flock(2). The kernel frees a lock
// when the last descriptor of its open file closes, so also when the process is killed. Go
// opens files close-on-exec: a program that hone starts does not inherit the lock.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrHeld is what Try returns when another open file holds the lock.
var ErrHeld = errors.New("the lock is held")

// retry is how often a lock that is held is tried again; waiting inside flock could not be
// interrupted. It is long against the 1 us that a try costs.
const retry = 20 * time.Millisecond

// Try takes an exclusive lock on f without waiting. Closing f frees it. It fails with
// ErrHeld if the lock is held, also by another open file of this process, and with
// errors.ErrUnsupported on systems without flock.
func Try(f *os.File) error { return try(f) }

// Wait takes an exclusive lock on the file at path, which it creates with mode 0600, and
// waits for another holder until ctx is done. The returned function frees the lock; the
// file stays, since to remove it would let two processes lock two files of one name.
func Wait(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := try(f)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, ErrHeld) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("wait for the lock %s: %w", path, ctx.Err())
		case <-time.After(retry):
		}
	}
}
