package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/metrics/metricstest"
	"github.com/gohone/hone/internal/store/record"
)

// Fault 32: the process that records metrics is killed. The run is whole, a warning says that
// its series have a gap, and they go on after it.
func TestAKilledRecorderLeavesAGap(t *testing.T) {
	dir := project(t)
	cmd := exec.Command(honeBinary, "run", ".", "-d", "3s", "-c", "2", "--warmup", "50ms", "--no-profile", "--json",
		"--target", "http://127.0.0.1:{port}/", "--", "127.0.0.1:{port}")
	cmd.Dir = dir
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if said = append(said, lines.Text()); strings.HasPrefix(lines.Text(), "measure ") {
			if err := syscall.Kill(recorderOf(t, cmd.Process.Pid), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		}
	}
	if code := exitCode(t, cmd.Wait()); code != 0 && code != 4 { // 4: this machine is busy
		t.Fatalf("exit %d\n%s", code, strings.Join(said, "\n"))
	}
	var run record.Run
	if err := json.Unmarshal(stdout.Bytes(), &run); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(run.Warnings, "\n"); !strings.Contains(text,
		"signal: killed): there is a gap in the record") {
		t.Errorf("no warning of the gap: %q", text)
	}
	for name, answered := range metricstest.Last(t, metrics.In(filepath.Join(dir, ".hone")),
		"hone_load_requests_answered_total{") {
		if uint64(answered) < run.Counts.Answered/2 {
			t.Errorf("%s ends at %v of %d answers", name, answered, run.Counts.Answered)
		}
	}
}

// recorderOf is the process that records for a hone.
func recorderOf(t *testing.T, hone int) int {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", hone))
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			// its thread may have ended
			children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", hone, task.Name()))
			for _, child := range strings.Fields(string(children)) {
				if name, _ := os.ReadFile("/proc/" + child +
					"/comm"); strings.TrimSpace(string(name)) == "hone-recorder" {
					pid, err := strconv.Atoi(child)
					if err != nil {
						t.Fatal(err)
					}
					return pid
				}
			}
		}
	}
	t.Fatal("hone has no process that records")
	return 0
}
