package process

import (
	"os/exec"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/program/lifetime"
)

// endGroup waits until the process has ended and kills what it left in its group, or with its mark, whose CPU time it
// returns. The process is not reaped before, so the number of the group is still its own, and the kernel still has its
// counters.
func endGroup(cmd *exec.Cmd, mark string) (left time.Duration, written Written) {
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
	left, outside := cpuOfOthers(cmd.Process.Pid, mark)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if outside {
		lifetime.EndMarked(func(other string) bool { return other == mark })
	}
	return left, written
}

// cpuOfOthers is the CPU time of the processes of a group, or with its mark, without its leader, and with that of
// children that they waited for. The kernel counts it in hundredths of a second. outside says that one of them has left
// the group: a daemon.
func cpuOfOthers(group int, mark string) (total time.Duration, outside bool) {
	processes, _ := procfs.AllProcs()
	var born uint64
	if p, err := procfs.NewProc(group); err == nil {
		if s, err := p.Stat(); err == nil {
			born = s.Starttime
		}
	}
	for _, process := range processes {
		s, err := process.Stat()
		if err != nil || s.PID == group { // it has ended
			continue
		}
		if s.PGRP != group { // only what is younger can be a descendant
			if mark == "" || born == 0 || s.Starttime < born {
				continue
			}
			if other, ok := lifetime.MarkOf(s.PID); !ok || other != mark {
				continue
			}
			outside = true
		}
		ticks := int(s.UTime+s.STime) + s.CUTime + s.CSTime
		total += time.Duration(ticks) * time.Second / 100
	}
	return total, outside
}
