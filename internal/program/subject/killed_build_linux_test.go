package subject

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// Hone is killed while it builds: go dies at once, and the next hone ends the tool that go
// has left. The tool stands for a compiler or linker that works for long.
func TestKilledHoneLeavesNoBuild(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{
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
	if said := lifetime.EndOrphans(); !strings.Contains(said, "hone was killed") {
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
