package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// lock is the writer's lock: a kernel lock on an open file, which ends with its
// process however that dies. The text in the file only tells others whom to blame.
// The file stays when the lock goes: to remove it would let two writers lock two
// files of one name.
type lock struct{ f *os.File }

const lockName = "lock"

// maxHolder bounds the text of a lock file, in bytes: it has some 80.
const maxHolder = 256

// lockPoll is how often a waiting writer asks again: short against a command's
// start, long against the 1 us that asking costs.
const lockPoll = 20 * time.Millisecond

// acquire takes the writer's lock and waits up to wait for it. It does not change a
// lock file that exists.
func acquire(home *storedir.Dir, me process, wait time.Duration) (*lock, error) {
	f, err := home.Update(lockName)
	if err != nil {
		return nil, err
	}
	if err := lockWithin(f, wait); err != nil {
		defer f.Close()
		switch {
		case errors.Is(err, filelock.ErrHeld):
			return nil, lockedError(home.Path(), f, me, wait)
		case errors.Is(err, errors.ErrUnsupported): // a writer without a lock could damage the ledger
			return nil, fail.New(fail.Environment, "lock ledger: this system has no file lock that hone knows").
				WithHint("write the ledger on Linux or macOS; reading works here")
		}
		return nil, err
	}
	return &lock{f}, nil
}

// lockWithin locks f and waits up to wait for another holder.
func lockWithin(f *os.File, wait time.Duration) error {
	deadline := time.Now().Add(wait)
	for {
		err := filelock.Try(f)
		left := time.Until(deadline)
		if !errors.Is(err, filelock.ErrHeld) || left <= 0 {
			return err
		}
		time.Sleep(min(lockPoll, left))
	}
}

func lockedError(dir string, f io.Reader, me process, wait time.Duration) error {
	holder := "another hone"
	text, _ := io.ReadAll(io.LimitReader(f, maxHolder))
	if p, ok := parseHolder(string(text)); ok && p.alive() {
		holder = fmt.Sprintf("hone with PID %d", p.PID)
		if p == me {
			holder = fmt.Sprintf("this hone itself (PID %d)", p.PID)
		}
	}
	waited := ""
	if wait > 0 {
		waited = fmt.Sprintf(", still after %v", wait)
	}
	return fail.New(fail.Storage, "open ledger %s: %w%s", dir, &heldError{holder}, waited).
		WithHint("wait until it has ended, or stop it; hone history and hone show still work")
}

// heldError says who holds the lock.
type heldError struct{ holder string }

func (e *heldError) Error() string { return e.holder + " is writing to it" }

// OpenWaiting is OpenWith that waits for another writer until ctx ends. It calls told once with who that is, if it has
// to wait.
func OpenWaiting(ctx context.Context, dir string, o Options, told func(writer string)) (*Ledger, error) {
	for waiting := false; ; waiting = true {
		l, err := OpenWith(dir, o)
		var held *heldError
		if !errors.As(err, &held) {
			return l, err
		}
		if !waiting {
			told(held.holder)
		}
		select {
		case <-ctx.Done():
			return nil, fail.New(fail.Interrupted, "interrupted: %w", err)
		case <-time.After(lockPoll):
		}
	}
}

// announce writes who holds the lock, for the message of a second writer.
func (l *lock) announce(p process) error {
	err := l.f.Truncate(0)
	if err == nil {
		_, err = l.f.WriteAt([]byte(holderText(p)), 0)
	}
	return storage(filepath.Dir(l.f.Name()), err, "write lock %s", l.f.Name())
}

// release closes the file, which frees the lock.
func (l *lock) release() error {
	_ = l.f.Truncate(0) // best effort: a reader asks the kernel about the process that is named
	return l.f.Close()
}

func holderText(p process) string { return fmt.Sprintf("pid %d\nstart %s\n", p.PID, p.Born) }

// parseHolder reads holderText. Anything else does not name a holder: the file may be empty,
// half written or of another program.
func parseHolder(text string) (process, bool) {
	first, rest, _ := strings.Cut(text, "\n")
	second, _, whole := strings.Cut(rest, "\n")
	digits, okPID := strings.CutPrefix(first, "pid ")
	born, okBorn := strings.CutPrefix(second, "start ")
	pid, err := strconv.Atoi(digits)
	if !whole || !okPID || !okBorn || err != nil || pid <= 0 {
		return process{}, false
	}
	return process{PID: pid, Born: born}, true
}
