package fix

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/gotest"
	"github.com/gohone/hone/internal/program/sources"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// Compare holds benchmarks of one directory against those of another, the first being A, and keeps that in the ledger.
type Compare func(s spec.Spec, packages []string, dirs [2]string) (*benchmarks.Result, error)

// byBenchmarks is hone fix --bench: the findings are those of the benchmarks' profiles, and benchmarks measure the
// rewrites.
func (c *command) byBenchmarks(cmd *cobra.Command, args []string) error {
	packages, rest := app.SplitAtDash(cmd, args)
	others := spec.Of(cmd.Flags()).OnlyFor(spec.ForFix, spec.ForBench)
	if len(rest) > 0 {
		others = append(others, "--")
	}
	if len(others) > 0 {
		return fail.New(fail.BadInput, "%s with --bench: no service is started and loaded", strings.Join(others, ", ")).
			WithHint("leave it out, or measure a service: hone fix ./cmd/server")
	}
	if len(packages) == 0 {
		packages = []string{"."}
	}
	c.words = append(slices.Clone(packages), "--bench", c.Bench.Pattern)
	here, err := app.WorkDir()
	if err != nil {
		return err
	}
	branch, err := git.OpenNewBranch(c.Ctx, here, "hone/fix-benchmarks")
	if err != nil && !c.dry {
		return err
	}
	found, all, err := c.planBenchmarks(here, packages)
	if err != nil {
		return err
	}
	if c.dry || len(all) == 0 {
		return cmp.Or(c.show(found), c.nothing(found))
	}
	by := tune.Benchmarks{Dir: build.ModuleRoot(here), Base: branch.Base, Alpha: c.Alpha,
		Compare: func(dirs [2]string, packages []string, pattern string, budget time.Duration,
			alpha float64) (*benchmarks.Result, error) {
			var s spec.Spec
			s.Program.Options, s.Ledger, s.Quiet, s.Seed = c.Program.Options, c.Ledger, c.Quiet, c.Seed
			s.Budget, s.Alpha, s.Bench.Pattern = budget, alpha, pattern
			return c.compare(s, packages, dirs)
		}}
	progress := c.Progress(c.Quiet)
	repeat := func(before, after string) string {
		line := spec.Join(append([]string{"hone", "bench"}, append(c.words, "--vs", before[:min(12, len(before))])...))
		if after != "" {
			line = "git switch --detach " + after[:min(12, len(after))] + " && " + line
		}
		return line
	}
	return c.fix(found, all, branch, repeat, func(f tune.Fixing) error {
		f.By, f.Progress = by, progress
		defer progress.Clear()
		return f.Fix(c.Ctx, all)
	})
}

// mostBenchmarks is how many benchmarks measure one rewrite: those that the finding costs most. They share the budget.
const mostBenchmarks = 4

// shown is a finding of one benchmark or several.
type shown struct {
	finding advice.Finding
	of      *record.Run
	by      []tune.Benchmark // the one that it costs most first
}

// planBenchmarks are the findings of the benchmarks that have a rewrite, and what a report says of all.
func (c *command) planBenchmarks(here string, packages []string) (*tuning.Fix, []*tune.Candidate, error) {
	variants, err := c.Program.Options.Apply([]build.Variant{{Name: "A", Source: "."}}, nil)
	if err != nil {
		return nil, nil, err
	}
	v := variants[0]
	progress := c.Progress(c.Quiet)
	defer progress.Clear()
	profiled, err := gotest.Profile(c.Ctx, gotest.Task{Dir: here, Env: build.Env(v), Flags: v.BuildFlags,
		Packages: packages}, c.Bench.Pattern, func(what string) { progress.Phase(what, 0) }, progress.Warn)
	if err != nil {
		return nil, nil, err
	}
	found := &tuning.Fix{Schema: tuning.FixSchema, Benchmarks: spec.Join(c.words), Planned: true}
	var all []shown
	for _, p := range profiled {
		run := &record.Run{}
		run.Binary = build.Binary{Variant: v, Dir: p.Dir, Package: p.Package, Module: p.Module}
		some, err := advice.Find(c.viewOf(p, *run))
		if err != nil {
			return nil, nil, err
		}
		if some.Samples < prof.FewestSamples {
			found.FewSamples = append(found.FewSamples, p.Name)
		}
		all = add(all, some.Findings, run, tune.Benchmark{Package: p.Package, Name: p.Name})
	}
	slices.SortStableFunc(all, func(a, b shown) int { return cmp.Compare(b.finding.Cost, a.finding.Cost) })
	var candidates []*tune.Candidate
	for i, s := range all {
		one, err := c.list(found, i+1, s.finding, s.of)
		if err != nil {
			return nil, nil, err
		}
		if one != nil {
			one.Benchmarks = s.by[:min(mostBenchmarks, len(s.by))]
			candidates = append(candidates, one)
		}
	}
	return found, candidates, nil
}

// add adds the findings of a benchmark to those of others: one of the same rule at the same line is the same. What a
// benchmark does itself is none.
func add(all []shown, some []advice.Finding, run *record.Run, by tune.Benchmark) []shown {
	for _, f := range some {
		if strings.HasSuffix(f.Place.File, "_test.go") {
			continue
		}
		f.Title = strings.ReplaceAll(f.Title, "per execution", "per operation") // which a benchmark repeats
		i := slices.IndexFunc(all, func(s shown) bool { return s.finding.Rule == f.Rule && s.finding.Place == f.Place })
		switch {
		case i < 0:
			all = append(all, shown{f, run, []tune.Benchmark{by}})
		case all[i].finding.Cost < f.Cost:
			all[i] = shown{f, run, append([]tune.Benchmark{by}, all[i].by...)}
		default:
			all[i].by = append(all[i].by, by)
		}
	}
	return all
}

// viewOf is what the rules look at of a benchmark. The source is that of the files as they are now, without tests: the
// loop of a benchmark, which does the same again and again, is none of the program.
func (c *command) viewOf(p gotest.Profiled, run record.Run) *facts.View {
	v := record.ViewOf(run, map[string]prof.Capture{"cpu": p.CPU, "allocs": p.Allocs}, nil, nil)
	v.ModuleDir = p.ModuleDir
	source := sources.New(c.Ctx, sources.Program{Module: p.Module, ModuleDir: p.ModuleDir, Own: true}, p.Dir)
	isTest := func(file string) bool { return strings.HasSuffix(file, "_test.go") }
	v.Source = func(file string) ([]byte, error) {
		if isTest(file) {
			return nil, fs.ErrNotExist
		}
		return source.Source(file)
	}
	v.Siblings = func(dir string) []string { return slices.DeleteFunc(source.Siblings(dir), isTest) }
	return v
}
