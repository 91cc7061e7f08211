package fail

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// cause is a kind that the operating system's errors have by themselves, where no *Error
// says more.
type cause struct {
	kind   Kind
	errors []error
	hint   string
}

// causes are asked in this order.
var causes = []cause{
	{Interrupted, []error{context.Canceled}, ""},
	{Storage, []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, "the disk is full, or a quota of it: make room there"},
	{Storage, []error{syscall.EROFS}, "the file system is read-only: choose another place"},
	{Storage, []error{syscall.EIO, syscall.ESTALE}, "the disk or its file system is failing: the kernel's log says more"},
	{Environment, []error{syscall.EMFILE, syscall.ENFILE}, "raise the limit of open files: ulimit -n"},
	{Environment, []error{syscall.ENOMEM, syscall.ENOBUFS, syscall.EAGAIN}, "this machine is out of memory, or at a limit of processes: ulimit -a"},
	{Environment, []error{syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT}, "choose another address or port of this machine"},
	{Environment, []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ETIMEDOUT, os.ErrDeadlineExceeded}, ""},
	{Environment, []error{fs.ErrPermission}, "give this user the permission, or choose another place"},
	{Environment, []error{exec.ErrNotFound, syscall.ENOSYS, errors.ErrUnsupported}, ""},
	{BadInput, []error{fs.ErrNotExist, fs.ErrExist, syscall.ENOTDIR, syscall.EISDIR, syscall.ENAMETOOLONG, syscall.ELOOP}, ""},
}

// causeOf returns the first cause that err has.
func causeOf(err error) (cause, bool) {
	for _, c := range causes {
		if slices.ContainsFunc(c.errors, func(target error) bool { return errors.Is(err, target) }) {
			return c, true
		}
	}
	var unknown *net.DNSError
	if errors.As(err, &unknown) {
		return cause{kind: BadInput}, true // a host that the user named
	}
	return cause{}, false
}

// KindOf returns the kind of err: that of the outermost *Error in its chain; else, where the
// operating system's error says enough, the kind of that (a full disk is Storage); else
// Internal. err is not nil.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	if c, ok := causeOf(err); ok {
		return c.kind
	}
	return Internal
}

// Or returns the kind that the operating system's error in err has by itself, otherwise if
// it has none: for errors of which the caller knows what was tried, but not why it failed.
func Or(otherwise Kind, err error) Kind {
	if c, ok := causeOf(err); ok {
		return c.kind
	}
	return otherwise
}
