package tune

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/release"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/symbol"
)

// mostParts is how many parts of a release are tried at once: each takes its share of the budget.
const mostParts = 8

// executable is one that was built, and the directory that it was built in.
type executable struct{ path, dir string }

// builder builds a variant of what is measured: a program, or the test binary of a package.
type builder func(context.Context, build.Variant) (executable, error)

// partsOf are the settings that switch off what the newer release has on and the older has not, and that change what v
// builds; what does not is skipped.
func partsOf(ctx context.Context, v build.Variant, older, newer string, by builder, found *tuning.UpgradeParts) (
	[]tuning.Setting, error) {
	v.Name, v.Toolchain = "whole", newer
	whole, err := by(ctx, v)
	if err != nil {
		return nil, err
	}
	functions, _ := build.FunctionsOf(whole.path) // of a stripped program, all is tried
	roots, err := rootsOf(ctx, v, whole.dir, older, newer)
	if err != nil {
		return nil, err
	}
	all, err := experimentsBetween(ctx, v, whole.dir, older, roots[1])
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s tuning.Setting) bool {
		if reason := changesNothing(ctx, v, s, by, functions); reason != "" {
			found.Skipped = append(found.Skipped, tuning.Skipped{Name: s.Name, Reason: reason})
			return true
		}
		return false
	})
	if ctx.Err() != nil {
		return nil, fail.New(fail.Interrupted, "interrupted")
	}
	settings, err := settingsBetween(v, roots, linkedPackages(functions), whole.path, found)
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
func changesNothing(ctx context.Context, v build.Variant, s tuning.Setting, by builder,
	functions map[string]uint64) string {
	with, err := s.VariantOf(v, s.Name)
	if err != nil {
		return lastLine(err.Error())
	}
	b, err := by(ctx, with)
	if err != nil {
		return "the toolchain refuses to build without it: " + lastLine(err.Error())
	}
	if without, err := build.FunctionsOf(b.path); err == nil && len(functions) > 0 && maps.Equal(functions, without) {
		return "the program has the same functions without it"
	}
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
