package once

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/progress"
)

var kept []byte

// burnFor uses CPU time and memory for so many seconds.
func burnFor(seconds string) {
	n, _ := strconv.ParseFloat(seconds, 64)
	x := 0
	for end := time.Now().Add(time.Duration(n * float64(time.Second))); time.Now().Before(end); {
		for i := range 100_000 {
			x = x*31 + i
		}
		kept = make([]byte, 1<<20)
	}
	fmt.Println(x, len(kept))
}

// heard is what a measurement said.
type heard struct{ phases, warnings []string }

var _ progress.Sink = (*heard)(nil)

func (h *heard) Phase(name string, _ time.Duration) { h.phases = append(h.phases, name) }
func (h *heard) Tick(progress.Tick)                 {}
func (h *heard) Warn(text string)                   { h.warnings = append(h.warnings, text) }

// onceLab is a lab with a ledger of its own, and scripts in its working directory.
type onceLab struct{ *lab.Lab }

func newOnceLab(t *testing.T) *onceLab {
	t.Helper()
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &onceLab{&lab.Lab{Ledger: l, Guard: []string{exe, guardRole}, WorkDir: dir, Progress: &heard{},
		Hard: t.Context(), Version: "test"}}
}

// script writes a program of the shell into the working directory and returns the
// variant that executes it.
func (c *onceLab) script(t *testing.T, name, text string, args ...string) build.Variant {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.WorkDir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return build.Variant{Name: "A", Source: "./" + name, Args: args}
}

// loop uses so many steps of CPU time.
func loop(n int) string {
	return fmt.Sprintf("i=0; while [ $i -lt %d ]; do i=$((i+1)); done", n)
}

// compiler is a C or C++ compiler; the test is skipped, visibly, where there is none.
func compiler(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: no %s here, so no program of its language is executed", name)
	}
	return path
}

// artefact is what the ledger keeps of a run under a name; nil if there is nothing.
func (c *onceLab) artefact(t *testing.T, run, name string) []byte {
	t.Helper()
	all, err := c.Ledger.Artefacts(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Name == name {
			data, err := c.Ledger.ReadArtefact(a)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
	}
	return nil
}

// mentions wants every part in the text of an error.
func mentions(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
}
