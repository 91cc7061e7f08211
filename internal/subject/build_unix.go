//go:build unix

package subject

import (
	"os/exec"
	"syscall"
	"time"
)

// killGroup makes the end of cmd's context kill all that cmd started: go build runs
// compilers, and the death of go alone would leave them at work. The group is killed
// while its leader is not yet waited for, so its number cannot have passed to another.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second // for output held open by a process that left the group
}
