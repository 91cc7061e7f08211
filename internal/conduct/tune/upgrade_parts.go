package tune

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/release"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/symbol"
)

// mostParts is how many parts of a release are tried at once: each takes its share of the budget.
const mostParts = 8

// partMeasures are those whose change is divided among the parts of a release.
var partMeasures = []string{measure.CPU.Key, measure.PeakRSS.Key}

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
	settings, err := t.partsOf(ctx, older, newer, dir.Path, found)
	if err != nil || len(settings) == 0 {
		return found, err
	}
	t.Task.Variants = slices.Clone(t.Task.Variants)
	t.Task.Variants[0].Toolchain = newer
	all := append([]tuning.Setting{{Name: older, Toolchain: older}}, settings...)
	t.Lab.Progress.Phase(fmt.Sprintf("which part of %s: %d are tried", newer, len(settings)), 0)
	round, err := t.round(ctx, all, t.Task.Budget, t.alpha())
	if err != nil {
		return found, err
	}
	found.Comparison = round.Comparison
	for _, key := range partMeasures {
		if one, ok := divide(round.Effects, key); ok {
			found.Measures = append(found.Measures, one)
		}
	}
	return found, nil
}

// divide says which part of the change from the older release, the first effect, each of the others takes. All is in
// parts of the older release.
func divide(effects []tuning.Effect, key string) (d tuning.Divided, ok bool) {
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
		d.Parts = append(d.Parts, tuning.Part{Name: e.Name, Does: e.Does, Run: e.Run, Cost: *c})
		if c.Shown {
			d.Rest -= c.Share
		}
	}
	slices.SortStableFunc(d.Parts, func(a, b tuning.Part) int { return a.Compare(b) })
	return d, true
}

// partsOf are the settings that switch off what the newer release has on and the older has not, and that change the
// program; what does not is skipped.
func (t Trial) partsOf(ctx context.Context, older, newer, dir string, found *tuning.UpgradeParts) ([]tuning.Setting,
	error) {
	v := t.program()
	v.Name, v.Toolchain = "whole", newer
	t.Lab.Progress.Phase("build "+v.Source+" by "+newer+" without each of its parts", 0)
	o := build.Options{Source: source.Options{WorkDir: t.Lab.WorkDir, Worktrees: t.Lab.Worktrees}, OutDir: dir}
	whole, err := build.Program(ctx, v, o)
	if err != nil {
		return nil, err
	}
	t.Lab.Built = append(t.Lab.Built, whole)
	functions, _ := build.FunctionsOf(whole.Path) // of a stripped program, all is tried
	roots, err := rootsOf(ctx, v, whole.WorkDir, older, newer)
	if err != nil {
		return nil, err
	}
	all, err := experimentsBetween(ctx, v, whole.WorkDir, older, roots[1])
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s tuning.Setting) bool {
		if reason := t.changesNothing(ctx, v, s, o, functions); reason != "" {
			found.Skipped = append(found.Skipped, tuning.Skipped{Name: s.Name, Reason: reason})
			return true
		}
		return false
	})
	if ctx.Err() != nil {
		return nil, fail.New(fail.Interrupted, "interrupted")
	}
	settings, err := settingsBetween(v, roots, linkedPackages(functions), whole.Path, found)
	if err != nil {
		return nil, err
	}
	all = append(all, settings...)
	for _, s := range all[min(len(all), mostParts):] {
		found.Skipped = append(found.Skipped, tuning.Skipped{Name: s.Name,
			Reason: fmt.Sprintf("%d others are tried first", mostParts)})
	}
	return all[:min(len(all), mostParts)], nil
}

// rootsOf are the directories of two releases.
func rootsOf(ctx context.Context, v build.Variant, dir string, names ...string) (roots [2]string, err error) {
	for i, name := range names {
		v.Toolchain = name
		if roots[i], err = rootOf(ctx, v, dir); err != nil {
			return roots, err
		}
	}
	return roots, nil
}

// rootOf is the directory of the release that builds a variant.
func rootOf(ctx context.Context, v build.Variant, dir string) (string, error) {
	answer, _, err := gocommand.Ask(ctx, build.Env(v), dir, "env", "GOROOT")
	return strings.TrimSpace(string(answer)), err
}

// experimentsBetween turn the experiments of the newer release to what they are in the older one, where it knows them.
func experimentsBetween(ctx context.Context, v build.Variant, dir, older, goroot string) (all []tuning.Setting,
	err error) {
	known, err := release.Experiments(goroot)
	if err != nil {
		return nil, fmt.Errorf("read the experiments of %s: %w", v.Toolchain, err)
	}
	now, err := build.Experiments(ctx, v, dir)
	if err != nil {
		return nil, err
	}
	old := v
	old.Toolchain = older
	before, err := build.Experiments(ctx, old, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range known {
		if now[e.Name] != before[e.Name] {
			one := turned(v, e.Name, now[e.Name])
			one.Name, one.Does = e.Name, e.Does
			all = append(all, one)
		}
	}
	return all, nil
}

// changesNothing says why a setting of a build is not tried: the build fails, or has the same functions as without it.
func (t Trial) changesNothing(ctx context.Context, v build.Variant, s tuning.Setting, o build.Options,
	functions map[string]uint64) string {
	with, err := s.VariantOf(v, s.Name)
	if err != nil {
		return lastLine(err.Error())
	}
	b, err := build.Program(ctx, with, o)
	if err != nil {
		return "the toolchain refuses to build without it: " + lastLine(err.Error())
	}
	if without, err := build.FunctionsOf(b.Path); err == nil && len(functions) > 0 && maps.Equal(functions, without) {
		return "the program has the same functions without it"
	}
	t.Lab.Built = append(t.Lab.Built, b)
	return ""
}

// linkedPackages are the packages that have functions in an executable; nil where that is not known.
func linkedPackages(functions map[string]uint64) map[string]bool {
	if len(functions) == 0 {
		return nil
	}
	all := map[string]bool{}
	for name := range functions {
		all[symbol.PackagePath(name)] = true
	}
	return all
}

// settingsBetween set the settings of GODEBUG whose default the newer release changed to what the older one does, where
// the program links the package and has the new default: go.mod may keep the old one.
func settingsBetween(v build.Variant, roots [2]string, linked map[string]bool, path string,
	found *tuning.UpgradeParts) (all []tuning.Setting, err error) {
	current, _ := setting(v, "GODEBUG")
	var tables [2][]release.Default
	for i, root := range roots {
		if tables[i], err = release.Defaults(root); err != nil {
			return nil, fmt.Errorf("read the settings of GODEBUG: %w", err)
		}
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read build information: %w", err)
	}
	kept := map[string]bool{}
	for _, s := range info.Settings {
		if s.Key == "DefaultGODEBUG" {
			for entry := range strings.SplitSeq(s.Value, ",") {
				name, _, _ := strings.Cut(entry, "=")
				kept[name] = true
			}
		}
	}
	for _, s := range release.Changed(tables[0], tables[1]) {
		name := s.Name + "=" + s.Old
		switch {
		case kept[s.Name]:
			found.Skipped = append(found.Skipped, tuning.Skipped{Name: name, Reason: "go.mod keeps the old default"})
		case strings.HasPrefix(s.Package, "cmd/"), linked != nil && !linked[s.Package]:
			found.Skipped = append(found.Skipped, tuning.Skipped{Name: name, Reason: "the program does not have " + s.Package})
		default:
			all = append(all, tuning.Setting{Name: s.Name, Does: "GODEBUG setting of " + s.Package,
				Env: []string{"GODEBUG=" + strings.TrimPrefix(current+","+name, ",")}})
		}
	}
	// The runtime works for each program.
	slices.SortStableFunc(all, func(a, b tuning.Setting) int {
		return rank(strings.HasSuffix(a.Does, " runtime")) - rank(strings.HasSuffix(b.Does, " runtime"))
	})
	return all, nil
}
