package tune

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/gocommand/toolchaintest"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

// The newer release takes 100, the older one 80, and the newer one without its collector 90: the collector is 10 of the
// 20, in parts of 80.
func TestPartsOfARelease(t *testing.T) {
	effect := func(name string, ratio, low, high float64) tuning.Effect {
		return tuning.Effect{Setting: tuning.Setting{Name: name}, Verdicts: []judge.Verdict{
			{Measure: measure.CPU, A: 100, B: 100 * ratio, Ratio: ratio, Low: low, High: high, Conf: 0.95}}}
	}
	d, ok := divide([]tuning.Effect{effect("go1.1", 0.8, 0.78, 0.82), effect("heap", 1.001, 0.99, 1.01),
		effect("tea", 0.9, 0.89, 0.91), {Setting: tuning.Setting{Name: "not observed"}}}, measure.CPU.Key)
	if !ok || len(d.Parts) != 2 || d.Parts[0].Name != "tea" || !d.Parts[0].Cost.Shown || d.Parts[1].Cost.Shown {
		t.Fatalf("%v %+v", ok, d)
	}
	tea := d.Parts[0].Cost
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"change", d.Change.Share, 0.25}, {"low", d.Change.Low, 1/0.82 - 1}, {"high", d.Change.High, 1/0.78 - 1},
		{"part", tea.Share, 0.125}, {"low of the part", tea.Low, 0.1125}, {"high of it", tea.High, 0.1375},
		{"rest", d.Rest, 0.125},
	} {
		if math.Abs(x.got-x.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", x.what, x.got, x.want)
		}
	}
	if _, ok := divide([]tuning.Effect{effect("go1.1", 0.8, 0, math.Inf(1))}, measure.CPU.Key); ok {
		t.Error("a change without an interval was divided")
	}
}

// What of a release can be switched off is read from the releases.
func TestSwitchesBetweenReleases(t *testing.T) {
	const older, newer = "go1.25.5", "go1.26.8"
	toolchaintest.Need(t, older)
	toolchaintest.Need(t, newer)
	dir := t.TempDir()
	v := build.Variant{Name: "A", Source: ".", Toolchain: newer, RunEnv: []string{"GODEBUG=netdns=go"}}
	roots, err := rootsOf(t.Context(), v, dir, older, newer)
	if err != nil {
		t.Fatal(err)
	}
	all, err := experimentsBetween(t.Context(), v, dir, older, roots[1])
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(s tuning.Setting) bool { return s.Name == "greenteagc" })
	if i < 0 || !slices.Equal(all[i].BuildEnv, []string{"GOEXPERIMENT=nogreenteagc"}) || all[i].Does == "" {
		t.Errorf("%+v", all)
	}
	if slices.ContainsFunc(all, func(s tuning.Setting) bool { return s.Name == "regabiargs" || s.Name == "arenas" }) {
		t.Errorf("what is alike in both releases is a part: %+v", all)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	found := &tuning.UpgradeParts{}
	all, err = settingsBetween(v, roots, map[string]bool{"net/url": true, "runtime": true}, self, found)
	if err != nil {
		t.Fatal(err)
	}
	i = slices.IndexFunc(all, func(s tuning.Setting) bool { return s.Name == "urlstrictcolons" })
	if i < 0 || !slices.Equal(all[i].Env, []string{"GODEBUG=netdns=go,urlstrictcolons=0"}) {
		t.Errorf("%+v", all)
	}
	if !slices.ContainsFunc(found.Skipped, func(s tuning.Skipped) bool { return s.Name == "tlssecpmlkem=0" }) {
		t.Errorf("a package that is not linked is tried: %+v", found.Skipped)
	}
}
