package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/gohone/hone/internal/sys/diskroom"
	"github.com/gohone/hone/internal/text/fail"
)

// Sentinels that callers branch on with errors.Is.
var (
	// ErrNoLedger: there is no ledger in the directory yet (readers only).
	ErrNoLedger = errors.New("no ledger here, so there is no run yet")
	// ErrFull: the disk is full. The ledger stays usable once space is freed.
	ErrFull = errors.New("disk full")
)

// errReadOnly is what a reader's writing methods return: a mistake of the caller.
var errReadOnly = errors.New("write ledger: it was opened for reading")

// cause classes what the system said.
type cause int

const (
	causeOther cause = iota
	causeFull
	causeDenied
)

func causeOf(err error) cause {
	switch {
	case errors.Is(err, ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return causeFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return causeDenied
	}
	return causeOther
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// storage turns err into a fail.Error that says what could not be done ("verb
// noun"), why, and how to go on. An error that is a fail.Error already passes as
// it is; nil stays nil.
func storage(dir string, err error, format string, args ...any) error {
	return storageNeed(dir, 0, err, format, args...)
}

// storageNeed is storage for a write of need bytes (0: unknown), which the message
// names if the disk is full.
func storageNeed(dir string, need uint64, err error, format string, args ...any) error {
	var known *fail.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	what := fmt.Sprintf(format, args...)
	switch causeOf(err) {
	case causeFull:
		return fail.New(fail.Storage, "%s: %w: %s (%w)", what, ErrFull, spaceText(dir, need), err).
			WithHint("free space on the file system of %s and repeat the command; the runs stored so far are intact",
				dir)
	case causeDenied:
		return fail.New(fail.Storage, "%s: no permission to read or write there: %w", what, err).
			WithHint("give yourself write access (ls -ld %s; is the file system mounted read-only?), or choose another "+
				"directory for the ledger", dir)
	}
	return fail.New(fail.Storage, "%s: %w", what, err).
		WithHint("hone ledger verify")
}

// repairHint is the next step where files of the ledger are damaged.
const repairHint = "hone ledger repair moves what is damaged aside; hone ledger verify lists it"

func spaceText(dir string, need uint64) string {
	text := "more space is needed"
	if need > 0 {
		text = bytesText(need) + " needed"
	}
	free, err := diskroom.Free(dir)
	if err != nil {
		return text
	}
	return text + ", " + bytesText(free) + " free"
}
