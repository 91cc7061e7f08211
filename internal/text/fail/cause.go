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
	// remote says that the fault may be the other side's, not this machine's.
	remote bool
}

// causes are asked in this order.
var causes = []cause{
	{kind: Interrupted, errors: []error{context.Canceled}},
	{kind: Storage, errors: []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG},
		hint: "the disk is full, or a quota of it: make room there"},
	{kind: Storage, errors: []error{syscall.EROFS}, hint: "the file system is read-only: choose another place"},
	{kind: Storage, errors: []error{syscall.EIO, syscall.ESTALE},
		hint: "the disk or its file system is failing: the kernel's log says more"},
	{kind: Environment, errors: []error{syscall.EMFILE, syscall.ENFILE},
		hint: "raise the limit of open files: ulimit -n"},
	{kind: Environment, errors: []error{syscall.ENOMEM, syscall.ENOBUFS, syscall.EAGAIN},
		hint: "this machine is out of memory, or at a limit of processes: ulimit -a"},
	{kind: Environment, errors: []error{syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT},
		hint: "choose another address or port of this machine"},
	{kind: Environment, remote: true, errors: []error{
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ETIMEDOUT,
		os.ErrDeadlineExceeded,
	}},
	{kind: Environment, errors: []error{fs.ErrPermission},
		hint: "give this user the permission, or choose another place"},
	{kind: Environment, errors: []error{exec.ErrNotFound, syscall.ENOSYS, errors.ErrUnsupported}},
	{kind: BadInput, errors: []error{fs.ErrNotExist, fs.ErrExist, syscall.ENOTDIR, syscall.EISDIR, syscall.ENAMETOOLONG,
		syscall.ELOOP}},
}

// refusal is an error of a package below this one that refuses an input, with what to do next.
type refusal interface {
	error
	NextStep() string
}

// causeOf returns the first cause that err has.
func causeOf(err error) (cause, bool) {
	var r refusal
	if errors.As(err, &r) {
		return cause{kind: BadInput, hint: r.NextStep()}, true
	}
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

// Or returns Storage or Environment where the operating system's error in err is a fault of
// this machine, and otherwise for all others: for errors of which the caller knows what was
// tried, but not why it failed. An input that is refused is BadInput.
func Or(otherwise Kind, err error) Kind {
	var r refusal
	if errors.As(err, &r) {
		return BadInput
	}
	c, ok := causeOf(err)
	if ok && !c.remote && (c.kind == Storage || c.kind == Environment) {
		return c.kind
	}
	return otherwise
}
