package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patient is a benchmark that writes the PID of its process to a file, and waits long
// enough to be interrupted once there is a file begun.
const patient = `package patient

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func BenchmarkPatient(b *testing.B) {
	f, err := os.OpenFile("pids", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(f, os.Getpid())
	f.Close()
	if seen, err := os.ReadFile("begun"); err == nil && len(seen) > 0 {
		os.WriteFile("waiting", seen, 0o600)
		time.Sleep(time.Hour)
	}
	for range b.N {
		time.Sleep(time.Microsecond)
	}
}
`

// benchInProgress starts the real hone on the patient benchmark, compared with itself, and
// returns when a process of it runs that would take an hour.
func benchInProgress(t *testing.T) (cmd *exec.Cmd, dir string, out *bytes.Buffer) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/patient\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "patient_test.go"), patient)
	cmd = exec.Command(honeBinary, "bench", "--vs", "./", "--benchtime", "5ms", "--budget", "1h", "-o", "results.txt")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "TMPDIR="+t.TempDir()) // a killed hone leaves its binaries
	out = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	until(t, "results of a pair", func() bool {
		for _, side := range []string{"A", "B"} {
			text, err := os.ReadFile(filepath.Join(dir, "results-"+side+".txt"))
			if err != nil || !strings.Contains(string(text), "BenchmarkPatient") {
				return false
			}
		}
		return true
	})
	write(t, filepath.Join(dir, "begun"), "yes")
	until(t, "a process that waits", func() bool {
		_, err := os.Stat(filepath.Join(dir, "waiting"))
		return err == nil
	})
	return cmd, dir, out
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s within %v", what, patience)
		}
	}
}

// ended waits until no process of the benchmark is left; one that only waits to be reaped
// by a parent that is not hone has ended too.
func ended(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "pids"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(text)) {
		until(t, "end of process "+pid, func() bool {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			return err != nil || strings.Contains(string(stat), ") Z ")
		})
	}
}

func TestCtrlCInABenchmarkKeepsResultsAndLeavesNoProcess(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc to look for processes in")
	}
	cmd, dir, out := benchInProgress(t)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("exit %v, want 130\n%s", err, out)
	}
	for _, want := range []string{"interrupted", "results-A.txt", "undecided"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out)
		}
	}
	ended(t, dir)
	compared, err := exec.Command(honeBinary, "bench", "compare", filepath.Join(dir, "results-A.txt"), filepath.Join(dir, "results-B.txt")).CombinedOutput()
	if !strings.Contains(string(compared), "Patient") {
		t.Errorf("the files do not compare: %v\n%s", err, compared)
	}
}

func TestAKilledHoneLeavesNoBenchmark(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc, and no death signal, here")
	}
	cmd, dir, _ := benchInProgress(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	ended(t, dir)
}
