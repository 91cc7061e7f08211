package fail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// What the operating system says has a kind of its own, in whatever it is wrapped.
func TestErrorsOfTheSystemHaveAKind(t *testing.T) {
	for kind, numbers := range map[Kind][]error{
		Storage: {syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO},
		Environment: {syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EACCES, syscall.EPERM, syscall.EADDRINUSE,
			syscall.EADDRNOTAVAIL, syscall.ECONNREFUSED, syscall.ENETUNREACH, os.ErrDeadlineExceeded},
		BadInput: {syscall.ENOENT, syscall.EISDIR, syscall.ENOTDIR},
		Internal: {syscall.EBADF, syscall.EINVAL},
	} {
		for _, number := range numbers {
			for _, err := range []error{
				number,
				&fs.PathError{Op: "write", Path: "x", Err: number},
				os.NewSyscallError("fsync", number),
				&os.LinkError{Op: "rename", Old: "x", New: "y", Err: number},
				&net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("socket", number)},
				fmt.Errorf("store run: %w", fmt.Errorf("write row: %w", number)),
				errors.Join(errors.New("read plan"), number),
			} {
				if got := ExitCode(err); got != int(kind) {
					t.Errorf("%v (%T): exit code %d, want %d", err, err, got, kind)
				}
				if kind == Storage && HintOf(err) == "" {
					t.Errorf("%v (%T) has no hint", err, err)
				}
			}
		}
	}
	for kind, err := range map[Kind]error{
		Interrupted: fmt.Errorf("load: %w", context.Canceled),
		Environment: &exec.Error{Name: "git", Err: exec.ErrNotFound},
		BadInput: &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nowhere",
			IsNotFound: true}},
	} {
		if got := ExitCode(err); got != int(kind) {
			t.Errorf("%v: exit code %d, want %d", err, got, kind)
		}
	}
}

// A kind that is given says more than the system's error, and Or gives one only where the
// system's error has none.
func TestGivenKinds(t *testing.T) {
	if got := ExitCode(New(Environment, "isolate: %w", syscall.ENOSPC)); got != int(Environment) {
		t.Errorf("exit code %d, want that of the kind that was given", got)
	}
	if got := Or(BadInput, syscall.ENOSPC); got != Storage {
		t.Errorf("a full disk is %d", got)
	}
	if got := Or(Subject, syscall.EMFILE); got != Environment {
		t.Errorf("too many open files are %d", got)
	}
	for _, err := range []error{syscall.ECONNREFUSED, syscall.ENOENT, os.ErrDeadlineExceeded} {
		if got := Or(Subject, err); got != Subject {
			t.Errorf("%v of a subject is %d", err, got)
		}
	}
	if got := Or(BadInput, errors.New("no number")); got != BadInput {
		t.Errorf("an error without a cause is %d", got)
	}
}
