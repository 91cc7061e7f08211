package once

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// stored is the document of a run as the ledger has it.
func (c *onceLab) stored(t *testing.T, id string) (ledger.Run, record.Executions) {
	t.Helper()
	row, err := c.Ledger.Run(id)
	if err != nil {
		t.Fatal(err)
	}
	var r record.Executions
	if err := json.Unmarshal(row.Doc, &r); err != nil {
		t.Fatal(err)
	}
	return row, r
}

func TestExecutionsAreKept(t *testing.T) {
	c := newOnceLab(t)
	v := c.script(t, "prog", "echo ran $1 in $PWD $GREETING; echo note >&2; "+loop(2000), "own")
	v.Env = []string{"GREETING=hello"}
	var out strings.Builder
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{v}},
			Test: spec.Test{Count: 7}}, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	row, r := c.stored(t, got.Runs[0].ID)
	if row.Status != ledger.Complete || r.Schema != record.ExecutionsSchema || r.Label != "GREETING=hello ./prog own" ||
		len(r.Executions) != 7 || r.Facts.Executions != 7 {
		t.Errorf("row %+v, record %+v", row, r)
	}
	here, err := os.Getwd() // of hone, which is where its user is
	if err != nil {
		t.Fatal(err)
	}
	line := "ran own in " + here + " hello\n"
	if text := string(c.artefact(t, row.ID, "stdout.txt")); text != line ||
		string(c.artefact(t, row.ID, "stderr.txt")) != "note\n" {
		t.Errorf("kept output %q, want %q", text, line)
	}
	if out.String() != strings.Repeat(line, 7) {
		t.Errorf("passed on %q", &out)
	}
	if !slices.Contains(r.Warnings, "no profiles: they are taken of Go programs") {
		t.Errorf("warnings %q", r.Warnings)
	}
	measures, err := c.Ledger.Measures(row.ID)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range measures {
		names = append(names, m.Name)
	}
	if !slices.Contains(names, "cpu") || !slices.Contains(names, "real") {
		t.Errorf("measures %q", names)
	}
	slices, err := c.Ledger.Slices(row.ID)
	if err != nil || len(slices) != 7 || slices[6].Block != 6 || slices[6].Answered != 1 || slices[6].CPU <= 0 {
		t.Errorf("slices %+v, %v", slices, err)
	}
}

// A program that fails is no measurement, and is kept as far as it came.
func TestFailingProgram(t *testing.T) {
	c := newOnceLab(t)
	v := c.script(t, "prog", `[ -e again ] && { echo out of cheese >&2; exit 7; }; : > again`)
	t.Chdir(c.WorkDir)
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{v}},
			Test: spec.Test{Count: 5}}})
	mentions(t, err, "prog ended with exit code 7", "out of cheese")
	if fail.ExitCode(err) != int(fail.Subject) {
		t.Errorf("%v", err)
	}
	row, r := c.stored(t, got.Runs[0].ID)
	if row.Status != ledger.Partial || len(r.Executions) != 2 || r.Facts.Executions != 1 ||
		!strings.Contains(r.Executions[1].Failure, "code 7") {
		t.Errorf("row %+v, record %+v", row, r)
	}
	if text := string(c.artefact(t, row.ID, "stderr.txt")); text != "out of cheese\n" {
		t.Errorf("stderr %q", text)
	}
}

func TestProgramThatCannotBeExecuted(t *testing.T) {
	c := newOnceLab(t)
	v := c.script(t, "prog", "")
	if err := os.WriteFile(filepath.Join(c.WorkDir, "prog"), []byte("no executable"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{v}},
			Test: spec.Test{Count: 1}}})
	mentions(t, err, "exec format error")
	if fail.ExitCode(err) != int(fail.Subject) || !strings.Contains(fail.HintOf(err), "first line") {
		t.Errorf("%v, hint %q", err, fail.HintOf(err))
	}
	if row, _ := c.stored(t, got.Runs[0].ID); row.Status != ledger.Partial {
		t.Errorf("%+v", row)
	}
}

func TestMaxTime(t *testing.T) {
	c := newOnceLab(t)
	v := c.script(t, "prog", "echo going; sleep 1000")
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{v}},
			Test: spec.Test{Count: 1, MaxTime: 50 * time.Millisecond}}})
	mentions(t, err, "./prog took longer than --set once.max-time=50ms and was ended")
	if fail.ExitCode(err) != int(fail.Subject) {
		t.Errorf("%v", err)
	}
	if row, r := c.stored(t, got.Runs[0].ID); row.Status != ledger.Partial || len(r.Executions) != 1 || r.Facts != nil {
		t.Errorf("row %+v, record %+v", row, r)
	}
}

// A cancelled context ends the program gently: it cleans up, and what was measured by
// then is kept.
func TestInterruptedExecutions(t *testing.T) {
	c := newOnceLab(t)
	t.Chdir(c.WorkDir)
	v := c.script(t, "prog",
		`if [ -e first ]; then trap 'echo cleaned up; exit 0' TERM; : > second; while :; do sleep 0.01; done; fi; : > first`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // ends when the second execution runs, or with the test
		for ctx.Err() == nil {
			if _, err := os.Stat("second"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	got, err := Measure(ctx, c.Lab, lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{v}},
		Test: spec.Test{Count: 5}}})
	if fail.ExitCode(err) != int(fail.Interrupted) {
		t.Fatalf("%v", err)
	}
	row, r := c.stored(t, got.Runs[0].ID)
	if row.Status != ledger.Interrupted || len(r.Executions) != 2 || r.Facts.Executions != 1 {
		t.Errorf("row %+v, record %+v", row, r)
	}
	if text := string(c.artefact(t, row.ID, "stdout.txt")); text != "cleaned up\n" {
		t.Errorf("stdout %q", text)
	}
}

func TestFaultsOfOnceRequests(t *testing.T) {
	c := newOnceLab(t)
	one, two := make([]build.Variant, 1), make([]build.Variant, 2)
	for want, r := range map[string]lab.Task{
		"0 variants":   {},
		"0 executions": {Parts: spec.Parts{Program: spec.Program{Variants: one}}},
		"budget is 0s": {Parts: spec.Parts{Program: spec.Program{Variants: two}}},
		"most time of": {Parts: spec.Parts{Program: spec.Program{Variants: one},
			Test: spec.Test{Count: 1, MaxTime: -1}}},
		"grace is -1ns": {Parts: spec.Parts{Program: spec.Program{Variants: one, Grace: -1},
			Test: spec.Test{Count: 1}}},
		"alpha is 2": {Parts: spec.Parts{Program: spec.Program{Variants: one},
			Test: spec.Test{Alpha: 2, Count: 1}}},
		"profile rate is 20000": {Parts: spec.Parts{Program: spec.Program{Variants: one}, Test: spec.Test{Count: 1},
			Observe: spec.Observe{ProfileRate: 20000}}},
	} {
		_, err := Measure(t.Context(), c.Lab, r)
		mentions(t, err, want)
		if fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("%v", err)
		}
	}
}

// Twice the work is slower, and a gate on it fails; a gate that has room is passed.
func TestComparisonOfDifferentPrograms(t *testing.T) {
	c := newOnceLab(t)
	a, b := c.script(t, "fast", loop(30_000)), c.script(t, "slow", loop(90_000))
	b.Name = "B"
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{a,
			b}}, Test: spec.Test{Budget: time.Minute, Seed: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	o := got.Comparison
	if o.Word != judge.Slower || o.Stopped != compare.StoppedDecided || o.Blocks < 6 ||
		len(o.Contests[0].Verdicts) < 2 {
		t.Errorf("%+v", o)
	}
	row, err := c.Ledger.Comparison(o.ID)
	if err != nil || row.Word != "slower" || len(row.Runs) != 2 {
		t.Errorf("row %+v, %v", row, err)
	}
	for _, id := range row.Runs {
		if _, r := c.stored(t, id); len(r.Executions) != o.Blocks || r.Comparison != o.ID {
			t.Errorf("%d executions in %d rounds, of %q", len(r.Executions), o.Blocks, r.Comparison)
		}
	}
}

func TestGatesOnExecutions(t *testing.T) {
	c := newOnceLab(t)
	a, b := c.script(t, "fast", loop(30_000)), c.script(t, "slow", loop(90_000))
	b.Name = "B"
	var gates []gate.Gate
	for _, text := range []string{"cpu<+2%", "cpu<+5000%"} {
		g, err := gate.ParseOf(text, measure.OfExecutions)
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, g)
	}
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{a,
			b}}, Test: spec.Test{Budget: time.Minute, Gates: gates}}})
	if err != nil {
		t.Fatal(err)
	}
	o := got.Comparison
	if o.Stopped != compare.StoppedGates || len(o.Gates) != 2 || o.Gates[0].Outcome != gate.Failed ||
		o.Gates[1].Outcome != gate.Passed {
		t.Errorf("%+v", o)
	}
}

// The same program twice is never faster or slower than itself, at a level at which
// chance does not speak, and a small budget ends it.
func TestComparisonOfEqualPrograms(t *testing.T) {
	c := newOnceLab(t)
	a := c.script(t, "prog", loop(1000))
	b := a
	b.Name = "B"
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{a,
			b}}, Test: spec.Test{Budget: time.Second, Alpha: 1e-6, Delta: 0.001}}})
	if err != nil {
		t.Fatal(err)
	}
	if o := got.Comparison; o.Word == judge.Faster || o.Word == judge.Slower || o.Blocks < 1 {
		t.Errorf("%+v", o)
	}
	// The documents of both runs have the figures of the verdicts.
	for _, v := range got.Comparison.Contests[0].Verdicts {
		for side, want := range []float64{v.A, v.B} {
			if has := got.Runs[side].Facts.Figures()[v.Measure.Key]; has != want {
				t.Errorf("%s of run %d is %v, and %v in the comparison", v.Measure.Key, side, has, want)
			}
		}
	}
}

// A program that fails in a comparison leaves no verdict.
func TestFailureInAComparison(t *testing.T) {
	c := newOnceLab(t)
	a, b := c.script(t, "good", "true"), c.script(t, "bad", "exit 3")
	b.Name = "B"
	got, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{a,
			b}}, Test: spec.Test{Budget: time.Minute}}})
	mentions(t, err, "bad ended with exit code 3")
	o := got.Comparison
	if o.Status != ledger.Partial || o.Word != judge.Invalid || o.Contests[0].Word != judge.Invalid {
		t.Errorf("%+v", o)
	}
}

func TestABudgetThatIsTooSmallIsToldAtOnce(t *testing.T) {
	c := newOnceLab(t)
	h := &heard{}
	c.Progress = h
	a := c.script(t, "prog", "true")
	b := a
	b.Name = "B"
	if _, err := Measure(t.Context(), c.Lab,
		lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{a,
			b}}, Test: spec.Test{Budget: time.Nanosecond}}}); err != nil {
		t.Fatal(err)
	}
	if len(h.warnings) != 1 || !strings.Contains(h.warnings[0], "a verdict at least 6 of them") {
		t.Errorf("warnings %q", h.warnings)
	}
}
