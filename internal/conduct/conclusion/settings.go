package conclusion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// leastReadings is how many readings of the runtime say what its settings are: one alone may be of a start.
const leastReadings = 3

// setting is a setting of the runtime that a program can change itself.
type setting struct {
	variable string
	of       func(probeclient.Runtime) uint64 // 0: not known
	text     func(uint64) string
}

var settings = []setting{
	{"GOGC", func(r probeclient.Runtime) uint64 { return r.GOGC }, func(n uint64) string {
		if n >= probeclient.NoGOGC {
			return "off"
		}
		return units.Count(n)
	}},
	{"GOMEMLIMIT", func(r probeclient.Runtime) uint64 { return r.MemoryLimit }, func(n uint64) string {
		if n >= probeclient.NoMemoryLimit {
			return "none"
		}
		return units.Bytes(float64(n))
	}},
	{"GOMAXPROCS", func(r probeclient.Runtime) uint64 {
		if r.Processes > 1 { // it is a sum
			return 0
		}
		return r.GOMAXPROCS
	}, units.Count},
}

// settingsCaveat: B has other settings of its runtime than A. Their cost or gain is that of a setting, which anyone can
// have without B's code.
func settingsCaveat(a, b *timed.Load) *record.Caveat {
	var names, details []string
	for _, s := range settings {
		was, knownA := usual(a, s.of)
		is, knownB := usual(b, s.of)
		if knownA && knownB && was != is {
			names = append(names, s.variable)
			details = append(details, fmt.Sprintf("%s %s, A %s", s.variable, s.text(is), s.text(was)))
		}
	}
	if names == nil {
		return nil
	}
	return &record.Caveat{Name: record.CaveatSettings, Open: true,
		Text:   "it sets " + strings.Join(names, " and ") + " itself",
		Detail: strings.Join(details, "; ") + "; give both the same, or name the setting: hone compare . 'GOGC=... .'"}
}

// usual is the middle of what readings show; false where too few show anything.
func usual(v *timed.Load, of func(probeclient.Runtime) uint64) (uint64, bool) {
	var all []uint64
	for _, m := range v.Moments {
		if n := of(m.Runtime); n > 0 {
			all = append(all, n)
		}
	}
	if len(all) < leastReadings {
		return 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], true
}

// AllowSettings takes back what caveats say of settings of the runtime where the user gave the variants different ones,
// or different releases of Go, whose defaults differ.
func AllowSettings(all []record.Caveat, a, b build.Variant) []record.Caveat {
	same := a.Toolchain == b.Toolchain
	for _, s := range settings {
		same = same && given(a, s.variable) == given(b, s.variable)
	}
	if same {
		return all
	}
	all = slices.DeleteFunc(all, func(c record.Caveat) bool { return c.Name == record.CaveatSettings })
	for i := range all {
		all[i].Open = all[i].Open && all[i].Name != record.CaveatGC
	}
	return all
}

// given is the value that a variant's own environment has for a variable; empty without one.
func given(v build.Variant, variable string) (value string) {
	for _, entry := range slices.Concat(v.Env, v.RunEnv) {
		if name, is, _ := strings.Cut(entry, "="); name == variable {
			value = is
		}
	}
	return value
}
