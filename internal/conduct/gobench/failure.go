package gobench

import (
	"errors"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// lose notes a failure of a package, or of a benchmark if there is a name, and says whether
// the measurement goes on without it: errors that are not the subject's end it.
func (m *measurement) lose(pkg, name string, err error) bool {
	var on *sources.FailedOn
	if !errors.As(err, &on) || on.Err.Kind != fail.Subject {
		return false
	}
	text, output, _ := strings.Cut(err.Error(), "\n")
	m.result.Failures = append(m.result.Failures, benchmarks.Failure{
		Package: pkg, Name: name, Side: on.Side.Name, Text: text, Output: strings.TrimSpace(output),
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
