package usage

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// readProcess reads a process into s; false if it has ended, s being as before.
func readProcess(pid int, d Depth, s *sample) (alive bool, err error) {
	cpu, err := machine.ProcessCPU(pid)
	if err != nil {
		return false, nil
	}
	err = readIO(pid, s)
	if err == nil && d >= AllProcesses {
		err = readStat(pid, s)
	}
	if err == nil && d >= Everything {
		err = readAll(pid, s)
	}
	switch {
	// without memory there is no right to look
	case errors.Is(err, errZombie), errors.Is(err, fs.ErrPermission) && zombie(pid):
		if last, err := machine.ProcessCPU(pid); err == nil { // it may have worked on since the reading above
			cpu = last
		}
		s.CPU, s.zombie = cpu, true
		return true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ESRCH):
		return false, nil
	case err != nil:
		return false, fail.New(fail.Environment, "read counters of PID %d: %w", pid, err).
			WithHint("run hone as the user that the program runs as")
	}
	s.CPU = cpu
	return true, nil
}

func readIO(pid int, s *sample) error {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		return err
	}
	parseIO(text, s)
	return nil
}

// parseIO reads /proc/PID/io (proc_pid_io(5)). The kernel counts read, readv, pread, write,
// writev, pwrite and their relatives; sendfile is one of each. What goes through recv and
// send, as it does in most programs that are not written in Go, is not counted.
func parseIO(text []byte, s *sample) {
	cancelled := uint64(0)
	parseKeys(text, func(key string, value uint64) {
		switch key {
		case "syscr":
			s.ReadCalls = value
		case "syscw":
			s.WriteCalls = value
		case "rchar":
			s.ReadBytes = value
		case "wchar":
			s.WriteBytes = value
		case "write_bytes":
			s.StoredBytes = value
		case "cancelled_write_bytes": // of files that were removed before the disk got them
			cancelled = value
		}
	})
	s.StoredBytes -= min(s.StoredBytes, cancelled)
}

// errZombie says that a process has ended and that its parent has not asked for it yet.
var errZombie = errors.New("it has ended")

func readStat(pid int, s *sample) error {
	stat, err := machine.ReadProcessStat(pid)
	if err != nil {
		return err
	}
	if stat.Ended() {
		return errZombie
	}
	s.MinorFaults, s.MajorFaults, s.waited = stat.Minor, stat.Major, stat.Waited
	return nil
}

// readAdopted reads what the guard has waited for. What it does itself is hardly more than nothing while the subject
// lives.
func readAdopted(guard int, s *sample) {
	if stat, err := machine.ReadProcessStat(guard); err == nil {
		s.waited = stat.Waited
	}
	_ = readIO(guard, s)
}

func readAll(pid int, s *sample) error {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return err
	}
	const kB = 1024 // as the file writes sizes
	parseKeys(text, func(key string, value uint64) {
		switch key {
		case "VmRSS":
			s.RSS = int64(value) * kB
		case "VmHWM":
			s.PeakRSS = int64(value) * kB
		case "Threads":
			s.Threads = int(value)
		}
	})
	s.FDs = len(processes.Numbers(fmt.Sprintf("/proc/%d/fd", pid)))
	readSwitches(pid, s)
	return nil
}

// readSwitches adds up the context switches of the threads: the file of the process
// has those of its first thread only.
func readSwitches(pid int, s *sample) {
	if s.tasks == nil {
		s.tasks = map[int]switches{}
	}
	dir := fmt.Sprintf("/proc/%d/task", pid)
	for _, tid := range processes.Numbers(dir) {
		text, err := os.ReadFile(fmt.Sprintf("%s/%d/status", dir, tid))
		if err != nil {
			continue // ended meanwhile
		}
		var n switches
		parseKeys(text, func(key string, value uint64) {
			switch key {
			case "voluntary_ctxt_switches":
				n.voluntary = value
			case "nonvoluntary_ctxt_switches":
				n.involuntary = value
			}
		})
		s.tasks[tid] = n
	}
	s.Voluntary, s.Involuntary = 0, 0
	for _, n := range s.tasks {
		s.Voluntary += n.voluntary
		s.Involuntary += n.involuntary
	}
}

// parseKeys calls found for each "key: number" line; lines of another form are
// skipped. A unit after the number is left to the caller, who knows it.
func parseKeys(text []byte, found func(key string, value uint64)) {
	for line := range bytes.Lines(text) {
		key, rest, ok := bytes.Cut(line, []byte{':'})
		if !ok {
			continue
		}
		first, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte{' '})
		if n, err := strconv.ParseUint(string(first), 10, 64); err == nil {
			found(string(key), n)
		}
	}
}

func zombie(pid int) bool {
	s, err := machine.ReadProcessStat(pid)
	return err != nil || s.Ended()
}
