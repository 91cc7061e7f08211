package subject

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
)

// script is a program of the shell.
func script(text string) *build.Binary {
	return &build.Binary{Path: "/bin/sh", Variant: build.Variant{Args: []string{"-c", text}}}
}

// once runs a program to its end.
func once(t *testing.T, b *build.Binary, o StartOptions) (usage.Spent, error) {
	t.Helper()
	p, err := StartOnce(t.Context(), b, withGuard(o))
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if _, err := p.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	return p.Ending()
}

// burning is a loop of the shell that takes some milliseconds at the least.
const burning = "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done"

func TestOnceTellsWhatWasSpent(t *testing.T) {
	leaktest.None(t)
	s, err := once(t, script(burning), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.CPU() <= 0 || s.Real <= 0 || s.MinorFaults <= 0 {
		t.Errorf("%+v", s)
	}
	// One thread cannot use more CPU time than there was, but for the clocks' own steps.
	if s.CPU() > s.Real+20*time.Millisecond {
		t.Errorf("CPU %v in %v", s.CPU(), s.Real)
	}
}

// The children that a program waited for count, and those that it left to the guard.
func TestOnceCountsTheTree(t *testing.T) {
	leaktest.None(t)
	alone, err := once(t, script(burning), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	six := strings.Repeat("; "+burning, 6)[2:]
	pid := filepath.Join(t.TempDir(), "pid")
	for name, text := range map[string]string{
		"waited for": "(" + six + ")",
		// An orphan has its number until the guard has reaped it.
		"left": "((" + six + ") & echo $! > " + pid + "); while kill -0 $(cat " + pid +
			") 2>/dev/null; do sleep 0.05; done",
	} {
		s, err := once(t, script(text), StartOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if s.CPU() < alone.CPU()*3/2 {
			t.Errorf("%s: six loops took %v, one by itself %v", name, s.CPU(), alone.CPU())
		}
	}
}

// A small program has its own peak, not that of the hone that started it.
func TestOncePeakIsTheProgramsOwn(t *testing.T) {
	leaktest.None(t)
	s, err := once(t, script(strings.Repeat(burning+"; ", 5)), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const shell = 8 << 20 // the largest shell, and some; the guard of this test is larger
	if s.AtMost || s.MaxResident <= 0 || s.MaxResident > shell {
		t.Errorf("max resident %d, at most: %v", s.MaxResident, s.AtMost)
	}
}

func TestOnceLargePeak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("head -c with a unit, and tail that keeps all of it, are those of Linux")
	}
	leaktest.None(t)
	s, err := once(t, script("head -c 100M /dev/zero | tail -c 100M | wc -c"), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.AtMost || s.MaxResident < 90<<20 || s.MaxResident > 400<<20 {
		t.Errorf("max resident %d, at most: %v; tail holds 100 MiB", s.MaxResident, s.AtMost)
	}
}

func TestOnceFailures(t *testing.T) {
	leaktest.None(t)
	_, err := once(t, script("echo out; echo out of cheese >&2; exit 7"), StartOptions{})
	wantFail(t, err, fail.Subject, "sh ended with exit code 7", "stderr:\nout of cheese")
	_, err = once(t, script("kill -9 $$"), StartOptions{})
	wantFail(t, err, fail.Subject, "sh was ended by signal 9", "it wrote nothing")
	_, err = StartOnce(t.Context(), &build.Binary{Path: os.DevNull}, withGuard(StartOptions{}))
	wantFail(t, err, fail.Subject, "start /dev/null")
}

// What the program writes goes where it is asked for, and is kept as well; it has nothing
// to read, and no probe that it was not given.
func TestOnceOutput(t *testing.T) {
	leaktest.None(t)
	t.Setenv(guard.ProbeEnv, "/some/where")
	var out, errs bytes.Buffer
	p, err := StartOnce(t.Context(), script("cat; echo to out; echo to err >&2; echo probe=$"+guard.ProbeEnv),
		withGuard(StartOptions{Output: OutputOptions{Stdout: &out, Stderr: &errs}}))
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if _, err := p.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if out.String() != "to out\nprobe=\n" || errs.String() != "to err\n" || p.Output().Stdout.String() != out.String() {
		t.Errorf("out %q, err %q, kept %q", &out, &errs, p.Output().Stdout.String())
	}
}

// A program that is stopped is ended, with what it took by then.
func TestOnceStopped(t *testing.T) {
	leaktest.None(t)
	p, err := StartOnce(t.Context(), script("sleep 1000"), withGuard(StartOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	s, err := p.Ending()
	wantFail(t, err, fail.Subject, "signal 15")
	if s.Real <= 0 {
		t.Errorf("%+v", s)
	}
}
