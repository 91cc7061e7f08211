package gotest

import (
	"context"

	"github.com/gohone/hone/internal/text/fail"
)

// Sides is what the tests say of a change: those that ran with it, and what failed then.
type Sides struct {
	// Passed is how many tests passed with the change, with subtests.
	Passed int
	// Broken fail with the change, each time, and pass without it.
	Broken []Failure
	// Both fail on both sides, or nothing is known of them without the change: they show nothing of it.
	Both []Failure
	// Shaky failed with the change, and passed when they were executed again.
	Shaky []Failure
}

// Compare runs tests with a change, and where some fail without it, too. What fails with it alone is executed once more
// before it counts: a test may fail now and then. The result of without may be nil, where there is nothing to run.
//
// Errors are those of Run. One of without of kind fail.Subject is none: then nothing is known of that side.
func Compare(ctx context.Context, with, without func() (*Result, error)) (*Sides, error) {
	first, err := with()
	if err != nil {
		return nil, err
	}
	s := &Sides{Passed: first.Passed}
	if len(first.Failed) == 0 {
		return s, nil
	}
	before, err := without()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && fail.KindOf(err) == fail.Subject:
		s.Both = first.Failed
		return s, nil
	case err != nil:
		return nil, err
	}
	var alone []Failure
	for _, f := range first.Failed {
		if before != nil && before.Has(f) {
			s.Both = append(s.Both, f)
		} else {
			alone = append(alone, f)
		}
	}
	if len(alone) == 0 {
		return s, nil
	}
	again, err := with()
	if err != nil {
		return nil, err
	}
	for _, f := range alone {
		if again.Has(f) {
			s.Broken = append(s.Broken, f)
		} else {
			s.Shaky = append(s.Shaky, f)
		}
	}
	return s, nil
}
