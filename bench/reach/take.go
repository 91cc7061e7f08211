package reach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/counters"
	"github.com/gohone/hone/bench/gotest"
)

// side is a tree of a commit at work.
type side struct {
	// root is the root of the module, named module; dir the measured package in it.
	root, module, dir string
	functions         []counters.Function
}

// take asks hone about one commit, and holds that against the counters.
func (c config) take(ctx context.Context, what corpus.Commit) (r record, err error) {
	r = record{Repo: what.Repo, Commit: what.Name()}
	dir, err := os.MkdirTemp(c.Dir, "reach-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := c.clones.CheckOut(ctx, what, dir)
	if err != nil {
		return r, err
	}
	var sides [2]side
	for i, tree := range trees {
		if sides[i], err = read(ctx, tree, what.WorkDir(tree)); err != nil {
			r.LeftOut = cut(err)
			return r, nil
		}
	}
	all := counters.Changes(sides[0].functions, sides[1].functions)
	if len(all) == 0 {
		r.LeftOut = "no function that is linked differs"
		return r, nil
	}
	for i := range sides { // before hone, which would fail, too
		if _, err := gotest.Build(ctx, sides[i].dir, filepath.Join(dir, "try.test")); err != nil {
			r.LeftOut = cut(err)
			return r, nil
		}
	}
	began := time.Now()
	t, err := ask(ctx, c.Hone, sides[1].dir, what.Base())
	r.Seconds = time.Since(began).Seconds()
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	if err != nil {
		r.Refused = cut(err)
		return r, nil
	}
	bench, unmeasured := askBench(ctx, c.Hone, sides[1].dir, what.Base(), dir)
	truth, err := counted(ctx, sides, all, dir)
	if err != nil {
		r.LeftOut = cut(err)
		return r, nil
	}
	r.findings(ctx, t, sides, all, truth)
	bench.check(unmeasured, r.Functions, func(benchmark string) bool { return sameBenchmark(ctx, sides, benchmark) })
	r.Bench = &bench
	return r, ctx.Err()
}

// findings are of all functions that differ.
func (r *record) findings(ctx context.Context, t table, sides [2]side, all []counters.Change, truth []executed) {
	for _, n := range t.Notes {
		r.Notes = append(r.Notes, n.Text)
	}
	for _, what := range t.Hidden {
		r.Hidden = append(r.Hidden, fmt.Sprint(what))
	}
	for i, c := range all {
		of := c.Of()
		f := finding{Name: of.Dir + " " + of.Name, Place: fmt.Sprintf("%s:%d", of.File, of.From), Truth: truth[i]}
		rows := t.of(sides[1].path(of.Dir), c)
		if len(rows) == 0 && truth[i].any() {
			f.SameCode = sameCode(ctx, sides, of)
		}
		f.check(rows, len(t.Hidden) > 0)
		r.Functions = append(r.Functions, f)
	}
}

// path is that of the package in a directory of the module.
func (s side) path(dir string) string {
	if dir == "." {
		return s.module
	}
	return s.module + "/" + dir
}

// read reads the module around a directory, and the functions of its packages that the tests there are linked with.
func read(ctx context.Context, tree, dir string) (s side, err error) {
	// Git says where a tree begins; the temporary directory may lie behind a symbolic link.
	s.dir = dir
	text, err := run1(ctx, dir, "go", "list", "-m", "-f", "{{.Path}}\n{{.Dir}}")
	if err != nil {
		return s, err
	}
	s.module, s.root, _ = strings.Cut(strings.TrimSpace(text), "\n")
	listed, err := run1(ctx, dir, "go", "list", "-deps", "-test", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", ".")
	if err != nil {
		return s, err
	}
	var dirs []string
	for line := range strings.Lines(listed) {
		rel, err := filepath.Rel(s.root, strings.TrimSpace(line))
		if err == nil && filepath.IsLocal(rel) && strings.TrimSpace(line) != "" {
			dirs = append(dirs, filepath.ToSlash(rel))
		}
	}
	s.functions, err = counters.Functions(s.root, dirs)
	return s, err
}

// run1 runs a program and returns what it prints.
func run1(ctx context.Context, dir, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	text, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("%s %s: %w: %s", program, args[0], err, exit.Stderr)
	}
	return string(text), err
}

// cut is an error on one line, of which the begin says enough.
func cut(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	return text[:min(len(text), 400)]
}

// counted writes counters into both sides, runs tests and benchmarks, and says of each change what executed it.
func counted(ctx context.Context, sides [2]side, all []counters.Change, dir string) ([]executed, error) {
	truth := make([]executed, len(all))
	for i, s := range sides {
		var of []counters.Function
		var at []int
		for j, c := range all {
			if f := [2]*counters.Function{c.A, c.B}[i]; f != nil {
				of, at = append(of, *f), append(at, j)
			}
		}
		if len(of) == 0 {
			continue
		}
		if err := counters.Write(s.root, s.module, of); err != nil {
			return nil, err
		}
		b, err := gotest.Build(ctx, s.dir, filepath.Join(dir, fmt.Sprintf("%d.test", i)))
		if err != nil {
			return nil, fmt.Errorf("with counters: %w", err)
		}
		if err := runs(ctx, b, len(of), func(kind, name string, k int) { truth[at[k]].add(kind, name) }); err != nil {
			return nil, err
		}
		// What hone and the compiler are asked after this is the source as it was.
		if _, err := corpus.Git(ctx, s.root, "", "checkout", "--quiet", "--force", "--", "."); err != nil {
			return nil, err
		}
		if _, err := corpus.Git(ctx, s.root, "", "clean", "--quiet", "-fdx"); err != nil {
			return nil, err
		}
	}
	for i := range truth {
		slices.Sort(truth[i].Benchmarks)
		truth[i].Benchmarks = slices.Compact(truth[i].Benchmarks)
	}
	return truth, nil
}

func (e *executed) add(kind, name string) {
	switch kind {
	case "start":
		e.Start = true
	case "tests":
		e.Tests = true
	default:
		e.Benchmarks = append(e.Benchmarks, name)
	}
}

// The time that one process gets, and as much one of hone's. What it has counted until then counts.
const (
	testTime      = 2 * time.Minute
	benchmarkTime = time.Minute
)

// runs runs the tests of a binary, and each benchmark for one operation, in a process each. saw gets what was executed
// more often than in a process that runs neither.
func runs(ctx context.Context, b gotest.Binary, n int, saw func(kind, name string, i int)) error {
	start, err := process(ctx, b, n, testTime, "-test.run=^$")
	if err != nil {
		return err
	}
	for i, count := range start {
		if count > 0 {
			saw("start", "", i)
		}
	}
	beyond := func(kind, name string, counts []uint64) {
		for i, count := range counts {
			if count > start[i] {
				saw(kind, name, i)
			}
		}
	}
	counts, err := process(ctx, b, n, testTime, "-test.run=.")
	if err != nil {
		return err
	}
	beyond("tests", "", counts)
	listed, err := run1(ctx, b.Dir, b.Program, "-test.list=^Benchmark")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(listed) {
		if !strings.HasPrefix(name, "Benchmark") {
			continue
		}
		counts, err := process(ctx, b, n, benchmarkTime, "-test.run=^$", "-test.bench=^"+name+"$", "-test.benchtime=1x")
		if err != nil {
			return err
		}
		beyond("benchmark", strings.TrimPrefix(name, "Benchmark"), counts)
	}
	return ctx.Err()
}

// process runs a test binary and reads its counters, however it ends.
func process(ctx context.Context, b gotest.Binary, n int, d time.Duration, args ...string) ([]uint64, error) {
	file := b.Program + ".counts"
	if err := os.RemoveAll(file); err != nil {
		return nil, fmt.Errorf("remove old counters: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.Program, args...)
	cmd.Dir, cmd.Env = b.Dir, append(os.Environ(), counters.Variable+"="+file)
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // a test that fails has executed what it has
	return counters.Read(file, n)
}
