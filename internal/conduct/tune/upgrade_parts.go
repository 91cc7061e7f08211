package tune

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/tempdir"
)

// partMeasures are those whose change is divided among the parts of a release.
var partMeasures = []string{measure.CPU.Key, measure.PeakRSS.Key}

// noneDivided is why a change has no parts although they were tried.
const noneDivided = "the parts were tried for too short a time to tell: raise --budget"

// parts measures the program by a newer release as it is, by the older one, and by the newer one with each of its parts
// switched off, all in one comparison. of is the trial in a box, the program being built by the newer release.
func (t Trial) parts(ctx context.Context, older, newer string) (*tuning.UpgradeParts, error) {
	found := &tuning.UpgradeParts{From: older, To: newer}
	dir, err := tempdir.Make()
	if err != nil {
		return found, err
	}
	defer dir.Remove()
	with := *t.Lab
	with.Built = slices.Clone(with.Built)
	t.Lab = &with
	settings, err := partsOf(ctx, t.program(), older, newer, t.builder(dir.Path), found)
	if err != nil || len(settings) == 0 {
		return found, err
	}
	t.Task.Variants = slices.Clone(t.Task.Variants)
	t.Task.Variants[0].Toolchain = newer
	all := append([]tuning.Setting{{Name: older, Toolchain: older}}, settings...)
	t.Lab.Progress.Phase(fmt.Sprintf("which part of %s: %d are tried", newer, len(settings)), 0)
	round, err := t.round(ctx, all, t.Task.Budget, t.Level())
	if err != nil {
		return found, err
	}
	found.Comparison = round.Comparison
	for _, key := range partMeasures {
		if one, ok := divide(round.Effects, key); ok {
			found.Measures = append(found.Measures, one)
		}
	}
	if len(found.Measures) == 0 {
		found.Failure = noneDivided
	}
	return found, nil
}

// builder builds variants of the program into a directory, for the rounds as well.
func (t Trial) builder(dir string) builder {
	o := build.Options{Source: source.Options{WorkDir: t.Lab.WorkDir, Worktrees: t.Lab.Worktrees}, OutDir: dir}
	return func(ctx context.Context, v build.Variant) (executable, error) {
		t.Lab.Progress.Phase(fmt.Sprintf("build %s by %s: %s", v.Source, v.Toolchain, v.Name), 0)
		b, err := build.Program(ctx, v, o)
		if err != nil {
			return executable{}, err
		}
		t.Lab.Built = append(t.Lab.Built, b)
		return executable{path: b.Path, dir: b.WorkDir}, nil
	}
}

// divide says which part of the change from the older release, the first effect, each of the others takes. All is in
// parts of the older release.
func divide(effects []tuning.Effect, key string) (d tuning.Divided, ok bool) {
	if len(effects) == 0 {
		return d, false
	}
	whole, ok := effects[0].OnKey(key)
	if !ok || !whole.Bounded() || whole.Ratio <= 0 || whole.Low <= 0 {
		return d, false
	}
	scale := 1 / whole.Ratio // newer by older
	d = tuning.Divided{Measure: whole.Measure.Name, Key: key,
		Change: tuning.Cost{Unit: whole.Measure.Unit, Share: scale - 1, Low: 1/whole.High - 1, High: 1/whole.Low - 1,
			Conf: whole.Conf, Bounded: true}}
	d.Change.Shown = d.Change.Low > 0 || d.Change.High < 0
	d.Rest = d.Change.Share
	for _, e := range effects[1:] {
		c := cost(e, key)
		if c == nil || !c.Bounded {
			continue
		}
		c.Share, c.Low, c.High = c.Share*scale, c.Low*scale, c.High*scale
		d.Parts = append(d.Parts, tuning.Part{Name: e.Name, Does: e.Does,
			Off: slices.Concat(e.BuildEnv, e.Env), Run: e.Run, Cost: *c})
		if c.Shown {
			d.Rest -= c.Share
		}
	}
	slices.SortStableFunc(d.Parts, func(a, b tuning.Part) int { return a.Compare(b) })
	return d, true
}
