package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// Fault 17: a target that stands still for 1 s of 10 s at 1000 requests/s, and one that
// does so from 2 s before the end until after it. What was due in that time is in the tail
// at its age. Package load tells the same story against the server's own log.
func TestAFrozenTargetShowsInTheTail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stop, cont  time.Duration // after the load began
		least, most time.Duration // p99; a busy machine adds to it
		unanswered  bool
	}{
		"for 1 s": {4 * time.Second, 5 * time.Second, 850 * time.Millisecond, 2 * time.Second,
			false},
		"from 2 s before the end on": {8 * time.Second, time.Hour, 1800 * time.Millisecond, 10 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they mostly wait
			server, url := startTarget(t)
			dir := t.TempDir()
			cmd := exec.Command(honeBinary, "load", url, "--rate", "1000", "-d", "10s", "-c", "50", "--warmup", "0",
				"--set", "interval=100ms", "-o", "result.jsonl", "--json")
			cmd.Dir = dir
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			storytest.Poll(t, "load", loading(dir, 1)) // 0.1 s of it
			for at, signal := range map[time.Duration]syscall.Signal{c.stop: syscall.SIGSTOP, c.cont: syscall.SIGCONT} {
				defer time.AfterFunc(at-100*time.Millisecond, func() { _ = server.Process.Signal(signal) }).Stop()
			}
			code := exitCode(t, cmd.Wait())
			var got struct {
				Valid    bool
				Requests struct{ Scheduled, Unsent, Unanswered, Failed uint64 }
				Latency  struct {
					P99 time.Duration `json:"p99_ns"`
				}
			}
			if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
				t.Fatalf("%v of %s", err, &stdout)
			}
			r := got.Requests
			if p99 := got.Latency.P99; p99 < c.least || p99 > c.most || r.Scheduled != 10_000 || r.Failed > 0 {
				t.Errorf("exit code %d, p99 %v, want %v to %v: %+v", code, p99, c.least, c.most, got)
			}
			if lost := r.Unanswered > 0 && r.Unsent > 0; lost != c.unanswered || lost && code != 4 {
				t.Errorf("exit code %d, unanswered %d, unsent %d", code, r.Unanswered, r.Unsent)
			}
		})
	}
}
