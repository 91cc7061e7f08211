package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// importFile runs hone profile import and returns its exit code, what it said, and its
// peak memory in bytes.
func importFile(t *testing.T, file string) (code int, stderr string, peak int64) {
	t.Helper()
	cmd := exec.Command(honeBinary, "profile", "import", file, "--ledger", filepath.Join(t.TempDir(), "ledger"))
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("no usage of a child process")
	}
	return cmd.ProcessState.ExitCode(), said.String(), usage.Maxrss * rssUnit
}

// Fault 23: a megabyte of gzip that unpacks to a gigabyte is refused, within a second on a
// machine that does nothing else.
func TestImportRefusesABomb(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bomb.pb.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	if _, err := io.CopyN(w, zeros{}, 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	code, said, peak := importFile(t, file)
	took := time.Since(began)
	t.Logf("refused after %v with %d MB of memory", took, peak>>20)
	if code != 2 || !strings.Contains(said, "exceeds a limit") || peak > 200<<20 || took > 10*time.Second {
		t.Errorf("exit code %d after %v, %d MB of memory: %s", code, took, peak>>20, said)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Fault 24, from outside: damaged profiles are refused, and hone neither panics nor hangs.
// Package prof tries ten thousand of them, and its fuzz tests more.
func TestImportRefusesDamage(t *testing.T) {
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
		if code, said, _ := importFile(t, file); code != 2 || !strings.Contains(said, "damaged.pb.gz") || strings.Contains(said, "goroutine") {
			t.Errorf("%d bytes changed: exit code %d: %s", 1+i, code, said)
		}
	}
}
