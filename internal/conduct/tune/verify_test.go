package tune

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
)

// profileOf is a CPU profile with so many ticks in each stack, leaf first.
func profileOf(stacks map[string]int64) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10_000_000,
		Comments: []string{"hone: start 3"},
	}
	for stack, ticks := range stacks {
		s := &profile.Sample{Value: []int64{ticks, ticks * 10_000_000}}
		for name := range strings.SplitSeq(stack, " ") {
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "x.go"}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: 1}}}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

func TestPGOProfileHasNothingOfHone(t *testing.T) {
	p := profileOf(map[string]int64{"example.com/shop.work main.main": 200,
		"main.honeProbeServe main.honeProbeStart": 50})
	out := PGOProfile(p)
	if len(out.Sample) != 1 || out.Sample[0].Value[0] != 200 || len(out.Comments) != 0 || len(p.Sample) != 2 {
		t.Errorf("%d samples, comments %q; of the original %d", len(out.Sample), out.Comments, len(p.Sample))
	}
}

func TestPGOIsSkippedWithAReason(t *testing.T) {
	enough := profileOf(map[string]int64{"main.work main.main": 500})
	home := t.TempDir()
	with := t.TempDir()
	if err := os.WriteFile(filepath.Join(with, tuning.PGOFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, home string
		flags      []string
		p          *profile.Profile
		want       string // of the reason; empty: it is tried
	}{
		{"a profile", home, nil, enough, ""},
		{"a file that is not used", with, []string{"-pgo=off"}, enough, ""},
		{"a file", with, nil, enough, "is in the directory of package main"},
		{"a flag", home, []string{"--pgo=cpu.pprof"}, enough, "built with -pgo=cpu.pprof"},
		{"no profile", home, nil, nil, "no CPU profile"},
		{"few samples", home, nil, profileOf(map[string]int64{"main.work": 20}), "20 samples"},
	} {
		s, skip, err := pgo(build.Variant{BuildFlags: c.flags}, c.home, c.p, t.TempDir())
		if err != nil || (s == nil) != (c.want != "") || skip != nil && !strings.Contains(skip.Reason, c.want) {
			t.Errorf("%s: %+v, %+v, %v", c.what, s, skip, err)
		}
		if s == nil {
			continue
		}
		f, err := os.Open(strings.TrimPrefix(s.Flags[0], "-pgo="))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := profile.Parse(f); err != nil || len(p.Sample) != 1 {
			t.Errorf("%s: the profile of the build: %v, %v", c.what, p, err)
		}
		f.Close()
	}
}

func TestWritePGONeverReplacesUnasked(t *testing.T) {
	home, p := t.TempDir(), profileOf(map[string]int64{"main.work main.main": 500})
	path, err := WritePGO(home, home, p, false)
	if err != nil || path != filepath.Join(home, "default.pgo") {
		t.Fatal(path, err)
	}
	if _, err := WritePGO(home, home, p, false); fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" {
		t.Errorf("a file that is there: %v", err)
	}
	if _, err := WritePGO(home, home, p, true); err != nil {
		t.Error(err)
	}
	repository, main := t.TempDir(), t.TempDir() // whose package main is a link out of it
	if err := os.Symlink(main, filepath.Join(repository, "cmd")); err != nil {
		t.Fatal(err)
	}
	if _, err := WritePGO(repository, filepath.Join(repository, "cmd"), p, true); err == nil {
		t.Error("a link out of the repository is followed")
	}
	if _, err := WritePGO(repository, main, p, false); err != nil {
		t.Errorf("a directory elsewhere that the user named: %v", err)
	}
}

func TestProcs(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	run := record.Run{}
	run.Environment.SubjectCPUs = []int{1}
	all, skipped := procsFor(build.Variant{}, run)
	if len(all) != 1 || all[0].Name != "GOMAXPROCS=2" || len(skipped) != 1 || skipped[0].Name != "GOMAXPROCS=1" {
		t.Errorf("on one CPU: %+v, %+v", all, skipped)
	}
	all, skipped = procsFor(build.Variant{RunEnv: []string{"GOMAXPROCS=2"}}, run)
	if len(all) != 1 || all[0].Name != "GOMAXPROCS=1" || len(skipped) != 1 {
		t.Errorf("on one CPU with two: %+v, %+v", all, skipped)
	}
}

func TestStillCollectors(t *testing.T) {
	small, large := 0.003, 0.2
	for _, c := range []struct {
		run  record.Run
		want string
	}{
		{record.Run{}, ""},
		{record.Run{Runtime: &record.RuntimeSummary{}}, "did not run"},
		{record.Run{Runtime: &record.RuntimeSummary{GCShare: &small}, GCCycles: 9},
			"takes 0.3 % of the CPU time of the run, under 1 %"},
		{record.Run{Runtime: &record.RuntimeSummary{GCShare: &large}, GCCycles: 9}, ""},
		{record.Run{Runtime: &record.RuntimeSummary{}, GCCycles: 1}, ""},
	} {
		if got := stillCollector(c.run); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%+v: %q, want %q", c.run.Runtime, got, c.want)
		}
	}
}

// What the toolchain has on is turned off, what it has not on, and what it does not know is said.
func TestExperimentsAreTurned(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "")
	v, dir := build.Variant{}, t.TempDir()
	now, err := build.Experiments(t.Context(), v, dir)
	if err != nil {
		t.Skip(err)
	}
	p := profileOf(map[string]int64{"runtime.mallocgc encoding/json.Marshal main.main": 40, "main.main": 60})
	all, skipped, err := experimentsFor(t.Context(), v, dir, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		name := strings.TrimPrefix(s.Name, "GOEXPERIMENT=")
		if off := strings.HasPrefix(name, "no"); off != now[strings.TrimPrefix(name, "no")] ||
			s.BuildEnv[0] != s.Name || len(s.Env) > 0 {
			t.Errorf("%+v, on are %v", s, now)
		}
		if strings.Contains(name, "swissmap") || strings.Contains(name, "spinbit") {
			t.Errorf("%s is tried, and nothing in the profile is of it", name)
		}
	}
	if !slices.ContainsFunc(all, func(s tuning.Setting) bool { return strings.HasSuffix(s.Name, "jsonv2") }) {
		t.Errorf("of %+v none is of encoding/json, which has 40 %% of the CPU time", all)
	}
	idle, _, err := experimentsFor(t.Context(), v, dir, profileOf(map[string]int64{"main.main": 60}))
	if err != nil || len(idle) > 0 {
		t.Errorf("%+v, %v for a program that none of them can matter to", idle, err)
	}
	for _, s := range skipped {
		if s.Reason == "" {
			t.Errorf("%s is skipped without a reason", s.Name)
		}
	}
}

func TestHopefulSettings(t *testing.T) {
	r := roundOf(base,
		seen{name: "PGO", low: 0.94, high: 0.98},
		seen{name: "GOGC=200", low: 0.9, high: 0.95, cycles: 500},
		seen{name: "GOGC=400", low: 0.8, high: 0.85, cycles: 300},
		seen{name: "GOGC=off GOMEMLIMIT=1MiB", low: 0.5, high: 0.6, cycles: 1}, // hardly collected
		seen{name: "GOMAXPROCS=2", low: 1.02, high: 1.1},
		seen{name: "GOEXPERIMENT=jsonv2", low: 0.985, high: 1.005}, // no gain worth the name
	)
	for i, kind := range []string{spec.SettingPGO, spec.SettingGC, spec.SettingGC, spec.SettingGC, spec.SettingProcs,
		spec.SettingExperiment} {
		r.Effects[i].Kind = kind
	}
	var names []string
	for _, s := range hopeful(r) {
		names = append(names, s.Name)
	}
	if want := []string{"GOGC=400", "GOGC=200", "PGO", "GOGC=400 + PGO"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got := hopeful(roundOf(base, seen{name: "PGO", low: 0.99, high: 1.01})); got != nil {
		t.Errorf("nothing to hope for, but %+v", got)
	}
}

// A later round takes the place of an earlier one, and only what is shown is a gain.
func TestVerificationRanksGains(t *testing.T) {
	first := roundOf(base, seen{name: "PGO", low: 0.94, high: 0.98}, seen{name: "GOMAXPROCS=2", low: 0.9, high: 1.05},
		seen{name: "GOGC=400", low: 0.8, high: 0.85, cycles: 300},
		seen{name: "GOGC=800", low: 0.5, high: 0.6, cycles: 2})
	v := &tuning.Verification{}
	addRound(v, first)
	addRound(v, roundOf(base, seen{name: "PGO", low: 0.97, high: 1.01},
		seen{name: "GOGC=400", low: 0.81, high: 0.83, cycles: 300}))
	var got []string
	for _, tried := range v.Tried {
		got = append(got, tried.Name)
	}
	if want := []string{"GOGC=400", "GOGC=800", "GOMAXPROCS=2", "PGO"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if a, b := v.Tried[0], v.Tried[1]; !a.Gains() || a.Round != 2 || b.Gains() || b.Unsettled == "" || b.Round != 1 {
		t.Errorf("%+v\n%+v", a, b)
	}
	if v.Tried[3].Gains() {
		t.Error("PGO gains although the interval of the last round covers zero")
	}
}
