package reach

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
)

// CounterFlags are the flags of go build, and of go test -c, for counters in packages, which can be cleared.
func CounterFlags(packages []string) []string {
	return []string{"-cover", "-covermode=atomic", "-coverpkg=" + strings.Join(packages, ",")}
}

// TestBinary is a test binary with counters.
type TestBinary struct {
	path string
	side Side
	dir  string // of the package: tests run there
	runs int
}

// BuildTests builds the test binary of a package of a side, with counters in packages, as out.
func BuildTests(ctx context.Context, s Side, packages []string, out string) (*TestBinary, error) {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", out}, CounterFlags(packages), s.Flags,
		[]string{"-buildvcs=false"}, s.Targets) // after -- go test sees no packages
	if _, complaint, err := gocommand.Ask(ctx, s.Env, s.Dir, args...); err != nil {
		return nil, errors.Join(err, errors.New(output.LastLines(complaint)))
	}
	answer, _, err := gocommand.Ask(ctx, s.Env, s.Dir,
		slices.Concat([]string{"list", "-f", "{{.Dir}}"}, s.Flags, []string{"--"}, s.Targets)...)
	return &TestBinary{path: out, side: s, dir: strings.TrimSpace(string(answer))}, err
}

// Run runs some of its tests, or benchmarks, and returns what they have counted, with what runs before them. failed says
// how it ended, if not well; then what it had counted by then may be lost.
func (b *TestBinary) Run(ctx context.Context, args ...string) (c Counters, failed, err error) {
	b.runs++
	profile := b.path + "." + strconv.Itoa(b.runs) + ".cover"
	defer func() { _ = os.Remove(profile) }()
	cmd := exec.CommandContext(ctx, b.path, slices.Concat([]string{"-test.coverprofile=" + profile}, args)...)
	cmd.Dir, cmd.Env = b.dir, gocommand.Env(b.side.Env, b.dir)
	text, failed := lifetime.WithOutput(cmd, lifetime.Run)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if _, err := os.Stat(profile); err != nil && failed != nil {
		return nil, fail.New(fail.Subject, "run %s %s: %w\n%s", filepath.Base(b.path), strings.Join(args, " "), failed,
			output.LastLines(text)), nil
	}
	c, err = ReadCounters(profile)
	return c, failed, err
}

// Arguments of a test binary.
var (
	// NoTests runs what comes before all tests and benchmarks.
	NoTests = []string{"-test.run=^$"}
	// AllTests runs all tests, and the seeds of fuzz tests.
	AllTests = []string{"-test.run=."}
)

// OneBenchmark runs a benchmark with its sub-benchmarks once.
func OneBenchmark(name string) []string {
	return []string{"-test.run=^$", "-test.bench=^" + name + "$", "-test.benchtime=1x"}
}
