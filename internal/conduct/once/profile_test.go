package once

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/prof"
)

// burner is this test as a Go program that works for so many seconds.
func burner(t *testing.T, seconds string) build.Variant {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return build.Variant{Name: "A", Source: exe, Args: []string{burnRole, seconds}}
}

// One more execution is taken with profiles, whose one operation is the execution.
func TestProfilesOfAnExecution(t *testing.T) {
	c := newOnceLab(t)
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{burner(t, "1.5")}},
			Test: spec.Test{Count: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	_, r := c.stored(t, got.Runs[0].ID)
	if !slices.Equal(r.Profiles, Kinds) || r.Profiled == nil || r.Profiled.Passes < 1 ||
		r.Profiled.CPUShare <= 0 || r.Profiled.CPUShare > 1 || len(r.Executions) != 1 {
		t.Fatalf("profiles %q, %+v, warnings %q", r.Profiles, r.Profiled, r.Warnings)
	}
	if !slices.ContainsFunc(r.Hot, func(h prof.Cost) bool { return strings.Contains(h.Function, "burnFor") }) {
		t.Errorf("hot: %+v", r.Hot)
	}
	for _, kind := range Kinds {
		capture, err := prof.ReadCapture(bytes.NewReader(c.artefact(t, r.ID, kind+".pb.gz")), prof.Limits{})
		if err != nil || capture.Kind != kind || capture.Operations != 1 {
			t.Errorf("%s: %q of %d operations, %v", kind, capture.Kind, capture.Operations, err)
		}
	}
}

// A program that takes a CPU profile of itself has the other profiles taken.
func TestProfilesBesideThePrograms(t *testing.T) {
	c := newOnceLab(t)
	v := burner(t, "2") // on a busy machine half a second was over before the second profile was asked for
	v.Args = append(v.Args, "profiled")
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{v}},
			Test: spec.Test{Count: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	_, r := c.stored(t, got.Runs[0].ID)
	refused := func(w string) bool { return strings.Contains(w, "the program took one of itself") }
	if !slices.Contains(r.Profiles, "allocs") || !slices.Contains(r.Profiles, "heap") ||
		!slices.ContainsFunc(r.Warnings, refused) {
		t.Errorf("profiles %q, warnings %q", r.Profiles, r.Warnings)
	}
}

func TestNoProfiles(t *testing.T) {
	c := newOnceLab(t)
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{burner(t, "0")}},
			Test: spec.Test{Count: 1}, Observe: spec.Observe{NoProfile: true}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, r := c.stored(t, got.Runs[0].ID); r.Profiled != nil || len(r.Profiles) != 0 || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	// A program that is over before the first profile says so; on a busy machine one that does
	// nothing may last long enough for a profile in which nothing is.
	if got, err = Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{burner(t, "0")}},
			Test: spec.Test{Count: 1}}}); err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("the program ended after|nothing to see in the CPU profile")
	if _, r := c.stored(t, got.Runs[0].ID); slices.Contains(r.Profiles, "cpu") || len(r.Warnings) != 1 ||
		!said.MatchString(r.Warnings[0]) {
		t.Errorf("profiles %q, warnings %q", r.Profiles, r.Warnings)
	}
}

// The execution with profiles is bounded too; what the timed ones showed stands.
func TestMaxTimeWithProfiles(t *testing.T) {
	c := newOnceLab(t)
	v := burner(t, "0")
	b, _, err := build.Take(v, v.Source)
	if err != nil {
		t.Fatal(err)
	}
	b.Variant.Args = []string{burnRole, "1000"}
	runner := Runner{Guard: c.Guard, Tmp: t.TempDir(), MaxTime: 300 * time.Millisecond, Hard: t.Context()}
	p, err := runner.Profile(t.Context(), Program{Binary: b, Name: "burn"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) == 0 || !strings.Contains(p.Warnings[0], "burn took longer than --set once.max-time") {
		t.Errorf("warnings %q", p.Warnings)
	}
}

// Programs of C and C++ are measured like any other, and small ones have their own memory.
func TestProgramsOfOtherLanguages(t *testing.T) {
	for name, source := range map[string]string{
		// It runs for long enough to be looked at on any machine.
		"gcc": `#include <stdio.h>
			#include <time.h>
			int main(void) { volatile unsigned long x = 0; while (clock() < CLOCKS_PER_SEC / 2) x++; printf("%lu\n",
				x); return 0; }`,
		"g++": `#include <vector>
			#include <iostream>
			int main() { std::vector<char> v(64 << 20,
				1); unsigned long s = 0; for (char c : v) s += c; std::cout << s << "\n"; }`,
	} {
		t.Run(name, func(t *testing.T) {
			cc := compiler(t, name)
			c := newOnceLab(t)
			file, exe := filepath.Join(c.WorkDir, "source.c"), filepath.Join(c.WorkDir, "prog")
			if name == "g++" {
				file += "c"
			}
			if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(cc, "-O1", "-o", exe, file).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got, err := Measure(t.Context(), c.Lab,
				lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{{Name: "A",
					Source: "./prog"}}},
					Test: spec.Test{Count: 1}}})
			if err != nil {
				t.Fatal(err)
			}
			f := got.Runs[0].Facts
			if f.User.Median <= 0 || f.Real.Median <= 0 || f.MaxResident == nil {
				t.Fatalf("%+v", f)
			}
			small, large := 8e6, 64e6
			if r := f.MaxResident.Median; name == "gcc" && r > small || name == "g++" && (r < large || r > 2*large) {
				t.Errorf("max resident %v", r)
			}
			if len(got.Runs[0].SHA256) != 64 {
				t.Errorf("digest %q", got.Runs[0].SHA256)
			}
		})
	}
}
