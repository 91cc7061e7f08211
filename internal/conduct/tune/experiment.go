package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/release"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
)

// leastShare is the part of the CPU time from which on a choice can matter: less is within what
// comparisons tell apart.
const leastShare = 0.01

// mostExperiments is how many are tried at once: each takes its share of the budget, and builds the library anew.
const mostExperiments = 4

// experimentsFor are the experiments of the toolchain that are to be tried on a program: each turned from what it is,
// those with the largest part of the CPU time first. dir is where the program is built.
func experimentsFor(ctx context.Context, v build.Variant, dir string, p *profile.Profile) (all []tuning.Setting,
	skipped []tuning.Skipped, err error) {
	goroot, err := rootOf(ctx, v, dir)
	if err != nil {
		return nil, nil, err
	}
	known, err := release.Experiments(goroot)
	if err != nil {
		return nil, nil, fmt.Errorf("read the experiments of the toolchain: %w", err)
	}
	functions, err := release.FunctionsOf(goroot, known)
	if err != nil {
		return nil, nil, err
	}
	now, err := build.Experiments(ctx, v, dir)
	if err != nil {
		return nil, nil, err
	}
	shares := map[string]float64{}
	for _, e := range known {
		shares[e.Name] = shareBelow(p, func(f string) bool { return functions.Has(e.Name, f) })
	}
	slices.SortStableFunc(known, func(a, b release.Experiment) int { return cmp.Compare(shares[b.Name], shares[a.Name]) })
	for _, e := range known {
		one := turned(v, e.Name, now[e.Name])
		one.Name, one.Does = "GOEXPERIMENT="+one.Name, e.Does
		reason := idle(e, p, len(functions[e.Name]), shares[e.Name])
		if reason == "" && len(all) == mostExperiments {
			reason = fmt.Sprintf("%d with a larger part of the CPU time are tried first", mostExperiments)
		}
		if reason == "" {
			with := v
			with.Env = slices.Concat(v.Env, one.BuildEnv)
			then, err := build.Experiments(ctx, with, dir)
			switch {
			case ctx.Err() != nil:
				return nil, nil, ctx.Err()
			case err != nil:
				reason = "the toolchain refuses it: " + lastLine(err.Error())
			case then[e.Name] == now[e.Name]:
				reason = "the toolchain does not turn it"
			}
		}
		if reason == "" {
			all = append(all, one)
		} else {
			skipped = skip(skipped, one.Name, reason)
		}
	}
	return all, skipped, nil
}

// skip adds a setting that is not tried to those with the same reason.
func skip(all []tuning.Skipped, name, reason string) []tuning.Skipped {
	if i := slices.IndexFunc(all, func(s tuning.Skipped) bool { return s.Reason == reason }); i >= 0 {
		all[i].Name += ", " + strings.TrimPrefix(name, "GOEXPERIMENT=")
		return all
	}
	return append(all, tuning.Skipped{Name: name, Reason: reason})
}

// turned is the setting of a build that switches an experiment off where it is on, and on where it is off, besides the
// experiments that the variant already chooses. Its name is that of the choice: noNAME to switch it off.
func turned(v build.Variant, name string, on bool) tuning.Setting {
	if on {
		name = "no" + name
	}
	current, _ := setting(v, "GOEXPERIMENT")
	return tuning.Setting{Name: name, Kind: spec.SettingExperiment,
		BuildEnv: []string{"GOEXPERIMENT=" + strings.TrimPrefix(current+","+name, ",")}}
}

// idle says why an experiment cannot matter to the program; empty if it can. functions is how many of the library depend
// on it, share their part of the CPU time.
func idle(e release.Experiment, p *profile.Profile, functions int, share float64) string {
	switch {
	case e.Does == "":
		return "the release does not say what it does"
	case functions == 0:
		return "no function of the library depends on it"
	case p == nil:
		return "the run has no CPU profile, which would say whether it matters"
	case share < leastShare:
		return fmt.Sprintf("functions that depend on it take %.2g %% of the CPU time of the run, under %g %%", 100*share,
			100*leastShare)
	default:
		return ""
	}
}

// shareBelow is the part of a CPU profile, 0 to 1, whose stacks have one of these functions.
func shareBelow(p *profile.Profile, is func(function string) bool) float64 {
	if p == nil {
		return 0
	}
	known := map[*profile.Function]bool{}
	for _, f := range p.Function {
		known[f] = is(f.Name)
	}
	all, below := 0.0, 0.0
	for _, s := range p.Sample {
		value := float64(s.Value[len(s.Value)-1])
		all += value
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return slices.ContainsFunc(l.Line, func(line profile.Line) bool { return known[line.Function] })
		}) {
			below += value
		}
	}
	if all == 0 {
		return 0
	}
	return below / all
}
