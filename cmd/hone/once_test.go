package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// executed is hone run --once on a program that says in the files pid and served that it
// runs, and in the file asked that it got SIGTERM; then it does what then says.
func executed(t *testing.T, then string, flags ...string) (dir string, cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	dir = t.TempDir()
	program := filepath.Join(dir, "program")
	write(t, program, "#!/bin/sh\ntrap 'echo yes > asked; "+then+
		"' TERM\necho $$ > pid\necho before\necho yes > served\nwhile :; do sleep 0.02; done\n")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(honeBinary, append(append([]string{"run", "--once"}, flags...), "--", "./program")...)
	cmd.Dir = dir
	out = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return dir, cmd, out
}

// Ctrl-C lets the program end as it wants to, and keeps what it wrote.
func TestInterruptEndsAnExecution(t *testing.T) {
	t.Parallel()
	dir, cmd, out := executed(t, "echo cleaned up; exit 0")
	interrupt(t, cmd, filepath.Join(dir, "served"))
	wasInterrupted(t, dir, cmd, out)
	show := exec.Command("sh", "-c", "cat $(\"$0\" show -v "+firstRun(t, history(t, dir))+
		" | awk '/^output: stdout/{print $NF}')", honeBinary)
	show.Dir = dir
	if kept, err := show.CombinedOutput(); err != nil || string(kept) != "before\ncleaned up\n" {
		t.Errorf("kept %q, %v", kept, err)
	}
}

// A second Ctrl-C ends even a program that would not stop.
func TestSecondInterruptKillsAnExecution(t *testing.T) {
	t.Parallel()
	dir, cmd, out := executed(t, ":", "--set", "grace=10m")
	interrupt(t, cmd, filepath.Join(dir, "served"))
	interrupt(t, cmd, filepath.Join(dir, "asked"))
	wasInterrupted(t, dir, cmd, out)
	if !strings.Contains(out.String(), "had to be killed: program") {
		t.Errorf("it does not say so:\n%s", out)
	}
}

// A hone that is killed leaves no program behind, and a row that says so.
func TestKilledHoneEndsTheExecution(t *testing.T) {
	t.Parallel()
	dir, cmd, _ := executed(t, ":")
	storytest.Poll(t, "program", func() bool { return exists(filepath.Join(dir, "served")) })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	storytest.Poll(t, "end of the program", func() bool { return dead(t, filepath.Join(dir, "pid")) })
	if h := history(t, dir); !strings.Contains(h, "crashed") {
		t.Errorf("history does not list the crash:\n%s", h)
	}
}
