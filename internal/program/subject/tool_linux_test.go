package subject

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Hone is killed while it builds: go dies at once, and the next hone ends the tool that go
// has left. The tool stands for a compiler or linker that works for long.
func TestKilledHoneLeavesNoBuild(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"go.mod": "module example.com/slow\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n",
		"tool": "#!/bin/sh\ncase \"$*\" in *-V=full) exec \"$@\";; esac\necho $$ $PPID >\"$TOOL_PIPE\"\nexec sleep 1000\n",
	})
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	hone := exec.Command(os.Args[0], rolePrefix+"hone-build", dir)
	hone.Env = append(os.Environ(), "TOOL_PIPE="+pipe)
	hone.Stdout, hone.Stderr = os.Stderr, os.Stderr
	if err := hone.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = hone.Process.Kill()
		_ = hone.Wait()
	})
	tool, goTool := firstTool(t, pipe)

	sendAll(t, syscall.SIGKILL, hone.Process.Pid)
	wantGone(t, time.Now(), []int{goTool})
	_ = hone.Wait()
	if len(living([]int{tool})) != 1 {
		t.Fatal("the tool has ended by itself: this test shows nothing")
	}
	if said := EndOrphans(); !strings.Contains(said, "hone was killed") {
		t.Errorf("it says %q", said)
	}
	wantGone(t, time.Now(), []int{tool})
}

// firstTool reads the PIDs of the first tool of a build, and of go, from the named pipe.
func firstTool(t *testing.T, pipe string) (tool, goTool int) {
	t.Helper()
	// For reading and writing: the open does not wait for a build that has failed.
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(f).ReadString('\n')
	if n, _ := fmt.Sscan(line, &tool, &goTool); n != 2 || err != nil {
		t.Fatalf("the first tool says %q, %v", line, err)
	}
	return tool, goTool
}

// A command's mark replaces an inherited one, and the caller's environment is left alone.
func TestMarkOfCommand(t *testing.T) {
	env := append(make([]string, 0, 8), "A=1", markVariable+"=older")
	cmd := exec.Command("true")
	cmd.Env = env
	Mark(cmd)
	given := cmd.Environ()
	marks := slices.DeleteFunc(slices.Clone(given), func(entry string) bool { return !strings.HasPrefix(entry, markVariable+"=") })
	if len(marks) != 1 || !slices.Contains(given, "A=1") {
		t.Fatalf("environment %q; want one mark", given)
	}
	own, err := self()
	if err != nil {
		t.Fatal(err)
	}
	if owner, ok := parseMark(strings.TrimPrefix(marks[0], markVariable+"=")); !ok || owner != own {
		t.Errorf("mark %q is read as %+v, want %+v", marks[0], owner, own)
	}
	if extra := env[:3][2]; extra != "" {
		t.Errorf("%q was written into the caller's slice", extra)
	}
}
