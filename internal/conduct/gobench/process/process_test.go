package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a benchmark leaves running in its group ends with it.
func TestNothingOfTheGroupOutlivesARun(t *testing.T) {
	if err := onlyOnLinux(); err != nil {
		t.Skip(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell here")
	}
	dir := t.TempDir()
	e, err := Program{Path: sh, Dir: dir, Env: os.Environ()}.Run(t.Context(), "-c", "sleep 600 & echo $!")
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(e.Stdout)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if !alive(pid) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("process %s is still there", pid)
		}
	}
}

// alive says whether a process runs; one that only waits to be reaped does not.
func alive(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func onlyOnLinux() error {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		return errors.New("there is no /proc here, and what a benchmark leaves behind is not ended")
	}
	return nil
}

func TestTheEndOfALongOutputIsKept(t *testing.T) {
	w := &tail{most: 1000}
	for i := range 5000 {
		if _, err := w.Write([]byte(strings.Repeat(string(rune('a'+i%26)), 7))); err != nil {
			t.Fatal(err)
		}
	}
	if w.Write([]byte("the end")); len(w.String()) != 1000 || !strings.HasSuffix(w.String(), "the end") {
		t.Errorf("kept %d bytes", len(w.String()))
	}
	if words := (Ending{Stderr: "panic: at once\n" +
		strings.Repeat("trace\n", 100)}).LastWords(); !strings.HasPrefix(words, "panic: at once") {
		t.Errorf("last words: %s", words)
	}
	e := Ending{Stdout: "--- FAIL: BenchmarkX\n", Stderr: strings.Repeat("noise\n", 100) + "panic: why\n" +
		strings.Repeat("trace\n", 100)}
	if words := e.LastWords(); !strings.Contains(words, "--- FAIL: BenchmarkX") ||
		!strings.Contains(words, "panic: why") || strings.Contains(words, "noise") {
		t.Errorf("last words: %s", words)
	}
}

// A plain process has no mark, and its parent is a shell and not hone. Its CPU time and its exit code are its own.
func TestAPlainProcessDoesNotShowHone(t *testing.T) {
	if err := onlyOnLinux(); err != nil {
		t.Skip(err)
	}
	const script = `echo "mark=$HONE_SUBJECT"; cat /proc/$PPID/comm; exit 3`
	e, err := Program{Path: "/bin/sh", Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}, Plain: true}.
		Run(t.Context(), "-c", script)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || e.Stdout != "mark=\nsh\n" {
		t.Errorf("it says %q, %v", e.Stdout, err)
	}
}
