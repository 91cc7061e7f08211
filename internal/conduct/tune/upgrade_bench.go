package tune

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/judge"
)

// BenchTrial is benchmarks that releases of Go are tried on.
type BenchTrial struct {
	// Task says how they are measured: its Toolchain is empty, its Budget that of each release, and of the parts of one
	// in a package. Its sides are those of each comparison.
	Task gobench.Task

	temp string
}

// Upgrade measures the benchmarks built by each of the toolchains, against the first one. Where one differs,
// the newer release is compared with itself without each of its parts. Errors are those of gobench.Run; with
// one there may be a result.
func (t BenchTrial) Upgrade(ctx context.Context, toolchains []string) (*tuning.Upgrade, error) {
	dir, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	t.temp = dir.Path
	v, err := t.variant()
	if err != nil {
		return nil, err
	}
	u, err := chooseToolchains(ctx, v, t.Task.WorkDir, toolchains)
	if err != nil || len(u.Toolchains) < 2 {
		return u, err
	}
	for _, newer := range u.Toolchains[1:] {
		rows, err := t.against(ctx, v, u.Toolchains[0], newer)
		u.Benchmarks = append(u.Benchmarks, rows...)
		if err != nil {
			return u, err
		}
	}
	return u, nil
}

// variant has the environment and the flags that test binaries are built with.
func (t BenchTrial) variant() (build.Variant, error) {
	all, err := t.Task.Options.Apply([]build.Variant{{Name: "A", Source: t.Task.WorkDir}}, nil)
	if err != nil {
		return build.Variant{}, err
	}
	return all[0], nil
}

// against compares two releases, and finds the parts of what differs.
func (t BenchTrial) against(ctx context.Context, v build.Variant, older, newer string) ([]tuning.UpgradeBenchmark,
	error) {
	result, err := t.compare(ctx, older, newer, tuning.Setting{})
	if result == nil {
		return nil, err
	}
	var rows []tuning.UpgradeBenchmark
	for _, b := range result.Benchmarks {
		rows = append(rows,
			tuning.UpgradeBenchmark{Toolchain: newer, Package: b.Package, Name: b.Name, Verdicts: b.Verdicts})
	}
	for _, f := range result.Failures {
		rows = append(rows, tuning.UpgradeBenchmark{Toolchain: newer, Package: f.Package, Name: f.Name,
			Failure: inOneLine(fmt.Errorf("side %s: %s", f.Side, f.Text))})
	}
	if err != nil {
		return rows, err
	}
	for _, p := range packagesThatDiffer(rows) {
		if err := t.parts(ctx, v, older, newer, p, rows); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// benchPartMeasures are those of benchmarks whose change is divided among the parts of a release.
var benchPartMeasures = []judge.Measure{measure.OperationTime, measure.OperationCPU, measure.OperationBytes}

// toDivide are the measures of a benchmark that differ and can be divided.
func toDivide(r tuning.UpgradeBenchmark) (keys []string) {
	for _, m := range benchPartMeasures {
		if slices.ContainsFunc(r.Verdicts,
			func(v judge.Verdict) bool { return v.Measure.Key == m.Key && v.Word.Different() }) {
			keys = append(keys, m.Key)
		}
	}
	return keys
}

// packagesThatDiffer are those with a benchmark that differs.
func packagesThatDiffer(rows []tuning.UpgradeBenchmark) (all []string) {
	for _, r := range rows {
		if len(toDivide(r)) > 0 && !slices.Contains(all, r.Package) {
			all = append(all, r.Package)
		}
	}
	return all
}

// parts divides the changes of the benchmarks of a package. What goes wrong with one package is said in its rows.
func (t BenchTrial) parts(ctx context.Context, v build.Variant, older, newer, pkg string,
	rows []tuning.UpgradeBenchmark) error {
	found := tuning.UpgradeParts{From: older, To: newer}
	settings, err := partsOf(ctx, v, older, newer, t.builder(pkg), &found)
	if ctx.Err() != nil {
		return err
	}
	t.Task.Packages = []string{pkg}
	t.Task.Pattern = onlyThose(t.Task.Pattern, rows, pkg)
	t.Task.OneStage = true
	effects := map[string][]tuning.Effect{}
	if err == nil && len(settings) > 0 {
		effects, err = t.without(ctx, newer, append([]tuning.Setting{{Name: older, Toolchain: older}}, settings...))
	}
	if err != nil {
		if found.Failure = inOneLine(err); ctx.Err() != nil {
			return err
		}
	}
	for i, r := range rows {
		if r.Package != pkg || len(toDivide(r)) == 0 {
			continue
		}
		own := found
		for _, key := range toDivide(r) {
			if d, ok := divide(effects[r.Name], key); ok {
				own.Measures = append(own.Measures, d)
			}
		}
		if len(own.Measures) == 0 && len(settings) > 0 {
			own.Failure = cmp.Or(own.Failure, noneDivided)
		}
		rows[i].Parts = &own
	}
	return nil
}

// without compares the newer release as it is, A, with it in each of some settings, B: the effects by benchmark. All
// intervals hold at once.
func (t BenchTrial) without(ctx context.Context, newer string, settings []tuning.Setting) (map[string][]tuning.Effect,
	error) {
	n := len(settings)
	t.Task.Alpha = judge.Options{Alpha: t.Task.Alpha}.WithDefaults().Alpha / float64(n)
	t.Task.Budget /= time.Duration(n)
	effects := map[string][]tuning.Effect{}
	for i, s := range settings {
		t.Task.Progress.Phase(fmt.Sprintf("which part of %s: %d of %d, %s", newer, i+1, n, s.Name), 0)
		result, err := t.compare(ctx, newer, cmp.Or(s.Toolchain, newer), s)
		if err != nil {
			return nil, err
		}
		for _, b := range result.Benchmarks {
			if i == 0 || effects[b.Name] != nil { // the older release comes first
				effects[b.Name] = append(effects[b.Name], tuning.Effect{Setting: s, Verdicts: b.Verdicts})
			}
		}
	}
	return effects, nil
}

// compare holds the benchmarks built by one toolchain, A, against those by another one with a setting, B.
func (t BenchTrial) compare(ctx context.Context, a, b string, s tuning.Setting) (*benchmarks.Result, error) {
	r := t.Task
	r.Vs, r.NoReach = "."+string(filepath.Separator), true
	r.Options.Toolchain = "A=" + a + ",B=" + b
	r.Options.Env = slices.Clone(r.Options.Env)
	for _, entry := range slices.Concat(s.BuildEnv, s.Env) {
		r.Options.Env = append(r.Options.Env, "B:"+entry)
	}
	dir, err := os.MkdirTemp(t.temp, "results-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for results: %w", err)
	}
	r.Out, r.Home = [2]string{filepath.Join(dir, "A.txt"), filepath.Join(dir, "B.txt")}, ""
	return gobench.Run(ctx, r)
}

// builder builds the test binary of a package.
func (t BenchTrial) builder(pkg string) builder {
	return func(ctx context.Context, v build.Variant) (executable, error) {
		t.Task.Progress.Phase(fmt.Sprintf("build the tests of %s by %s: %s", pkg, v.Toolchain, v.Name), 0)
		b := executable{path: filepath.Join(t.temp, v.Name+".test"), dir: v.Source}
		args := slices.Concat([]string{"test", "-c", "-trimpath", "-o", b.path}, v.BuildFlags, []string{"--", pkg})
		_, _, err := gocommand.Ask(ctx, build.Env(v), b.dir, args...)
		return b, err
	}
}

// onlyThose is a pattern for the benchmark functions of a package that differ, at the levels below as the
// given one says.
func onlyThose(pattern string, rows []tuning.UpgradeBenchmark, pkg string) string {
	var names []string
	for _, r := range rows {
		if r.Package == pkg && len(toDivide(r)) > 0 {
			function, _, _ := strings.Cut(benchmarks.WithoutProcs(r.Name), "/")
			if name := regexp.QuoteMeta(function); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	all := "^Benchmark(" + strings.Join(names, "|") + ")$"
	if _, below, deep := strings.Cut(pattern, "/"); deep && !strings.Contains(pattern, "|") {
		all += "/" + below
	}
	return all
}
