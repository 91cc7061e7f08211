package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/testkit/storytest"
)

// startTarget starts a loadsvc, which ends with the test.
func startTarget(t *testing.T) (server *exec.Cmd, url string) {
	t.Helper()
	dir, address := t.TempDir(), "127.0.0.1:"+storytest.FreePort(t)
	server = exec.Command(filepath.Join(filepath.Dir(honeBinary), "loadsvc"), "-addr", address, "-ready",
		filepath.Join(dir, "ready"))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	storytest.Poll(t, "server", func() bool { return exists(filepath.Join(dir, "ready")) })
	return server, "http://" + address + "/"
}

// startLoad starts a loadsvc and a hone load of a path of it, whose result goes to result.jsonl.
func startLoad(t *testing.T, path string, args ...string) (cmd *exec.Cmd, dir string, out *bytes.Buffer) {
	t.Helper()
	_, url := startTarget(t)
	dir = t.TempDir()
	cmd = exec.Command(honeBinary, append([]string{"load", url + path, "-o", "result.jsonl"}, args...)...)
	cmd.Dir = dir
	out = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, dir, out
}

// loading says that the load itself is under way: some of its slices are on disk.
func loading(dir string, slices int) func() bool {
	return func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "result.jsonl.partial"))
		return err == nil && bytes.Count(text, []byte(`{"slice":`)) >= slices
	}
}

// Ctrl-C ends the sending, waits for what is outstanding, and keeps the result. Each request takes 20 ms, so some ten
// of them are.
func TestAnInterruptedLoadIsReportedAndKept(t *testing.T) {
	t.Parallel()
	cmd, dir, out := startLoad(t, "slow", "-v", "--rate", "500", "-d", "10m", "-c", "50", "--set", "interval=50ms")
	storytest.Poll(t, "load", loading(dir, 3))
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd.Wait()); code != 130 {
		t.Errorf("exit code %d, want 130\n%s", code, out)
	}
	for _, want := range []string{"hone: interrupted", "failed 0 + unanswered 0", "status codes: 200: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	report := exec.Command(honeBinary, "load", "report", "result.jsonl")
	report.Dir = dir
	if again, err := report.CombinedOutput(); exitCode(t, err) != 130 ||
		!strings.Contains(string(again), "interrupted") {
		t.Errorf("reported again: %v\n%s", err, again)
	}
	if shown := showNewest(t, dir); !strings.Contains(out.String(), shown) ||
		!strings.Contains(shown, "interrupted after") {
		t.Errorf("hone show says\n%s\nhone load said\n%s", shown, out)
	}
}

// showNewest is what hone show prints of the only run of the ledger in dir.
func showNewest(t *testing.T, dir string) string {
	t.Helper()
	l, err := ledger.OpenReader(filepath.Join(dir, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := l.Runs(ledger.RunFilter{})
	if err := errors.Join(err, l.Close()); err != nil || len(runs) != 1 {
		t.Fatalf("runs %+v, want one: %v", runs, err)
	}
	show := exec.Command(honeBinary, "show", runs[0].ID)
	show.Dir = dir
	text, err := show.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A killed hone leaves what it had measured.
func TestAKilledLoadLeavesItsSlices(t *testing.T) {
	t.Parallel()
	cmd, dir, _ := startLoad(t, "", "-d", "10m", "-c", "2", "--set", "interval=50ms")
	storytest.Poll(t, "load", loading(dir, 3))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	report := exec.Command(honeBinary, "load", "report", "result.jsonl.partial")
	report.Dir = dir
	out, _ := report.CombinedOutput()
	if !strings.Contains(string(out), "breaks off") || !strings.Contains(string(out), "status codes: 200: ") {
		t.Errorf("report of what was left:\n%s", out)
	}
	if shown := showNewest(t, dir); !strings.HasPrefix(shown, "no result (crashed): hone (PID ") ||
		!strings.Contains(shown, "closed loop, 10m0s") {
		t.Errorf("hone show says\n%s", shown)
	}
}
