package ledger

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/fail"
)

// lock is the writer's lock: a kernel lock on an open file, which ends with its
// process however that dies. The text in the file only tells others whom to blame.
// The file stays when the lock goes: to remove it would let two writers lock two
// files of one name.
type lock struct{ f *os.File }

// errLocked is what tryLock returns when another open file holds the lock.
var errLocked = errors.New("locked")

// lockPoll is how often a waiting writer asks again: short against a command's
// start, long against the 1 us that asking costs.
const lockPoll = 20 * time.Millisecond

// acquire takes the lock at path and waits up to wait for it. It does not change a
// lock file that exists.
func acquire(path string, me process, wait time.Duration) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, storage(filepath.Dir(path), err, "lock ledger %s", filepath.Dir(path))
	}
	deadline := time.Now().Add(wait)
	for {
		err = tryLock(f)
		if err == nil {
			return &lock{f}, nil
		}
		left := time.Until(deadline)
		if !errors.Is(err, errLocked) || left <= 0 {
			break
		}
		time.Sleep(min(lockPoll, left))
	}
	defer f.Close()
	if errors.Is(err, errLocked) {
		return nil, lockedError(path, f, me, wait)
	}
	return nil, storage(filepath.Dir(path), err, "lock ledger %s", filepath.Dir(path))
}

func lockedError(path string, f io.Reader, me process, wait time.Duration) error {
	holder := "another hone"
	text, _ := io.ReadAll(io.LimitReader(f, 256))
	if p, ok := parseHolder(string(text)); ok && p.alive() {
		holder = fmt.Sprintf("hone with PID %d", p.pid)
		if p == me {
			holder = fmt.Sprintf("this hone itself (PID %d)", p.pid)
		}
	}
	waited := ""
	if wait > 0 {
		waited = fmt.Sprintf(", still after %v", wait)
	}
	return fail.New(fail.Storage, "open ledger %s: %s is writing to it%s", filepath.Dir(path), holder, waited).
		WithHint("wait until it has ended, or stop it; hone history and hone show work meanwhile")
}

// announce writes who holds the lock, for the message of a second writer.
func (l *lock) announce(p process) error {
	if err := l.f.Truncate(0); err != nil {
		return storage(filepath.Dir(l.f.Name()), err, "write lock %s", l.f.Name())
	}
	if _, err := l.f.WriteAt([]byte(holderText(p)), 0); err != nil {
		return storage(filepath.Dir(l.f.Name()), err, "write lock %s", l.f.Name())
	}
	return nil
}

// release closes the file, which frees the lock.
func (l *lock) release() error { return l.f.Close() }

func holderText(p process) string { return fmt.Sprintf("pid %d\nstart %s\n", p.pid, p.born) }

// parseHolder reads holderText. Anything else is no holder: the file may be empty,
// half written or somebody else's.
func parseHolder(text string) (process, bool) {
	first, rest, _ := strings.Cut(text, "\n")
	second, _, whole := strings.Cut(rest, "\n")
	digits, okPID := strings.CutPrefix(first, "pid ")
	born, okBorn := strings.CutPrefix(second, "start ")
	pid, err := strconv.Atoi(digits)
	if !whole || !okPID || !okBorn || err != nil || pid <= 0 {
		return process{}, false
	}
	return process{pid: pid, born: born}, true
}
