package tune

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

// mostOfKind is how many settings of a kind are measured again.
var mostOfKind = map[string]int{spec.SettingPGO: 1, spec.SettingGC: 2, spec.SettingProcs: 1, spec.SettingExperiment: 1}

// hopeful are the settings of a first round that may be a gain, the most promising first, and the
// best of each kind together if there are several kinds. PGO gains little in most programs, so it
// is measured again unless the first round shows that it gains nothing.
func hopeful(first *tuning.Round) []tuning.Setting {
	var able []tuning.Effect
	for _, e := range first.Effects {
		if v, ok := e.On(measure.CPU); ok && promises(e, v) {
			able = append(able, e)
		}
	}
	slices.SortStableFunc(able, func(a, b tuning.Effect) int { return cmp.Compare(a.Ratio(), b.Ratio()) })
	var all, best []tuning.Setting
	kinds := map[string]int{}
	for _, e := range able {
		if kinds[e.Kind]++; kinds[e.Kind] > mostOfKind[e.Kind] {
			continue
		}
		all = append(all, e.Setting)
		if kinds[e.Kind] == 1 && e.Ratio() < 1 {
			best = append(best, e.Setting)
		}
	}
	if len(best) > 1 {
		all = append(all, together(best))
	}
	return all
}

// promises says whether the verdict of a first round leaves a gain worth the name possible.
func promises(e tuning.Effect, v judge.Verdict) bool {
	if e.OfCollector() && unsettled(e.Readings) != "" || v.Bounded() && v.Low >= 1-hopefulGain {
		return false
	}
	return v.Ratio < 1 || e.Kind == spec.SettingPGO
}

// together is all settings in one; they are of different kinds.
func together(parts []tuning.Setting) tuning.Setting {
	s := tuning.Setting{Kind: kindTogether}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
		s.Env, s.BuildEnv = append(s.Env, p.Env...), append(s.BuildEnv, p.BuildEnv...)
		s.Args, s.Flags, s.Tags = append(s.Args, p.Args...), append(s.Flags, p.Flags...), append(s.Tags, p.Tags...)
	}
	s.Name = strings.Join(names, " + ")
	return s
}

// lastLine is the end of a message that has several lines.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
