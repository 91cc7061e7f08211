package processes

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// Both ways to find the processes below another one agree.
func TestBelow(t *testing.T) {
	shell := exec.Command("sh", "-c", "sleep 1000 & sleep 1000 & echo up; wait")
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range Below(shell.Process.Pid, 0) {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
		_ = shell.Process.Kill()
		_ = shell.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	byFiles, byParents := Below(shell.Process.Pid, 0), belowByParent(shell.Process.Pid)
	slices.Sort(byFiles)
	slices.Sort(byParents)
	if len(byFiles) != 2 || !slices.Equal(byFiles, byParents) {
		t.Errorf("%v by the files of children, %v by the parents of all; want two processes", byFiles, byParents)
	}
}
