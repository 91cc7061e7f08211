package tune

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
)

// experiment is a choice of GOEXPERIMENT that changes the runtime or libraries.
type experiment struct {
	name string
	// functions are the beginnings of names of functions: the program has to spend time below
	// one of them for the choice to matter. None: what it changes is the collector.
	functions []string
	what      string
}

// experiments are those that hone knows; which of them a toolchain has it says itself. The names
// are of internal/goexperiment of the Go releases 1.21 to 1.27.
var experiments = []experiment{
	{"greenteagc", nil, "the collector"},
	{"jsonv2", []string{"encoding/json"}, "encoding/json"},
	{"swissmap", []string{"internal/runtime/maps.", "runtime.map", "runtime.evacuate"}, "maps"},
	{"sizespecializedmalloc", []string{"runtime.malloc"}, "the allocator"},
	{"runtimefreegc", []string{"runtime.malloc"}, "the allocator"},
	{"spinbitmutex", []string{"runtime.lock2", "runtime.unlock2"}, "locks of the runtime"},
	{"synchashtriemap", []string{"sync.(*Map)", "internal/sync.(*HashTrieMap"}, "sync.Map"},
}

// leastShare is the part of the CPU time from which on a choice can matter: less is within what
// comparisons tell apart.
const leastShare = 0.01

// experimentsFor are the experiments of the toolchain that are to be tried on a program: each
// turned from what it is. dir is where the program is built, still is stillCollector of the run.
func experimentsFor(ctx context.Context, v build.Variant, dir string, p *profile.Profile,
	still string) (all []tuning.Setting, skipped []tuning.Skipped, err error) {
	now, err := build.Experiments(ctx, v, dir)
	if err != nil {
		return nil, nil, err
	}
	var unknown []string
	for _, e := range experiments {
		one := turned(v, e.name, now[e.name])
		one.Name = "GOEXPERIMENT=" + one.Name
		with := v
		with.Env = slices.Concat(v.Env, one.BuildEnv)
		then, err := build.Experiments(ctx, with, dir)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			unknown = append(unknown, e.name)
			continue
		case then[e.name] == now[e.name]:
			skipped = append(skipped, tuning.Skipped{Name: one.Name, Reason: "the toolchain does not turn it"})
			continue
		}
		if reason := e.idle(p, still); reason != "" {
			skipped = append(skipped, tuning.Skipped{Name: one.Name, Reason: reason})
			continue
		}
		all = append(all, one)
	}
	if len(unknown) > 0 {
		skipped = append(skipped, tuning.Skipped{Name: "GOEXPERIMENT=" + strings.Join(unknown, ", "),
			Reason: "the toolchain does not know it"})
	}
	return all, skipped, nil
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

// idle says why a choice cannot matter to the program; empty if it can.
func (e experiment) idle(p *profile.Profile, still string) string {
	if e.functions == nil {
		return still
	}
	if p == nil {
		return "the run has no CPU profile, which would say whether it matters"
	}
	if share := shareBelow(p, e.functions); share < leastShare {
		return fmt.Sprintf("%s takes %.2g %% of the CPU time of the run, under %g %%", e.what, 100*share,
			100*leastShare)
	}
	return ""
}

// shareBelow is the part of a CPU profile, 0 to 1, whose stacks have a function with one of these
// beginnings.
func shareBelow(p *profile.Profile, beginnings []string) float64 {
	all, below := 0.0, 0.0
	for _, s := range p.Sample {
		value := float64(s.Value[len(s.Value)-1])
		all += value
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return slices.ContainsFunc(l.Line, func(line profile.Line) bool {
				return line.Function != nil && slices.ContainsFunc(beginnings,
					func(b string) bool { return strings.HasPrefix(line.Function.Name, b) })
			})
		}) {
			below += value
		}
	}
	if all == 0 {
		return 0
	}
	return below / all
}
