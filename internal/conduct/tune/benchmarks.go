package tune

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// Benchmark is a benchmark function of a package.
type Benchmark struct{ Package, Name string }

// Benchmarks measures rewrites by the benchmarks that show the finding.
type Benchmarks struct {
	// Dir is a directory of the module, in the work tree whose commit Base is.
	Dir, Base string
	// Alpha is the level; 0 is the usual one.
	Alpha float64
	// Compare holds benchmarks of one directory against those of another, the first being A, within a budget and at a
	// level. The pattern is as go test -bench has it.
	Compare func(dirs [2]string, packages []string, pattern string, budget time.Duration,
		alpha float64) (*benchmarks.Result, error)
}

var _ Measurer = Benchmarks{}

// Level is that of the task.
func (b Benchmarks) Level() float64 { return judge.Options{Alpha: b.Alpha}.WithDefaults().Alpha }

// Measure compares the benchmarks of the candidate in checkouts of the commit, without the change and with it. A
// benchmark compares no answers: a change that no test has executed is refused.
func (b Benchmarks) Measure(ctx context.Context, c *Candidate, change *rewrite.Change, found *tuning.Rewritten,
	budget time.Duration, alpha float64) (time.Duration, error) {
	if !found.Tested {
		return 0, fail.New(fail.BadInput, "nothing says that the answers stay the same: %s", found.NotTested).
			WithHint("write a test of the package, and run hone fix again")
	}
	temp, err := tempdir.Make()
	if err != nil {
		return 0, err
	}
	defer temp.Remove() // what is left a later hone removes
	var dirs [2]string
	for i, overlay := range []map[string]string{change.Before(), change.Overlay()} {
		if dirs[i], err = b.checkout(ctx, filepath.Join(temp.Path, string(rune('A'+i))), overlay); err != nil {
			return 0, err
		}
	}
	packages, pattern := chosen(c.Benchmarks)
	r, err := b.Compare(dirs, packages, pattern, budget, alpha)
	if r != nil {
		found.Comparison = r.ID
	}
	if err != nil {
		return 0, err
	}
	return r.Elapsed, judgeByBenchmarks(found, r)
}

// checkout makes the commit's tree with other contents of some files of the work tree, by their absolute paths. It
// returns the directory that stands for Dir.
func (b Benchmarks) checkout(ctx context.Context, root string, overlay map[string]string) (string, error) {
	if err := git.Checkout(ctx, b.Dir, b.Base, root); err != nil {
		return "", err
	}
	below, err := git.Below(ctx, b.Dir)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, filepath.FromSlash(below))
	for path, text := range overlay {
		way, err := filepath.Rel(b.Dir, path)
		if err != nil || !filepath.IsLocal(way) {
			return "", fail.New(fail.BadInput, "%s is outside of the module in %s", path, b.Dir)
		}
		if err := os.WriteFile(filepath.Join(dir, way), []byte(text), 0o600); err != nil {
			return "", fail.New(fail.Or(fail.Environment, err), "write the rewritten file: %w", err)
		}
	}
	return dir, nil
}

// chosen are the packages of benchmarks, and the pattern that chooses them alone.
func chosen(all []Benchmark) (packages []string, pattern string) {
	var names []string
	for _, b := range all {
		if !slices.Contains(packages, b.Package) {
			packages = append(packages, b.Package)
		}
		if name := strings.TrimPrefix(b.Name, "Benchmark"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return packages, "^Benchmark(" + strings.Join(names, "|") + ")$"
}

// judgeByBenchmarks reads what benchmarks say of a change: it pays if one of them is faster, none is slower, and
// nothing takes the verdict of the faster one.
func judgeByBenchmarks(found *tuning.Rewritten, r *benchmarks.Result) error {
	var best, worst *benchmarks.Benchmark
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		if len(b.Verdicts) == 0 || len(b.Changed) > 0 {
			continue
		}
		found.Caveats = append(found.Caveats, b.Caveats...)
		if ratio := b.Verdicts[0].Ratio; best == nil || ratio < best.Verdicts[0].Ratio {
			best = b
		}
		if b.Word() == judge.Slower && (worst == nil || b.Verdicts[0].Ratio > worst.Verdicts[0].Ratio) {
			worst = b
		}
	}
	if best == nil {
		return unmeasured(r)
	}
	decides := best
	if worst != nil {
		decides = worst
	}
	v := decides.Verdicts[0]
	found.Decides, found.Verdicts, found.Benchmark = &v, decides.Verdicts, decides.Name
	found.Claim = tuning.ClaimOf(v, true)
	if found.Claim == tuning.Less && (decides.Word() != judge.Faster || decides.OpenCaveat() != nil) {
		found.Claim = tuning.None
	}
	return nil
}

// unmeasured says why no benchmark says anything of a change.
func unmeasured(r *benchmarks.Result) error {
	for _, u := range r.Unchanged {
		return fail.New(fail.BadInput, "no benchmark shows what it changes: Benchmark%s %s", u.Name, u.Why())
	}
	for _, f := range r.Failures {
		return fail.New(fail.Subject, "Benchmark%s of %s: %s\n%s", f.Name, f.Package, f.Text, f.Output)
	}
	for _, u := range r.Untimed {
		return fail.New(fail.BadInput, "Benchmark%s of %s: %s", u.Name, u.Package, u.Text)
	}
	return errors.New("no benchmark was measured: " + fmt.Sprint(r.Stopped))
}
