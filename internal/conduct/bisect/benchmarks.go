package bisect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// Benchmarks are benchmarks of go test, as a Measurer.
type Benchmarks struct {
	// Task is how hone bench would measure them; its sides and files are those of each comparison.
	Task gobench.Task
	// Keep stores a comparison in two stages, and gives the result its ID; Files are where its results go. Nil: none is
	// stored.
	Keep  func(*benchmarks.Result, error) error
	Files func() [2]string

	trees *trees
	ends  [2]string
	dirs  []string // of the packages that have the benchmarks
}

// Prepare implements Measurer.
func (b *Benchmarks) Prepare(ctx context.Context, t *trees, good, bad git.Commit) (dirs []string, err error) {
	if len(b.Task.Packages) == 0 {
		b.Task.Packages = []string{"."}
	}
	b.trees = t
	b.ends = [2]string{good.Hash, bad.Hash}
	b.trees.keep(b.ends[:]...)
	if err := b.trees.checkOut(ctx, bad.Hash); err != nil {
		return nil, err
	}
	env, flags := b.build()
	if b.dirs, err = b.trees.packageDirs(ctx, bad.Hash, env, flags, b.Task.Packages...); err != nil {
		return nil, fail.New(fail.BadInput, "find the packages %s at %s: %w", strings.Join(b.Task.Packages, " "),
			bad.Short(), err).
			WithHint("name packages as for go test")
	}
	if dirs, err = b.trees.builtFrom(ctx, b.ends[:], env, append(flags, "-test"), b.Task.Packages...); err != nil {
		return nil, err
	}
	b.trees.prepare = b.carry
	return dirs, b.trees.discard(b.ends[:]...)
}

// build is the environment and the flags of the build of the later side.
func (b *Benchmarks) build() (env, flags []string) {
	variants, err := b.Task.Options.Apply([]build.Variant{{Name: "A"}, {Name: "B"}}, nil)
	if err != nil {
		return os.Environ(), nil // what is wrong with the options the first comparison says
	}
	return build.Env(variants[1]), variants[1].BuildFlags
}

// Matters implements Measurer. Test files of other packages are not compiled; with the tests of one end, no other ones
// are.
func (b *Benchmarks) Matters(file string, built bool) bool {
	name, dir := path.Base(file), path.Dir(file)
	switch {
	case name == "go.mod", name == "go.work", strings.HasPrefix(dir+"/", "vendor/"):
		return true
	case strings.HasSuffix(name, "_test.go"):
		return b.Task.Tests == "" && slices.Contains(b.dirs, dir)
	case strings.HasSuffix(name, ".go"):
		return built
	}
	// A benchmark reads what lies in its directory, testdata for one.
	return build.MayBeRead(file) || slices.ContainsFunc(b.dirs, func(of string) bool {
		return strings.HasPrefix(dir+"/", path.Join(of, "testdata")+"/")
	})
}

// Compare implements Measurer.
func (b *Benchmarks) Compare(ctx context.Context, one, other git.Commit, q Question) (*Reply, error) {
	if q.Probe && other.Hash != b.ends[1] {
		same, err := b.sameAsBad(ctx, other, q)
		if err != nil || same != nil {
			return same, err
		}
	}
	r, err := b.taskOf(ctx, one, other, q)
	if err != nil {
		return b.read(nil, err, q) // a checkout that tests cannot be carried to is not measured
	}
	result, err := gobench.Run(ctx, r)
	if ctx.Err() != nil {
		return nil, fail.New(fail.Interrupted, "interrupted")
	}
	c, err := b.read(result, err, q)
	if q.Target == nil && b.Task.Tests == "" && err == nil && result != nil {
		return b.withOtherTests(ctx, one, other, result, c)
	}
	return c, err
}

// withOtherTests compares both ends with the test files of one of them, if no benchmark could be compared as it is: one
// that is new at the bad end with those of that end, one that changed with the older ones first, since they are more
// likely to build.
func (b *Benchmarks) withOtherTests(ctx context.Context, good, bad git.Commit, result *benchmarks.Result,
	c *Reply) (*Reply, error) {
	ends := []string{"A", "B"}
	switch {
	case len(c.Verdicts) > 0 || c.Same:
		return c, nil
	case slices.ContainsFunc(result.Benchmarks, func(one benchmarks.Benchmark) bool {
		return one.Word() == benchmarks.ItselfChanged
	}):
	case slices.ContainsFunc(result.OneSided, func(o benchmarks.OneSided) bool { return o.Side == "B" }):
		ends = ends[1:]
	default:
		return c, nil
	}
	why := c.Refused
	for _, end := range ends {
		b.Task.Tests = end
		if err := b.trees.discard(b.ends[:]...); err != nil { // both get other tests
			return nil, err
		}
		c, err := b.Compare(ctx, good, bad, Question{})
		if err != nil || c.Refused == "" {
			if c != nil {
				c.Note = fmt.Sprintf("%s: each commit is measured with the benchmarks of the %s end (--tests %s)", why,
					map[string]string{"A": "good", "B": "bad"}[end], end)
			}
			return c, err
		}
	}
	b.Task.Tests = ""
	return c, nil
}

// sameAsBad is a comparison that says that a commit has the code of the bad end, where that is so: nothing need be
// measured then.
func (b *Benchmarks) sameAsBad(ctx context.Context, c git.Commit, q Question) (*Reply, error) {
	r, err := b.taskOf(ctx, git.Commit{Hash: b.ends[1]}, c, q)
	if err != nil {
		return b.read(nil, err, q)
	}
	r.OnlyCode, r.All = true, false
	result, err := gobench.Run(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, fail.New(fail.Interrupted, "interrupted")
	case err != nil || result == nil || len(result.Failures) > 0:
		return nil, nil // the comparison with the good end says what is wrong
	}
	if unchanged(result, q.Target) {
		return &Reply{SameAsBad: true, Go: [2]string{result.Sides[0].GoVersion, result.Sides[1].GoVersion}}, nil
	}
	return nil, nil
}

// unchanged says whether the benchmark of a target has the same code on both sides.
func unchanged(r *benchmarks.Result, t *commitsearch.Target) bool {
	function, _, _ := strings.Cut(t.Benchmark, "/")
	return slices.ContainsFunc(r.Unchanged, func(u benchmarks.Unchanged) bool {
		return u.Package == t.Package && u.Name == benchmarks.WithoutProcs(function)
	})
}

// taskOf is that of one comparison.
func (b *Benchmarks) taskOf(ctx context.Context, one, other git.Commit, q Question) (gobench.Task, error) {
	if err := b.trees.checkOut(ctx, one.Hash, other.Hash); err != nil {
		return gobench.Task{}, err
	}
	r := b.Task
	r.WorkDir, r.Vs, r.Home, r.Tests = b.trees.in(other.Hash), b.trees.in(one.Hash), "", ""
	r.NoReach = true
	for i, side := range []string{"A", "B"} {
		r.Out[i] = filepath.Join(b.trees.temp.Path, side+".txt")
		if err := os.Remove(r.Out[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	if !q.Probe && b.Files != nil {
		r.Out, r.Home = b.Files(), b.Task.Home
	}
	if q.Target == nil {
		r.KeepProfiles = nil // of a single benchmark only
	} else {
		r.Packages, r.Pattern = []string{q.Target.Package}, benchtext.Exactly(benchmarks.WithoutProcs(q.Target.Benchmark))
		r.All = r.All && !q.Probe
		if m := q.Target.Measure; m == measure.OperationAllocs || m == measure.OperationBytes {
			r.Layouts = 1 // no link order moves them
		}
	}
	if q.Probe {
		r.OneStage, r.Gates, r.KeepProfiles = true, []gate.Gate{limitAt(q.Target.Measure, q.Limit)}, nil
		r.Budget, r.Alpha = q.Budget, probeAlpha
	}
	return r, nil
}

// limitAt is a gate that is settled when a measure lies on one side of a change, a fraction.
func limitAt(m judge.Measure, change float64) gate.Gate {
	op := limit.AtMost
	if m.Better == judge.Higher {
		op = limit.AtLeast
	}
	return gate.Gate{Text: fmt.Sprintf("%s%s%+.3f%%", m.Key, op, 100*change), Measure: m, Op: op, Limit: change,
		Relative: true}
}

// carry gives the checkout of a commit the tests of one end, if those are asked for.
func (b *Benchmarks) carry(ctx context.Context, commit string) error {
	end := map[string]string{"A": b.ends[0], "B": b.ends[1]}[b.Task.Tests]
	if end == "" || end == commit {
		return nil
	}
	if err := b.trees.ensure(ctx, end); err != nil {
		return err
	}
	from, err := os.OpenRoot(b.trees.root(end))
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(b.trees.root(commit))
	if err != nil {
		return err
	}
	defer to.Close()
	for _, dir := range b.dirs {
		if err := carryTests(from, to, dir); err != nil {
			return fail.New(fail.Or(fail.BadInput, err),
				"carry the tests of %.12s to %.12s: %w (no symbolic link out of a checkout is followed)", end, commit,
				err)
		}
	}
	return nil
}

// read is what a result says of the second commit.
func (b *Benchmarks) read(result *benchmarks.Result, err error, q Question) (*Reply, error) {
	if result == nil {
		if kind := fail.KindOf(err); kind == fail.Subject || kind == fail.BadInput {
			return &Reply{Refused: inOneLine(err.Error())}, nil
		}
		return nil, err
	}
	c := &Reply{Go: [2]string{result.Sides[0].GoVersion, result.Sides[1].GoVersion}}
	if !q.Probe && b.Keep != nil {
		if err := b.Keep(result, err); err != nil {
			return nil, err
		}
		c.ID = result.ID
	}
	if err != nil {
		return nil, err
	}
	if q.Target != nil && unchanged(result, q.Target) {
		c.Same = true
		return c, nil
	}
	c.Same = q.Target == nil && len(result.Benchmarks) == 0 && len(result.Unchanged) > 0
	for _, one := range result.Benchmarks {
		if len(one.Verdicts) == 0 || one.Word() == benchmarks.ItselfChanged {
			continue
		}
		for _, v := range one.Verdicts {
			c.Verdicts = append(c.Verdicts, commitsearch.TargetVerdict{Target: commitsearch.Target{Package: one.Package,
				Benchmark: one.Name, Measure: v.Measure}, Verdict: v})
		}
		if q.Target != nil {
			c.Benchmark = &one
		}
	}
	if len(c.Verdicts) == 0 && !c.Same {
		c.Refused = refusal(result)
	}
	return c, nil
}

// refusal says why a result has no verdict.
func refusal(r *benchmarks.Result) string {
	changed := slices.IndexFunc(r.Benchmarks, func(one benchmarks.Benchmark) bool {
		return one.Word() == benchmarks.ItselfChanged
	})
	switch {
	case len(r.Failures) > 0:
		return failed(r.Failures[0])
	case changed >= 0:
		return fmt.Sprintf("benchmark %s itself changed", r.Benchmarks[changed].Name)
	case len(r.OneSided) > 0:
		return fmt.Sprintf("benchmark %s: %s", r.OneSided[0].Name, r.OneSided[0].Text)
	case len(r.Skipped) > 0:
		return fmt.Sprintf("benchmark %s is skipped: %s", r.Skipped[0].Name, r.Skipped[0].Reason)
	}
	return "no benchmark was measured: " + r.Stopped
}

// failed is a failure in one line.
func failed(f benchmarks.Failure) string { return inOneLine(f.Text + "\n" + f.Output) }

// inOneLine is the first line of a text of several, with the first line that the compiler names a fault in.
func inOneLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return lines[0] + ": " + line
		}
	}
	return lines[0]
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Command implements Measurer.
func (b *Benchmarks) Command(one, other string, t commitsearch.Target) string {
	again := spec.Line{"bench", t.Package, "--bench=" + benchtext.Exactly(benchmarks.WithoutProcs(t.Benchmark)),
		fmt.Sprintf("--vs=%.12s", one)}.String()
	if again == "" {
		return ""
	}
	return fmt.Sprintf("git worktree add ../%.12s %.12s && cd ../%.12s && %s", other, other, other, again)
}
