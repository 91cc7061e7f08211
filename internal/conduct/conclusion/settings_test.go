package conclusion

import (
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
)

// Settings that the user gave the variants are what he compares.
func TestSettingsOfTheUserAreAllowed(t *testing.T) {
	for what, c := range map[string]struct {
		a, b build.Variant
		left int
	}{
		"nothing was given":      {build.Variant{}, build.Variant{}, 2},
		"both have the same":     {build.Variant{Env: []string{"GOGC=50"}}, build.Variant{RunEnv: []string{"GOGC=50"}}, 2},
		"B has another GOGC":     {build.Variant{}, build.Variant{Env: []string{"GOGC=400"}}, 1},
		"another release of Go":  {build.Variant{}, build.Variant{Toolchain: "go1.25.1"}, 1},
		"another variable":       {build.Variant{}, build.Variant{Env: []string{"LEVEL=9"}}, 2},
		"the last of two counts": {build.Variant{}, build.Variant{Env: []string{"GOGC=9"}, RunEnv: []string{"GOGC="}}, 2},
	} {
		all := AllowSettings([]record.Caveat{{Name: record.CaveatSettings, Open: true},
			{Name: record.CaveatGC, Open: true}}, c.a, c.b)
		if len(all) != c.left || all[len(all)-1].Open != (c.left == 2) {
			t.Errorf("%s: %+v", what, all)
		}
	}
}

// What is left of a gain when all is counted in.
func TestAGainThatIsEatenElsewhere(t *testing.T) {
	for _, c := range []struct {
		a, b, allA, allB float64
		want             bool
	}{
		{100, 25, 100, 49, false}, {100, 25, 100, 51, true}, // half of 4 times is 2 times
		{100, 25, 200, 98, false}, // A has as much of it
		{100, 100, 100, 101, false}, {100, 100, 100, 112, true},
		{100, 120, 100, 115, true}, {0, 10, 0, 10, false},
	} {
		if got := eaten(c.a, c.b, c.allA, c.allB); got != c.want {
			t.Errorf("%v -> %v, with all %v -> %v: %v", c.a, c.b, c.allA, c.allB, got)
		}
	}
}
