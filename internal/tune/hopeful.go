package tune

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/compare"
)

// hopeful are the settings of a first round that may be a gain, the most promising first, and the
// best of each kind together if there are several kinds.
func hopeful(first *Round) []Setting {
	var able []Effect
	for _, e := range first.Effects {
		v, ok := e.On(compare.CPU)
		possible := ok && v.Ratio < 1 && (!v.Bounded() || v.Low < 1-hopefulGain)
		if possible && (!e.ofCollector() || unsettled(e.Readings) == "") {
			able = append(able, e)
		}
	}
	slices.SortStableFunc(able, func(a, b Effect) int { return cmp.Compare(a.ratio(), b.ratio()) })
	able = able[:min(len(able), hopefulMost)]
	var all, best []Setting
	kinds := map[string]bool{}
	for _, e := range able {
		all = append(all, e.Setting)
		if !kinds[e.Kind] {
			kinds[e.Kind] = true
			best = append(best, e.Setting)
		}
	}
	if len(best) > 1 {
		all = append(all, together(best))
	}
	return all
}

// together is all settings in one; they are of different kinds.
func together(parts []Setting) Setting {
	s := Setting{Kind: kindTogether}
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
