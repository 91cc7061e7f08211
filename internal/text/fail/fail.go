// Package fail gives every error that reaches the command line a kind, which
// fixes the exit code, and a hint, which says what to do next. Libraries return
// these errors; only cmd/hone prints them and exits.
package fail

import (
	"errors"
	"fmt"
)

// Kind says whose fault an error is. Its value is the exit code of hone.
type Kind int

// The kinds, with the exit codes that scripts rely on (see hone help exit-codes).
const (
	Regression Kind = 1 // a gate failed
	BadInput   Kind = 2 // a flag, a file or a name the user gave
	Subject    Kind = 3 // the measured program: build, start, crash
	Invalid    Kind = 4 // the measurement itself
	Storage    Kind = 5 // the ledger or the disk
	// a hone.yaml or run of others that the user has not trusted, or a store that is not hone's own
	Untrusted   Kind = 6
	Environment Kind = 7   // limits, ports, permissions of this machine
	Undecided   Kind = 8   // a gate that the data cannot decide
	Internal    Kind = 70  // a fault of hone itself: no error of another kind (EX_SOFTWARE of sysexits.h)
	Interrupted Kind = 130 // Ctrl-C
)

// Error is an error with a kind and a hint.
type Error struct {
	Kind Kind
	Err  error
	// Hint is the next step in words the user can act on: a command to copy or a
	// flag to change. Empty where the error says it all.
	Hint string
}

// Error returns the cause alone; the hint is printed on a line of its own.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives errors.Is and errors.As the cause.
func (e *Error) Unwrap() error { return e.Err }

// New formats an error of a kind. %w works as in fmt.Errorf.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// ForGitBisect is an error with the exit codes of git bisect run. 1 means bad: a regression. 125 means skip: the
// program does not build or run, or there is no verdict. A code over 127 stops the search: every other error.
func ForGitBisect(err error) error {
	const skip, stop = 125, 128
	kind := KindOf(err)
	switch {
	case err == nil, kind == Regression, kind >= stop:
		return err
	case kind == Undecided, kind == Invalid, kind == Subject:
		kind = skip
	default:
		kind += stop
	}
	return (&Error{Kind: kind, Err: err}).WithHint("%s", HintOf(err))
}

// ExitCode returns the exit code for err: 0 for nil, else its kind.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	return int(KindOf(err))
}

// HintOf returns the first hint in err's chain; for an error without a kind of its own the
// hint to its cause; or "". What refuses an input knows the next step best.
func HintOf(err error) string {
	var r refusal
	if errors.As(err, &r) {
		return r.NextStep()
	}
	var e *Error
	if err != nil && !errors.As(err, &e) {
		return hintOfCause(err)
	}
	for err != nil && errors.As(err, &e) {
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	return ""
}

func hintOfCause(err error) string {
	c, ok := causeOf(err)
	if !ok {
		return "this is a fault of hone: please report it, with the command and this message"
	}
	return c.hint
}

// Meaning says what an exit code means, in a few words.
func (k Kind) Meaning() string {
	switch k {
	case 0:
		return "fine, or the gates passed"
	case Regression:
		return "regression: a gate failed"
	case BadInput:
		return "bad input"
	case Subject:
		return "the program failed: build, start or crash"
	case Invalid:
		return "the measurement is invalid: draw no conclusion from it"
	case Storage:
		return "storage: the ledger or the disk"
	case Untrusted:
		return "not trusted by the user"
	case Environment:
		return "the machine: limits, ports, permissions"
	case Undecided:
		return "undecided: no pass and no failure, the data are not enough"
	case Interrupted:
		return "interrupted"
	}
	return "a fault of hone itself"
}
