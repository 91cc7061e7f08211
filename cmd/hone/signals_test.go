package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// reporter is a service that writes its PID to the file pid when it listens, and the
// file served after its first requests under load.
const reporter = `package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
)

func main() {
	ln, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("pid", []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
		log.Fatal(err)
	}
	var served atomic.Int64
	log.Fatal(http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) == 500 {
			os.WriteFile("served", []byte("yes"), 0o600)
		}
	})))
}
`

// project writes the reporter as a module and returns its directory.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/reporter\n\ngo 1.21\n")
	write(t, filepath.Join(dir, "main.go"), reporter)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// hone starts the real hone on the reporter in dir.
func hone(t *testing.T, dir string, extra ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	args := append([]string{"run", ".", "-d", "60s", "-c", "2", "--warmup", "50ms", "--target",
		"http://127.0.0.1:{port}/"}, extra...)
	cmd := exec.Command(honeBinary, append(args, "--", "127.0.0.1:{port}")...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

// history is what hone says afterwards; it must work without any repair.
func history(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command(honeBinary, "history")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("hone history: %v\n%s", err, out)
	}
	return string(out)
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

func dead(t *testing.T, pidFile string) bool {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		return true // it never listened
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatalf("%s: %v", pidFile, err)
	}
	return syscall.Kill(pid, 0) == syscall.ESRCH
}

// Fault 14: Ctrl-C drains and saves; 130; nothing survives.
func TestInterruptDrainsAndSaves(t *testing.T) {
	t.Parallel()
	dir := project(t)
	cmd, out := hone(t, dir)
	interrupt(t, cmd, filepath.Join(dir, "served"))
	wasInterrupted(t, dir, cmd, out)
	var run struct {
		Counts struct{ Answered, Unanswered uint64 }
	}
	text := next(t, dir, "show", firstRun(t, history(t, dir)), "--json")
	if err := json.Unmarshal(text, &run); err != nil || run.Counts.Answered < 500 || run.Counts.Unanswered > 0 {
		t.Errorf("%v: %+v; want what was answered, and nothing outstanding", err, run)
	}
}

// interrupt presses Ctrl-C as soon as a file is there.
func interrupt(t *testing.T, cmd *exec.Cmd, file string) {
	t.Helper()
	storytest.Poll(t, filepath.Base(file), func() bool { return exists(file) })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// wasInterrupted wants exit code 130, no survivor, and the run in the ledger.
func wasInterrupted(t *testing.T, dir string, cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	if code := exitCode(t, cmd.Wait()); code != 130 {
		t.Errorf("exit code %d, want 130\n%s", code, out)
	}
	if !dead(t, filepath.Join(dir, "pid")) {
		t.Error("the program outlives hone")
	}
	if h := history(t, dir); !strings.Contains(h, "interrupted") {
		t.Errorf("history does not list the interrupted run:\n%s", h)
	}
	next(t, dir, "ledger", "verify") // it was closed in good order
}

// Fault 14: a second Ctrl-C ends even a program that would not stop.
func TestSecondInterruptStopsAtOnce(t *testing.T) {
	t.Parallel()
	dir := project(t)
	write(t, filepath.Join(dir, "ignore.go"), `package main

import (
	"os"
	"os/signal"
	"syscall"
)

// It ignores what asks it to stop, and says so in the file asked.
func init() {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGTERM)
	go func() {
		<-ch
		os.WriteFile("asked", []byte("yes"), 0o600)
	}()
}
`)
	cmd, out := hone(t, dir, "--set", "grace=10m")
	interrupt(t, cmd, filepath.Join(dir, "served"))
	interrupt(t, cmd, filepath.Join(dir, "asked")) // it got SIGTERM and ignores it
	wasInterrupted(t, dir, cmd, out)
}

func firstRun(t *testing.T, history string) string {
	t.Helper()
	for line := range strings.Lines(history) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[3] == "run" {
			return fields[2]
		}
	}
	t.Fatalf("no run in:\n%s", history)
	return ""
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return exit.ExitCode()
}
