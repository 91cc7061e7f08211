package gobench

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// endGroup waits until the process has ended and kills what it left in its group. The
// process is not reaped before, so the number of the group is still its own.
func endGroup(cmd *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
