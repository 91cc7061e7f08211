package lifetime

import (
	"bytes"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/processes"
)

// self identifies this process.
func self() (identity, error) {
	var space unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &space); err != nil {
		return identity{}, err
	}
	stat, err := machine.ReadProcessStat(os.Getpid())
	return identity{space: space.Ino, pid: os.Getpid(), born: stat.Born}, err
}

// lives says whether the process exists and is not a zombie. The caller has made sure that it
// is of this namespace.
func (i identity) lives() bool {
	stat, err := machine.ReadProcessStat(i.pid)
	if err != nil { // hidden (proc(5): hidepid) is not dead
		return syscall.Kill(i.pid, 0) != syscall.ESRCH
	}
	return stat.Born == i.born && !stat.Ended()
}

// markRounds bounds the looks for processes that were born while others were killed.
const markRounds = 100

// EndMarked sends KILL to the user's processes whose mark is one of those wanted, until
// it finds none, and returns how many there were.
func EndMarked(wanted func(mark string) bool) int {
	killed := map[int]bool{}
	for range markRounds {
		found := false
		for _, pid := range processes.All() {
			if pid != os.Getpid() && endIfMarked(pid, wanted) {
				killed[pid], found = true, true
			}
		}
		if !found {
			break
		}
	}
	return len(killed)
}

// endIfMarked holds on to the process while it reads the mark, so that the signal cannot
// reach another one that got its number.
func endIfMarked(pid int, wanted func(mark string) bool) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	mark, ok := MarkOf(pid)
	if !ok || !wanted(mark) {
		return false
	}
	if _, alive := processes.Name(pid); !alive {
		return false
	}
	return unix.PidfdSendSignal(fd, syscall.SIGKILL, nil, 0) == nil
}

// MarkOf reads the mark in the environment that a process of this user was started with.
func MarkOf(pid int) (string, bool) {
	dir := fmt.Sprintf("/proc/%d", pid)
	var owner unix.Stat_t
	if unix.Stat(dir, &owner) != nil || int(owner.Uid) != os.Geteuid() {
		return "", false
	}
	text, err := os.ReadFile(dir + "/environ")
	if err != nil {
		return "", false
	}
	for entry := range bytes.SplitSeq(text, []byte{0}) {
		if mark, ok := bytes.CutPrefix(entry, []byte(MarkVariable+"=")); ok {
			return string(mark), true
		}
	}
	return "", false
}
