package read

import (
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// Benchmarks reads what is asked for of benchmarks, whose gates are on some measures.
func Benchmarks(s *spec.Spec, known []judge.Measure) (err error) {
	if s.Bench.Time != "" {
		if s.Bench.BenchTime, s.Bench.Iterations, err = parseBenchTime(s.Bench.Time); err != nil {
			return err
		}
	}
	return Gates(&s.Test, known)
}

// parseBenchTime reads a duration, or a number of operations with an x after it.
func parseBenchTime(text string) (time.Duration, int, error) {
	if number, found := strings.CutSuffix(text, "x"); found {
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			return 0, n, nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, 0, nil
	}
	return 0, 0, fail.New(fail.BadInput, "--benchtime %q: want a duration over 0 or a number of operations", text).
		WithHint("for example 100ms or 500x")
}
