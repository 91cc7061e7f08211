package instructions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Valgrind is the program that counts instructions.
type Valgrind struct{ path, Version string }

// FindValgrind looks for valgrind in PATH, before anything is built.
func FindValgrind(ctx context.Context) (Valgrind, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return Valgrind{}, fail.New(fail.Environment,
			"valgrind is not in PATH; its tool callgrind counts the instructions").
			WithHint("install it (apt-get install valgrind, dnf install valgrind), or measure time: hone bench without " +
				"--instructions")
	}
	e, err := process.Program{Path: path, Env: os.Environ()}.Run(ctx, "--version")
	if err != nil {
		return Valgrind{}, fail.New(fail.Environment, "ask %s for its version: %w\n%s", path, err, e.LastWords()).
			WithHint("repair or reinstall it (apt-get install valgrind), or measure time: hone bench without --instructions")
	}
	return Valgrind{path, strings.TrimPrefix(strings.TrimSpace(e.Stdout), "valgrind-")}, nil
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

// Settings are what a benchmark gets under valgrind beside its environment: one
// processor, steady, and without collector.
func Settings(env []string) []string {
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

// Emulated is how a benchmark of a side runs under valgrind.
type Emulated struct {
	Side    *sources.Side
	Binary  process.Program
	Pkg     string        // import path of its package
	Name    string        // of the benchmark
	Args    []string      // of the test binary
	Timeout time.Duration // of one process
	File    string        // that callgrind writes
}

// profile runs a benchmark under callgrind with n iterations.
func (v Valgrind) profile(ctx context.Context, r Emulated, n int) (*callgrind.Profile, error) {
	args := append(slices.Clone(callgrindFlags), "--callgrind-out-file="+r.File, r.Binary.Path, "-test.run=^$",
		"-test.bench="+benchtext.Exactly(r.Name), "-test.benchtime="+strconv.Itoa(n)+"x", "-test.count=1", "-test.cpu=1")
	limited, cancel := context.WithTimeout(ctx, r.Timeout) // the testing package limits tests only
	defer cancel()
	e, err := process.Program{Path: v.path, Dir: r.Binary.Dir,
		Env: append(slices.Clone(r.Binary.Env), Settings(r.Binary.Env)...)}.Run(limited,
		append(args, r.Args...)...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && err != nil:
		return nil, v.fails(r, n, fmt.Errorf("%w: --timeout %s", errSlow, r.Timeout), e)
	case errors.As(err, &exit):
		return nil, v.fails(r, n, exit, e)
	case err != nil:
		return nil, err
	case benchtext.Named(benchtext.Scan(e.Stdout), r.Name) == nil:
		return nil, v.fails(r, n, errors.New("it printed no result"), e)
	}
	f, err := inputs.Instructions.Open(r.File)
	if err != nil {
		return nil, v.fails(r, n, fmt.Errorf("callgrind wrote nothing: %w", err), e)
	}
	defer os.Remove(r.File)
	defer f.Close()
	p, err := callgrind.Read(f)
	if err != nil {
		return nil, v.fails(r, n, fmt.Errorf("what callgrind wrote: %w", err), e)
	}
	return p, nil
}

// fails is the failure of a benchmark that ran by itself and fails under valgrind.
func (v Valgrind) fails(r Emulated, n int, why error, e process.Ending) error {
	err := r.Side.Failure("benchmark %s of %s fails under valgrind %s, and runs without: %w\n%s\n"+
		"by itself: go test -c -o bench.test %s && %s valgrind --tool=callgrind ./bench.test -test.run '^$' "+
		"-test.bench '%s' -test.benchtime %dx",
		r.Name, r.Pkg, v.Version, why, e.LastWords(), r.Pkg,
		strings.Join(Settings(r.Binary.Env), " "), benchtext.Exactly(r.Name), n)
	switch said := e.Stderr + e.Stdout; {
	case errors.Is(why, errSlow):
		return err.WithHint("valgrind is about 50 times slower: raise --timeout, name fewer operations (--benchtime %dx), "+
			"or leave it out with --skip", max(1, n/10))
	case strings.Contains(said, "unhandled instruction") || strings.Contains(said, "SIGILL"):
		return err.WithHint("this valgrind does not know an instruction of the program: a newer valgrind may, or " +
			"GODEBUG=cpu.avx2=off (--env); hone bench without --instructions measures time")
	default:
		return err.WithHint("leave it out with --skip, or measure time: hone bench without --instructions")
	}
}
