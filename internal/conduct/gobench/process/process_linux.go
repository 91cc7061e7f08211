package process

import (
	"os/exec"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// endGroup waits until the process has ended and kills what it left in its group, whose CPU time it returns. The
// process is not reaped before, so the number of the group is still its own, and the kernel still has its counters.
func endGroup(cmd *exec.Cmd) (left time.Duration, written Written) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	if p, err := procfs.NewProc(cmd.Process.Pid); err == nil {
		if io, err := p.IO(); err == nil {
			written = Written{Bytes: io.WChar, Stored: io.WriteBytes, Known: true}
		}
	}
	left = cpuOfOthers(cmd.Process.Pid)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	return left, written
}

// cpuOfOthers is the CPU time of the processes of a group without its leader, with that of children that they waited
// for. The kernel counts it in hundredths of a second.
func cpuOfOthers(group int) (total time.Duration) {
	processes, _ := procfs.AllProcs()
	for _, process := range processes {
		s, err := process.Stat()
		if err != nil || s.PGRP != group || s.PID == group { // it has ended, or belongs to others
			continue
		}
		ticks := int(s.UTime+s.STime) + s.CUTime + s.CSTime
		total += time.Duration(ticks) * time.Second / 100
	}
	return total
}
