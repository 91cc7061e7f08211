//go:build !linux

package gobench

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup puts the process in a group of its own that dies with ctx. It outlives a hone
// that is killed: there is no death signal here.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// endGroup does nothing: without a wait that leaves the process unreaped, its number may
// belong to another by the time of the kill.
func endGroup(*exec.Cmd) {}
