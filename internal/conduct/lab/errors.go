package lab

import (
	"errors"
	"slices"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// InvalidError ends a measurement whose own quality rules out any conclusion.
type InvalidError struct {
	Letter string // of the variant, empty for a run
	Doubt  load.Doubt
}

func (e *InvalidError) Error() string {
	if e.Letter == "" {
		return e.Doubt.Text
	}
	return e.Letter + ": " + e.Doubt.Text
}

// VariantError says by which variant a measurement has ended: it does not build, start, or serve. Its text is that of the
// error within.
type VariantError struct {
	Letter string // of the variant
	Err    error
}

// Error implements error.
func (e *VariantError) Error() string { return e.Err.Error() }

// Unwrap is for errors.As.
func (e *VariantError) Unwrap() error { return e.Err }

// StatusOf maps the end of a measurement to the status of its runs.
func StatusOf(cause error) (ledger.Status, string) {
	var invalid *InvalidError
	switch {
	case cause == nil:
		return ledger.Complete, ""
	case errors.As(cause, &invalid):
		return ledger.Invalid, invalid.Doubt.Text
	case fail.ExitCode(cause) == int(fail.Interrupted):
		return ledger.Interrupted, cause.Error()
	default:
		return ledger.Partial, cause.Error()
	}
}

// Unjoin returns the single error of a join, so that its kind decides the exit code
// and its text stands alone.
//
// Of errors with one text it leaves the first: the death of a program is noticed by all that
// deal with it.
func Unjoin(err error) error {
	if of, is := err.(*VariantError); is {
		return &VariantError{of.Letter, Unjoin(of.Err)}
	}
	// Only the outermost joins: one further down belongs to the error around it.
	parts := joined(err)
	if parts == nil {
		return err
	}
	var all []error
	for _, one := range parts {
		one = Unjoin(one)
		if !slices.ContainsFunc(all, func(e error) bool { return e.Error() == one.Error() }) {
			all = append(all, one)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// joined are the errors that errors.Join has put into err; nil for any other error.
func joined(err error) []error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok || len(many.Unwrap()) == 0 || errors.Join(many.Unwrap()...).Error() != err.Error() {
		return nil
	}
	return many.Unwrap()
}
