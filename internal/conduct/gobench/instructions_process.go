package gobench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// valgrind is the program that counts instructions.
type valgrind struct{ path, version string }

// findValgrind looks for valgrind in PATH, before anything is built.
func findValgrind(ctx context.Context) (valgrind, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return valgrind{}, fail.New(fail.Environment,
			"valgrind is not in PATH; its tool callgrind counts the instructions").
			WithHint("install it (apt-get install valgrind, dnf install valgrind), or measure time: hone bench without --instructions")
	}
	e, err := program{path: path, env: os.Environ()}.run(ctx, "--version")
	if err != nil {
		return valgrind{}, fail.New(fail.Environment, "ask %s for its version: %w\n%s", path, err, e.lastWords()).
			WithHint("repair or reinstall it (apt-get install valgrind), or measure time: hone bench without --instructions")
	}
	return valgrind{path, strings.TrimPrefix(strings.TrimSpace(e.stdout), "valgrind-")}, nil
}

// callgrindFlags are those of every run. Lines are not kept apart, which makes smaller files;
// levels of a recursion are not told apart, which would give one function several names.
var callgrindFlags = []string{"--tool=callgrind", "--dump-line=no", "--separate-recs=1", "--demangle=no"}

// steady is added to GODEBUG. Valgrind 3.19 was seen to crash when Go interrupts a goroutine by a
// signal, and with several threads that run Go code at the same time.
const steady = "asyncpreemptoff=1"

// noCollector keeps the garbage collector off, unless the heap grows to a gigabyte or the
// environment has a GOGC: a collection is a large step that comes sooner or later by the clock, so
// that runs of a benchmark that allocates differed by 2 to 3 %, and by 0.3 to 0.8 % without.
var noCollector = []string{"GOGC=off", "GOMEMLIMIT=1GiB"}

// valgrindSettings are what a benchmark gets under valgrind beside its environment: one
// processor, steady, and without collector.
func valgrindSettings(env []string) []string {
	debug, collector := steady, noCollector
	for _, e := range env { // the last one counts
		if value, is := strings.CutPrefix(e, "GODEBUG="); is && value != "" {
			debug = value + "," + steady
		}
		if strings.HasPrefix(e, "GOGC=") {
			collector = nil
		}
	}
	return append([]string{"GODEBUG=" + debug, "GOMAXPROCS=1"}, collector...)
}

// errSlow says that a process was ended because it took too long.
var errSlow = errors.New("ran for too long and was ended")

// profile runs a benchmark under callgrind with n iterations.
func (c *counting) profile(ctx context.Context, b *counted, side, n int) (*callgrind.Profile, error) {
	out := filepath.Join(c.temp, "callgrind.out")
	binary := b.pkg.binaries[side]
	args := append(slices.Clone(callgrindFlags), "--callgrind-out-file="+out, binary.path, "-test.run=^$",
		"-test.bench="+Exactly(b.name), "-test.benchtime="+strconv.Itoa(n)+"x", "-test.count=1", "-test.cpu=1")
	limited, cancel := context.WithTimeout(ctx, c.task.Timeout) // the testing package limits tests only
	defer cancel()
	e, err := program{path: c.valgrind.path, dir: binary.dir,
		env: append(slices.Clone(binary.env), valgrindSettings(binary.env)...)}.run(limited,
		append(args, c.task.Args...)...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && err != nil:
		return nil, c.underValgrind(b, side, n, fmt.Errorf("%w: --timeout %s", errSlow, c.task.Timeout), e)
	case errors.As(err, &exit):
		return nil, c.underValgrind(b, side, n, exit, e)
	case err != nil:
		return nil, err
	case named(scan(e.stdout), b.name) == nil:
		return nil, c.underValgrind(b, side, n, errors.New("it printed no result"), e)
	}
	f, err := inputs.Instructions.Open(out)
	if err != nil {
		return nil, c.underValgrind(b, side, n, fmt.Errorf("callgrind wrote nothing: %w", err), e)
	}
	defer os.Remove(out)
	defer f.Close()
	p, err := callgrind.Read(f)
	if err != nil {
		return nil, c.underValgrind(b, side, n, fmt.Errorf("what callgrind wrote: %w", err), e)
	}
	return p, nil
}

// underValgrind is the failure of a benchmark that ran by itself and fails under valgrind.
func (c *counting) underValgrind(b *counted, side, n int, why error, e ending) error {
	err := c.failure(side, "benchmark %s of %s fails under valgrind %s, and runs without: %w\n%s\n"+
		"by itself: go test -c -o bench.test %s && %s valgrind --tool=callgrind ./bench.test -test.run '^$' -test.bench '%s' -test.benchtime %dx",
		b.name, b.pkg.path, c.valgrind.version, why, e.lastWords(), b.pkg.path,
		strings.Join(valgrindSettings(b.pkg.binaries[side].env), " "), Exactly(b.name), n)
	switch said := e.stderr + e.stdout; {
	case errors.Is(why, errSlow):
		return err.WithHint("valgrind is about 50 times slower: raise --timeout, name fewer operations (--benchtime %dx), or leave it out with --skip", max(1, n/10))
	case strings.Contains(said, "unhandled instruction") || strings.Contains(said, "SIGILL"):
		return err.WithHint("this valgrind does not know an instruction of the program: a newer valgrind may, or GODEBUG=cpu.avx2=off " +
			"(--env); hone bench without --instructions measures time")
	default:
		return err.WithHint("leave it out with --skip, or measure time: hone bench without --instructions")
	}
}
