package sources

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// FailedOn is an error of one side's program with the side, so that it becomes a Failure.
type FailedOn struct {
	Err  *fail.Error
	Side *Side
}

// Failure is an error of the program of the side, which the first line of the text names.
func (s *Side) Failure(format string, args ...any) *FailedOn {
	err := fail.New(fail.Subject, format, args...)
	first, rest, more := strings.Cut(err.Error(), "\n")
	if more {
		rest = "\n" + rest
	}
	err.Err = fmt.Errorf("side %s (%s): %s%s", s.Name, s.Label, first, rest)
	return &FailedOn{err, s}
}

// WithHint sets the hint and returns f.
func (f *FailedOn) WithHint(format string, args ...any) *FailedOn {
	f.Err = f.Err.WithHint(format, args...)
	return f
}

// Error implements error.
func (f *FailedOn) Error() string { return f.Err.Error() }

// Unwrap is the error without its side.
func (f *FailedOn) Unwrap() error { return f.Err }
