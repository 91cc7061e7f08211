package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// standInEnv makes this test a stand-in for a hone that runs a benchmark process, which writes
// its PID and its mark to the named pipe in the variable.
const standInEnv = "HONE_TEST_BENCH_STANDIN"

// Hone is killed while a benchmark runs: the benchmark dies at once, though it ignores
// SIGTERM. It has a mark, for what it started.
func TestKilledHoneLeavesNoBenchmark(t *testing.T) {
	if pipe := os.Getenv(standInEnv); pipe != "" {
		_, err := Program{Path: "/bin/sh", Dir: "/", Env: os.Environ()}.
			Run(t.Context(), "-c", `trap "" TERM; echo "$$ $HONE_SUBJECT" >"$0"; while :; do sleep 0.05; done`, pipe)
		t.Fatalf("the benchmark has ended: %v", err)
	}
	pipe := t.TempDir() + "/pipe"
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	hone := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	hone.Env = append(os.Environ(), standInEnv+"="+pipe)
	if err := hone.Start(); err != nil {
		t.Fatal(err)
	}
	defer hone.Wait()
	defer hone.Process.Kill()

	line := make([]byte, 256)
	_ = f.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := f.Read(line)
	number, mark, _ := strings.Cut(strings.TrimSpace(string(line[:n])), " ")
	pid, wrong := strconv.Atoi(number)
	if err != nil || wrong != nil || !strings.Contains(mark, fmt.Sprintf("-%d-", hone.Process.Pid)) {
		t.Fatalf("the benchmark says %q, %v, %v; want its PID and a mark with hone's", line[:n], err, wrong)
	}
	killed := time.Now()
	if err := hone.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lives(pid) {
		if time.Since(killed) > 5*time.Second {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("the benchmark (%d) lives 5 s after hone's death", pid)
		}
		time.Sleep(time.Millisecond)
	}
}

// lives says whether a process exists and is no zombie.
func lives(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.Contains(text, []byte(") Z "))
}

// The CPU time of children counts: of those that were waited for, and of those that are left in the group.
func TestCPUTimeOfChildrenCounts(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell here")
	}
	// Both write what they took themselves: two runs of one loop differ by more than a factor of two on a busy machine.
	const work = "i=0; while test $i -lt 300000; do i=$((i+1)); done; times > took"
	run := func(script string) (Ending, time.Duration) {
		t.Helper()
		dir := t.TempDir()
		e, err := Program{Path: sh, Dir: dir, Env: os.Environ()}.Run(t.Context(), "-c", script)
		if err != nil {
			t.Fatal(err)
		}
		said, err := os.ReadFile(filepath.Join(dir, "took"))
		var user, system time.Duration
		if words := strings.Fields(string(said)); err == nil && len(words) >= 2 {
			user, err = time.ParseDuration(words[0])
			if err == nil {
				system, err = time.ParseDuration(words[1])
			}
		}
		if err != nil || user+system == 0 {
			t.Fatalf("the work says %q: %v", said, err)
		}
		return e, user + system
	}
	// The kernel counts user and system time in hundredths of a second, each rounded.
	const rounded = 20 * time.Millisecond
	setsid, err := exec.LookPath("setsid")
	if err != nil {
		t.Log("a process that leaves the group is not tested: there is no setsid here")
		setsid = ""
	}
	for what, c := range map[string]struct {
		script string
		left   bool // it outlives its parent
	}{
		"a child that leaves the group": {script: "mkfifo done; " + setsid + " sh -c '" + work +
			"; echo > done; exec sleep 600' & read line < done", left: true},
		"by itself":        {script: work},
		"a child, awaited": {script: "(" + work + ") & wait"},
		"a child, left": {script: "mkfifo done; (" + work + "; echo > done; exec sleep 600) & read line < done",
			left: true},
	} {
		e, took := run(c.script)
		counted := e.CPU
		if c.left {
			counted = e.Left
		}
		if counted < took-rounded || c.left != (e.Left > e.CPU) || !c.left && e.Left != 0 {
			t.Errorf("%s, it took %v: %v, and %v of what is left", what, took, e.CPU, e.Left)
		}
	}
}

// What a process writes is known when it has ended, with what its children write. What goes to nowhere is not stored.
func TestWhatAProcessWrites(t *testing.T) {
	for what, c := range map[string]struct {
		script      string
		bytes, more uint64 // and what a shell may write besides
	}{
		"nothing":       {"true", 0, 1000},
		"a file":        {"head -c 100000 /dev/zero >file", 100_000, 1000},
		"to nowhere":    {"head -c 100000 /dev/zero >/dev/null", 100_000, 1000},
		"to its output": {"head -c 100000 /dev/zero", 100_000, 1000},
	} {
		e, err := Program{Path: "/bin/sh", Dir: t.TempDir(), Env: os.Environ()}.Run(t.Context(), "-c", c.script)
		if err != nil {
			t.Fatal(err)
		}
		w := e.Written
		if !w.Known || w.Bytes < c.bytes || w.Bytes > c.bytes+c.more || what != "a file" && w.Stored > 0 {
			t.Errorf("%s: %+v", what, w)
		}
	}
}
