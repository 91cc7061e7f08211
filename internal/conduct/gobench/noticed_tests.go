package gobench

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/turns"
)

// A program can see that it is benchmarked: by the flag -test.bench, or by hone's variables. Its tests, run as its
// benchmarks are, show whether it still does its work then.

// testsTime is how long the tests of a package may take if the measurement has no budget.
const testsTime = 10 * time.Second

// failedTest is the line of a test that failed, not of a part of it.
var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (Test\S*|Example\S*|Fuzz\S*) `)

// noticed are the tests of a package that fail on B where a benchmark is chosen, pass there without one, and pass on A
// in any case. Tests that end the process, or take longer than the time there is, show nothing.
func (m *measurement) noticed(ctx context.Context, p *pkg, pattern string, procs int) ([]string, error) {
	failed, err := m.testsThatFail(ctx, p, 1, pattern, procs)
	if err != nil || len(failed) == 0 {
		return nil, err
	}
	for _, other := range []struct {
		side    int
		pattern string
	}{{1, ""}, {0, pattern}} {
		also, err := m.testsThatFail(ctx, p, other.side, other.pattern, procs)
		if err != nil || also == nil {
			return nil, err
		}
		failed = slices.DeleteFunc(failed, func(name string) bool { return slices.Contains(also, name) })
	}
	again, err := m.testsThatFail(ctx, p, 1, pattern, procs) // once may be chance
	return slices.DeleteFunc(failed, func(name string) bool { return !slices.Contains(again, name) }), err
}

// testsThatFail runs the tests of a side's binary, with a pattern for benchmarks or without. It is nil, and not empty,
// if the process did not come to its end.
func (m *measurement) testsThatFail(ctx context.Context, p *pkg, side int, pattern string, procs int) ([]string,
	error) {
	limited, cancel := context.WithTimeout(ctx, m.checkTime(testsTime))
	defer cancel()
	flags := []string{"-test.run=.", "-test.skip=^(" + strings.Join(turns.TestNames[:], "|") + ")$", "-test.short",
		"-test.v", "-test.cpu=" + strconv.Itoa(procs)}
	binary := p.binary(binaryOf{side: side})
	if pattern != "" {
		flags = m.flags(execution{pattern: pattern, procs: procs, length: "1x", more: flags[:4]})
		binary.Env = append(slices.Clip(binary.Env), turns.Environ(0)...)
	} else {
		flags = append(flags, m.task.Args...)
	}
	e, err := binary.Run(limited, flags...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, nil
	case err != nil && !errors.As(err, &exit):
		return nil, err
	}
	failed := []string{}
	for _, match := range failedTest.FindAllStringSubmatch(e.Stdout, -1) {
		failed = append(failed, match[1])
	}
	if err != nil && len(failed) == 0 {
		return nil, nil
	}
	return failed, nil
}
