// Package settings checks what a service is told, and gives what it is not told its
// default: in a struct of settings, zero means the default.
package settings

import (
	"errors"
	"fmt"

	"github.com/gohone/hone/services/internal/ladder"
)

// Setting checks one field. If that is zero, it sets it to its default.
type Setting func() error

// Fill applies all settings and reports all faults at once.
func Fill(all ...Setting) error {
	var faults []error
	for _, apply := range all {
		faults = append(faults, apply())
	}
	return errors.Join(faults...)
}

// Check reports a fault, in the form of fmt.Errorf, unless ok is true.
func Check(ok bool, fault string, args ...any) Setting {
	return func() error {
		if ok {
			return nil
		}
		return fmt.Errorf(fault, args...)
	}
}

// Number is a field that counts or lasts: more than 0.
func Number[T ~int | ~int64](name string, field *T, byDefault T) Setting {
	return func() error {
		if *field < 0 {
			return fmt.Errorf("%s is %v, want 0 (for %v) or more", name, *field, byDefault)
		}
		Default(field, byDefault)
		return nil
	}
}

// AtLeast is a Number with a lower bound.
func AtLeast[T ~int | ~int64](name string, field *T, least, byDefault T) Setting {
	return func() error {
		if *field != 0 && *field < least {
			return fmt.Errorf("%s is %v, want %v or more, or 0 (for %v)", name, *field, least, byDefault)
		}
		Default(field, byDefault)
		return nil
	}
}

// Stage is a field that names one of stages; found becomes that stage.
func Stage[S fmt.Stringer](field *string, stages []S, byDefault string, found *S) Setting {
	return func() (err error) {
		Default(field, byDefault)
		*found, err = ladder.Lookup(stages, *field)
		return err
	}
}

// Default gives a field that is zero its default.
func Default[T comparable](field *T, byDefault T) {
	var zero T
	if *field == zero {
		*field = byDefault
	}
}
