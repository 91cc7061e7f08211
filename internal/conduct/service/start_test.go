package service

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/load"
)

// answeringProgram writes the source of a service and returns its directory.
func answeringProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/answering\n\ngo 1.22\n",
		"main.go": answering} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// aStart starts the answering program with more arguments.
func aStart(t *testing.T, args ...string) *start {
	t.Helper()
	dir, tmp := answeringProgram(t), t.TempDir()
	binary, err := build.Program(t.Context(), build.Variant{Name: "A", Source: "."}, build.Options{
		Source: source.Options{WorkDir: dir}, OutDir: tmp,
	})
	if err != nil {
		t.Fatal(err)
	}
	v := &service{Side: &lab.Side{Built: lab.Built{Binary: binary}, Builds: []*build.Binary{binary}},
		home: &build.Place{Dir: dir}}
	r := &lab.Task{Parts: spec.Parts{
		Program: spec.Program{Variants: []build.Variant{binary.Variant},
			Args: append([]string{"127.0.0.1:{port}"}, args...), Grace: time.Second, ReadyTimeout: time.Minute},
		Load: spec.Load{Path: "/", Plan: load.Plan{Connections: 2, Depth: 1, Timeout: 10 * time.Second},
			Slice: 50 * time.Millisecond, WarmUp: 50 * time.Millisecond},
	}}
	s, err := startUp(t.Context(), v, r, host{guard: []string{os.Args[0], guardRole}, workDir: dir, tmp: tmp,
		plan: r.Plan, slicing: &slicing{slice: r.Slice, perPair: 1}})
	t.Cleanup(func() { _ = s.stop(t.Context()) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A program that listens before it is ready lets the first requests wait. The warm-up goes on
// until its answers come as they will.
func TestWarmUpOfAProgramThatIsNotReady(t *testing.T) {
	s := aStart(t, "400ms")
	if err := s.warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.warmed.median > 50*time.Millisecond || s.warmed.answered <= 2 {
		t.Errorf("the last warm-up is %+v", s.warmed)
	}
	if err := s.disconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A program that answers with errors of its own at first is waited for, and its errors do not count.
func TestWarmUpOfAProgramThatAnswersWithErrors(t *testing.T) {
	s := aStart(t, "0s", "1s")
	if err := s.warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.disconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := s.timed.Account; a.Failed > 0 || a.Answered == 0 || len(s.latest.notes()) > 0 {
		t.Errorf("account %+v, notes %q", a, s.latest.notes())
	}
	if said := strings.Join(s.Warnings, ""); !strings.Contains(said, "answered with errors (status 500)") {
		t.Errorf("said %q", said)
	}
}

// Errors that do not end are the result after a while, with what the first of them said.
func TestWarmUpOfAProgramThatOnlyFails(t *testing.T) {
	s := aStart(t, "0s", "1h")
	err := s.warm(t.Context())
	var invalid *lab.InvalidError
	if !errors.As(err, &invalid) || !strings.Contains(invalid.Doubt.Text, "wrong status") {
		t.Errorf("%v", err)
	}
	if err := s.disconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(s.latest.notes(), "\n")
	if s.timed.Account.Failed == 0 || notes != "first wrong answer: 500 Internal Server Error: not leader" {
		t.Errorf("account %+v, notes %q", s.timed.Account, notes)
	}
}

// A start needs no measurement around it: it starts a program, finds its port, loads it for a
// slice, and accounts for every request at its end.
func TestAStart(t *testing.T) {
	s := aStart(t)
	v, r := s.service, s.task
	if err := s.warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	gauge := machine.OpenGauge()
	defer gauge.Close()
	one, err := s.measure(t.Context(), newConditionsWindow(gauge))
	if err != nil || one.Loaded.Answered == 0 || one.Loaded.Failed > 0 || one.Counters.CPU <= 0 ||
		one.Loaded.Duration < r.Slice {
		t.Errorf("%+v, %v", one, err)
	}
	if s.warmed.answered == 0 || s.drain == 0 {
		t.Errorf("warm-up: %+v, drains wait for %v", s.warmed, s.drain)
	}
	if err := s.disconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := v.timed.Account.Balance(); err != nil ||
		v.timed.Account.Answered != one.Loaded.Answered+s.warmed.answered {
		t.Errorf("account %+v, %v", v.timed.Account, err)
	}
	if len(v.timed.Samples) != 0 || v.runs != 1 || s.died() != nil {
		t.Errorf("%d samples are kept, %d starts", len(v.timed.Samples), v.runs)
	}
}
