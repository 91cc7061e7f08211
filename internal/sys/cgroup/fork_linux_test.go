package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// A process starts in a group of version 2 by its clone, and Remove ends it. The group has no controllers: version 1
// may have them on this machine.
func TestForkIntoVersion2(t *testing.T) {
	g := Group{CPU: Part{Dir: groupOf2(t)}}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	attr, pid := &syscall.SysProcAttr{}, 0
	err := g.Fork(attr, func() (err error) {
		pid, err = syscall.ForkExec("/bin/sleep", []string{"sleep", "60"}, &syscall.ProcAttr{Sys: attr})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if !strings.Contains(string(text), "/"+filepath.Base(g.CPU.Dir)+"\n") {
		t.Errorf("it is in %q, %v; want %s", text, err, g.CPU.Dir)
	}
	own, _ := os.ReadFile("/proc/thread-self/cgroup")
	if strings.Contains(string(own), filepath.Base(g.CPU.Dir)) {
		t.Errorf("the thread that forked it is in the group: %s", own)
	}
	ended := make(chan struct{})
	go func() { // it ends with the process
		defer close(ended)
		_, _ = syscall.Wait4(pid, nil, 0, nil)
	}()
	if err := g.Remove(); err != nil {
		t.Error(err)
	}
	<-ended
	if _, err := os.Stat(g.CPU.Dir); !os.IsNotExist(err) {
		t.Errorf("the group is there: %v", err)
	}
}

// groupOf2 is a group of version 2 that was made for the test.
func groupOf2(t *testing.T) string {
	t.Helper()
	around, version1 := Around(strings.Join(linesOf2(), "\n"), here.text("proc/self/mountinfo"), "cpu")
	if len(around) == 0 || version1 {
		t.Skip("no control groups of version 2 are mounted")
	}
	dir := filepath.Join(around[0], fmt.Sprintf("%s%d-test", namePrefix, os.Getpid()))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skipf("this user may make no group: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Rmdir(dir) })
	return dir
}

// linesOf2 are the lines of /proc/self/cgroup on version 2, as if no controller were in version 1.
func linesOf2() (lines []string) {
	for line := range strings.Lines(here.text("proc/self/cgroup")) {
		if strings.HasPrefix(line, "0::") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
