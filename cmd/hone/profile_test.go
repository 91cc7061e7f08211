package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/proftest"
)

// Views of small files that ask for much: each is refused, or shown, for little
// memory. hone itself takes 35 MB.
func TestViewsOfBombs(t *testing.T) {
	for _, b := range proftest.Bombs() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "bomb.pb.gz")
			if err := os.WriteFile(file, b.File(), 0o600); err != nil {
				t.Fatal(err)
			}
			views := [][]string{{"flame"}}
			if !b.Refused {
				views = [][]string{{"flame"}, {"list", "."}, {"top", "--json"}, {"flame", "--json"}}
			}
			for _, view := range views {
				var text counter
				cmd := exec.Command(honeBinary, append(append([]string{"profile"}, view...), file, "--max-output",
					"8")...)
				cmd.Stdout = &text
				code, said, peak := runChild(t, cmd)
				if want := map[bool]int{true: 2}[b.Refused]; code != want || peak > 200<<20 || text > 16<<20 {
					t.Errorf("%v: exit code %d, want %d; %d MB of memory, %d MB of text: %s", view, code, want,
						peak>>20, text>>20, said)
				}
			}
		})
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// pullFile runs hone pull and returns its exit code, what it said, and its
// peak memory in bytes.
func pullFile(t *testing.T, file string) (code int, stderr string, peak int64) {
	t.Helper()
	cmd := exec.Command(honeBinary, "pull", file, "--ledger", filepath.Join(t.TempDir(), "ledger"))
	return runChild(t, cmd)
}

// Fault 23: a megabyte of gzip that unpacks to a gigabyte is refused, within a second on a
// machine that does nothing else.
func TestPullRefusesABomb(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bomb.pb.gz")
	if err := os.WriteFile(file, proftest.Zeros(1<<30, 1<<30), 0o600); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	code, said, peak := pullFile(t, file)
	took := time.Since(began)
	t.Logf("refused after %v with %d MB of memory", took, peak>>20)
	if code != 2 || !strings.Contains(said, "exceeds a limit") || peak > 200<<20 || took > 10*time.Second {
		t.Errorf("exit code %d after %v, %d MB of memory: %s", code, took, peak>>20, said)
	}
}

// Fault 24, from outside: damaged profiles are refused, and hone neither panics nor hangs.
// Package prof tries ten thousand of them, and its fuzz tests more.
func TestPullRefusesDamage(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile("../../prof/testdata/work.cpu.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 20 {
		damaged := bytes.Clone(whole)
		for range 1 + i {
			damaged[rng.IntN(len(damaged))] ^= byte(1 + rng.IntN(255))
		}
		file := filepath.Join(t.TempDir(), "damaged.pb.gz")
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, said, _ := pullFile(t, file); code != 2 || !strings.Contains(said, "damaged.pb.gz") ||
			strings.Contains(said, "goroutine") {
			t.Errorf("%d bytes changed: exit code %d: %s", 1+i, code, said)
		}
	}
}
