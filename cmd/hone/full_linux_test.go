package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/testkit/storytest"
)

// fullBudget is how long a command may go on once the disk is full: a slice, the grace of
// the program, and what a busy machine adds. The load would go on for a minute.
const fullBudget = 10 * time.Second

// Fault 2: a file system of 64 MB fills in mid-run. Load and program stop, the message says
// what is needed and what is free, the run is partial with what was measured; 5. Once there
// is space again, everything works without a step of repair.
func TestDiskFillsInMidRun(t *testing.T) {
	t.Parallel()
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=64m")
		write(t, filepath.Join(dir, "go.mod"), "module example.com/reporter\n\ngo 1.21\n")
		write(t, filepath.Join(dir, "main.go"), reporter)
		for _, args := range [][]string{
			{"run", ".", "-d", "60s"},
			{"compare", ".", ".", "--budget", "60s"},
		} {
			args = append(args, "-c", "2", "--warmup", "50ms", "--target", "http://127.0.0.1:{port}/", "--",
				"127.0.0.1:{port}")
			fillUnder(t, dir, args)
			wantDead(t, dir)
		}
		wantPartial(t, dir, 3)
		next(t, dir, "run", "--once", "--", "true")
		next(t, dir, "ledger", "verify")
	})
}

// The same for the recording of a load test: what was recorded stays in its partial file.
func TestDiskFillsInMidLoad(t *testing.T) {
	t.Parallel()
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=64m")
		program, address := reporting(t, dir)
		// A slice of the recording takes half a minute: the disk is asked in between.
		fillUnder(t, dir, []string{"load", "http://" + address + "/", "-d", "1h", "-c", "2", "-o", "load.jsonl"})
		if left, err := filepath.Glob(filepath.Join(dir, "*.partial")); err != nil || len(left) != 1 {
			t.Errorf("partial recordings: %v, %v; want one", left, err)
		}
		next(t, dir, "load", "http://"+address+"/", "-d", "100ms", "-c", "2", "-o", "load.jsonl")
		if err := program.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("the service under load: %v", err)
		}
	})
}

// fillUnder starts hone in dir and, once the program has served, fills the disk. It wants the
// command to end with 5 soon after, and frees the space.
func fillUnder(t *testing.T, dir string, args []string) {
	t.Helper()
	served := filepath.Join(dir, "served")
	_ = os.Remove(served)
	cmd := exec.Command(honeBinary, args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(served); err == nil {
			break
		}
		if time.Now().After(end) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("hone %s did not come to its load:\n%s", args[0], &said)
		}
	}
	time.Sleep(2 * time.Second) // when the fault comes: two seconds into the load
	fill := filepath.Join(dir, "fill")
	fillDisk(t, fill)
	full := time.Now()
	code := exitCode(t, cmd.Wait())
	took := time.Since(full)
	t.Logf("hone %s ended after %v:\n%s", args[0], took, &said)
	if code != 5 || took > fullBudget {
		t.Errorf("hone %s: exit code %d after %v, want 5 within %v\n%s", args[0], code, took, fullBudget, &said)
	}
	for _, want := range []string{"disk full", "needed", " free", "hint: free space"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("hone %s does not say %q:\n%s", args[0], want, &said)
		}
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
}

// fillDisk writes a file until nothing more fits.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 64<<10); ; {
		if _, err := f.Write(block); err != nil {
			if len(block) == 1 {
				return
			}
			block = block[:len(block)/2]
		}
	}
}

// wantDead wants the program that wrote the file pid to have ended.
func wantDead(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("the program (PID %d) after the end of hone: %v, want none", pid, err)
	}
}

// wantPartial wants so many partial runs in the ledger, and no others.
func wantPartial(t *testing.T, dir string, want int) {
	t.Helper()
	l, err := ledger.OpenReader(filepath.Join(dir, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	runs := readLedger(t, dir, recentRuns).runs
	if len(runs) != want {
		t.Errorf("%d runs, want %d", len(runs), want)
	}
	for id, run := range runs {
		if run.status != "partial" || !strings.Contains(run.document, "disk full") {
			t.Errorf("run %s is %s, want partial since the disk was full", id, run.status)
		}
		if slices, err := l.Slices(id); err != nil || len(slices) < 3 {
			t.Errorf("run %s has %d slices, %v; want those before the disk was full", id, len(slices), err)
		}
	}
}

// reporting builds and starts the reporter in dir, and returns its address.
func reporting(t *testing.T, dir string) (*os.Process, string) {
	t.Helper()
	source := project(t)
	built := filepath.Join(source, "reporter")
	build := exec.Command("go", "build", "-o", built, ".")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	address := "127.0.0.1:" + storytest.FreePort(t)
	program := exec.Command(built, address)
	program.Dir = dir
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "pid")); err == nil {
			return program.Process, address
		}
		if time.Now().After(end) {
			t.Fatalf("the reporter does not listen within %v", patience)
		}
	}
}
