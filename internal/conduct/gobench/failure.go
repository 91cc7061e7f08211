package gobench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// failedOn is an error of one side's program with the side, so that it becomes a Failure.
type failedOn struct {
	err  *fail.Error
	side int
}

// failure is an error of the program of one side, which the first line of the text names.
func (m *measurement) failure(side int, format string, args ...any) *failedOn {
	err := fail.New(fail.Subject, format, args...)
	first, rest, more := strings.Cut(err.Error(), "\n")
	if more {
		rest = "\n" + rest
	}
	s := m.sides[side]
	err.Err = fmt.Errorf("side %s (%s): %s%s", s.Name, s.Label, first, rest)
	return &failedOn{err, side}
}

// WithHint sets the hint and returns f.
func (f *failedOn) WithHint(format string, args ...any) *failedOn {
	f.err = f.err.WithHint(format, args...)
	return f
}

func (f *failedOn) Error() string { return f.err.Error() }
func (f *failedOn) Unwrap() error { return f.err }

// lose notes a failure of a package, or of a benchmark if there is a name, and says whether
// the measurement goes on without it: errors that are not the subject's end it.
func (m *measurement) lose(pkg, name string, err error) bool {
	var on *failedOn
	if !errors.As(err, &on) || on.err.Kind != fail.Subject {
		return false
	}
	text, output, _ := strings.Cut(err.Error(), "\n")
	m.result.Failures = append(m.result.Failures, benchmarks.Failure{
		Package: pkg, Name: name, Side: m.sides[on.side].Name, Text: text, Output: strings.TrimSpace(output),
		Hint: fail.HintOf(err),
	})
	return true
}

// loseBench is lose for a benchmark in the rounds: it takes part in no more of them and has
// no verdict.
func (m *measurement) loseBench(b *bench, err error) bool {
	if !m.lose(b.pkg.path, b.name, err) {
		return false
	}
	b.Lose()
	return true
}

// leaveOutFailed takes the benchmarks that failed out of the result.
func (m *measurement) leaveOutFailed() {
	for _, b := range m.benches {
		if b.Lost() {
			m.result.Benchmarks = slices.DeleteFunc(m.result.Benchmarks, func(out benchmarks.Benchmark) bool {
				return out.Package == b.pkg.path && out.Name == b.name
			})
		}
	}
}
