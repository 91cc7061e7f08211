package gobench

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endGroup waits until the process has ended and kills what it left in its group, whose CPU time it returns. The
// process is not reaped before, so the number of the group is still its own.
func endGroup(cmd *exec.Cmd) (left time.Duration) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	left = cpuOfOthers(cmd.Process.Pid)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	return left
}

// cpuOfOthers is the CPU time of the processes of a group without its leader, with that of children that they waited for.
// /proc counts it in hundredths of a second (proc_pid_stat(5)).
func cpuOfOthers(group int) (total time.Duration) {
	processes, _ := os.ReadDir("/proc")
	for _, process := range processes {
		pid, err := strconv.Atoi(process.Name())
		if err != nil || pid == group {
			continue
		}
		text, err := os.ReadFile("/proc/" + process.Name() + "/stat")
		if err != nil { // it has ended
			continue
		}
		// Behind the name, which may hold anything, come the state, the parent, the group and, from the 12th on, four times.
		name := bytes.LastIndexByte(text, ')')
		fields := strings.Fields(string(text[name+1:]))
		if len(fields) < 15 || fields[2] != strconv.Itoa(group) {
			continue
		}
		for _, field := range fields[11:15] {
			ticks, _ := strconv.Atoi(field)
			total += time.Duration(ticks) * time.Second / 100
		}
	}
	return total
}
