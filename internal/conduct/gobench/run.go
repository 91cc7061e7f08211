package gobench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/instructions"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// measurement is one call of Run.
type measurement struct {
	task     Task
	sides    [2]*sources.Side
	procs    []int
	rng      *rand.Rand
	empty    map[emptyKey]time.Duration
	temp     string // directory of the binaries; removed at the end
	compared []*pkg // whose code is compared
	benches  []*bench
	sinks    [2]*sink
	result   *benchmarks.Result
	stored   []*benchmarks.Result  // the latest comparisons; nil before they are asked for
	outside  string                // what to do about what a checkout lacks; "" if it lacks nothing
	valgrind instructions.Valgrind // that counts the instructions

	planted   *planted         // nil but to prove a gate
	linked    linked           // what the pools of link orders are made with
	referee   *compare.Referee // of the rounds
	gauge     *machine.Gauge
	blockTime time.Duration // of the turns of a block
	worked    time.Duration // that was spent on counting what operations execute
}

// Run builds and measures. The result is not nil as soon as there is anything to show,
// with an error too; the files of results have whatever was measured.
//
// A package that does not build and a benchmark that fails or prints no result do not end
// the measurement: they are among the Failures of the result.
//
// Errors: fail.BadInput for packages, refs and flags; fail.Environment; fail.Storage;
// fail.Interrupted when ctx is done.
func Run(ctx context.Context, r Task) (*benchmarks.Result, error) {
	if r.ProveGate {
		r.Vs = "." + string(filepath.Separator) // A is B without what is planted
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if err := r.checkOut(); err != nil {
		return nil, err
	}
	m := &measurement{task: r.withDefaults(), empty: map[emptyKey]time.Duration{}, procs: r.Procs}
	if r.Instructions {
		var err error
		if m.valgrind, err = instructions.FindValgrind(ctx); err != nil {
			return nil, err
		}
	}
	m.rng = rand.New(rand.NewPCG(r.Seed, 0))
	if len(m.procs) == 0 {
		// Said to both sides: toolchains differ in how they count the CPUs of a container.
		m.procs = []int{runtime.GOMAXPROCS(0)}
	}
	m.procs = slices.Compact(slices.Sorted(slices.Values(m.procs)))
	err := m.all(ctx)
	if ctx.Err() != nil {
		err = fail.New(fail.Interrupted, "interrupted")
		if m.sinks[0] != nil {
			err = fail.New(fail.Interrupted, "interrupted: the results so far are in %s and %s", r.Out[0], r.Out[1])
		}
	}
	if m.result == nil || err != nil && len(m.benches) == 0 && isEmpty(m.result) {
		return nil, err
	}
	findOpenGates(m.result, m.task.Gates)
	return m.result, err
}

// all is everything from the sources to the verdicts.
func (m *measurement) all(ctx context.Context) (err error) {
	if said := lifetime.EndOrphans(); said != "" {
		m.task.Progress.Warn(said)
	}
	temp, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer temp.Remove() // what is left a later hone removes
	if m.sides, err = sources.Find(ctx,
		sources.Origin{WorkDir: m.task.WorkDir, Packages: m.task.Packages, Vs: m.task.Vs, Temp: temp.Path,
			LabelB: m.task.LabelB, Options: m.task.Options}); err != nil {
		return err
	}
	o := m.task.options()
	m.temp = temp.Path
	m.result = &benchmarks.Result{
		Schema: benchmarks.Schema, Sides: [2]benchmarks.Side{m.sides[0].Side, m.sides[1].Side}, Alpha: o.Alpha,
		Delta: o.Delta,
		Seed:  m.task.Seed, Started: time.Now(), Files: m.task.Out, Tests: m.task.Tests,
	}
	if err := m.noteOutside(ctx); err != nil {
		return err
	}
	var found [2][]sources.Listed
	for i, s := range m.sides {
		if s.Note != "" {
			m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: "", Text: s.Label + ": " + s.Note})
		}
		if found[i], err = sources.List(ctx, s, s.Patterns); err != nil {
			return m.explainOutside(i, err)
		}
	}
	packages, gone, notes := pair(found[0], found[1], m.task.Tests)
	m.result.Notes = append(m.result.Notes, notes...)
	m.noteMissing(gone)
	if len(packages) == 0 {
		return m.nothing("no package that is on both sides has benchmarks")
	}
	if m.task.ProveGate {
		if err := m.plant(ctx, packages); err != nil {
			return err
		}
	}
	return m.measureAll(ctx, packages)
}

func (m *measurement) measureAll(ctx context.Context, packages []*pkg) error {
	if err := m.compareAllTests(ctx, packages); err != nil {
		return err
	}
	packages, err := m.build(ctx, packages)
	if err == nil {
		packages, err = m.leaveUnchanged(ctx, packages)
	}
	if err == nil {
		packages, err = m.takeShard(packages)
	}
	if err == nil {
		packages, err = m.leaveUnreached(ctx, packages)
	}
	if err != nil {
		return err
	}
	if m.task.OnlyCode {
		m.result.Stopped = compare.StoppedDecided
		return nil
	}
	if m.task.Instructions {
		return m.countInstructions(ctx, packages)
	}
	for _, p := range packages {
		if err := m.pilot(ctx, p); err != nil {
			return err
		}
	}
	m.executingFirst()
	if ready, err := m.ready(len(packages), len(m.benches)); !ready {
		return err
	}
	if err = m.linkLayouts(ctx, packages); err == nil {
		err = m.rounds(ctx)
	}
	concluded := m.conclude()
	m.askCompiler(ctx)
	err = errors.Join(err, concluded, m.sinks[0].close(), m.sinks[1].close())
	m.leaveOutFailed()
	m.markChanged()
	return err
}

// ready opens the files of results for the rounds over a number of benchmarks of so many packages;
// false where there is nothing to measure, which is an error only if nothing explains it.
func (m *measurement) ready(packages, number int) (ok bool, err error) {
	switch {
	case number == 0 && len(m.result.Failures)+len(m.result.Untimed) > 0:
		m.result.Stopped = benchmarks.StoppedFailed
		return false, nil
	case number == 0 && (len(m.result.Unchanged) > 0 || m.result.Shard != nil):
		m.result.Stopped = compare.StoppedDecided
		return false, nil
	case number == 0:
		return false, m.nothing(fmt.Sprintf("no benchmark that is on both sides matches %q", m.task.Pattern))
	}
	m.machine()
	for i, s := range m.sides {
		if m.sinks[i], err = newSink(m.task.Home, m.task.Out[i], s); err != nil {
			return false, err
		}
	}
	if m.task.Begin != nil {
		m.task.Begin(m.result)
	}
	return true, nil
}

func (m *measurement) nothing(what string) error {
	err := fail.New(fail.BadInput, "%s", what)
	for _, n := range m.result.Notes {
		err = fail.New(fail.BadInput, "%w\n%s", err, strings.TrimSpace(n.Package+" "+n.Text))
	}
	for _, s := range m.result.Skipped {
		err = fail.New(fail.BadInput, "%w\n%s %s is skipped on side %s: %s", err, s.Package, s.Name, s.Side, s.Reason)
	}
	for _, o := range m.result.OneSided {
		err = fail.New(fail.BadInput, "%w\n%s %s %s", err, o.Package, o.Name, o.Text)
	}
	return err.WithHint("go test -list Benchmark ./... lists the benchmarks; name packages as for go test, and another " +
		"ref with --vs")
}

// machine takes what the binaries say of it.
func (m *measurement) machine() {
	r := benchfmt.Result{Config: m.benches[0].config}
	m.result.Goos, m.result.Goarch, m.result.CPU = r.GetConfig("goos"), r.GetConfig("goarch"), r.GetConfig("cpu")
}

// execution is a process of a test binary that runs benchmarks.
type execution struct {
	binaryOf
	pattern string   // of the benchmarks
	procs   int      // GOMAXPROCS
	length  string   // as -test.benchtime has it
	more    []string // flags
}

// run runs a test binary with a pattern for benchmarks and no tests. One that fails is an error with its last lines.
func (m *measurement) run(ctx context.Context, p *pkg, x execution) (process.Ending, error) {
	x.more = append(slices.Clip(x.more), "-test.run=^$")
	limited, cancel := context.WithTimeout(ctx, m.task.Timeout) // the testing package limits tests only
	defer cancel()
	e, err := p.binary(x.binaryOf).Run(limited, m.flags(x)...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() == nil && limited.Err() != nil && err != nil:
		e.Why = fmt.Sprintf("ran for longer than %s and was ended (--timeout)", m.task.Timeout)
	case errors.As(err, &exit):
		e.Why = "failed: " + exit.Error()
	default:
		return e, err
	}
	return e, m.sides[x.side].Failure("benchmark %s of %s %s\n%s", x.pattern, p.path, e.Why, e.LastWords()).
		WithHint("run it alone: go test -run '^$' -bench '%s' -benchtime %s %s%s", x.pattern, x.length, p.path,
			argsOf(m.task.Args))
}

// argsOf is how go test is given the arguments of the test binary.
func argsOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return " -args " + strings.Join(args, " ")
}

// flags are those of a test binary that runs benchmarks, with more before them, and the
// arguments of the user after them.
func (m *measurement) flags(x execution) []string {
	flags := append(slices.Clip(x.more), "-test.bench="+x.pattern, "-test.benchmem", "-test.benchtime="+x.length,
		"-test.count=1", "-test.cpu="+strconv.Itoa(x.procs))
	return append(flags, m.task.Args...)
}

// pattern is what chooses a benchmark alone.
func (b *bench) pattern() string { return benchtext.Exactly(b.plainName()) }

// measure runs one benchmark in a process of its own, with more flags.
func (m *measurement) measure(ctx context.Context, b *bench, of binaryOf, length string,
	more ...string) (*benchfmt.Result, process.Ending, error) {
	e, err := m.run(ctx, b.pkg, execution{of, b.pattern(), b.procs, length, more})
	if err != nil {
		return nil, e, err
	}
	if r := benchtext.Named(benchtext.Scan(e.Stdout), b.name); r != nil {
		return r, e, nil
	}
	return nil, e, m.sides[of.side].Failure("benchmark %s of %s printed no result\n%s", b.name, b.pkg.path, e.LastWords()).
		WithHint("a benchmark that is skipped now and then, or ends the process, cannot be measured: leave it out with "+
			"--skip '%s'", b.pattern())
}

// isEmpty says whether there is nothing to show, if no benchmark was measured.
func isEmpty(r *benchmarks.Result) bool {
	return len(r.Unchanged)+len(r.Failures)+len(r.Untimed) == 0 && r.Reach == nil
}
