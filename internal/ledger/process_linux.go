package ledger

import (
	"fmt"
	"os"
	"strings"
)

// bornOf returns the start time of a process together with the boot it counts
// from, "" if there is no such process. A virtual machine that boots the same way
// twice can give one PID and one tick to two programs.
func bornOf(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	state, start, err := parseStat(string(text))
	if err != nil || state == "Z" || state == "X" {
		return "" // a zombie waits to be reaped, and will never write again
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return start
	}
	return start + "@" + strings.TrimSpace(string(boot))
}

// alive says whether exactly this process still runs.
func (p process) alive() bool { return p.born != "" && bornOf(p.pid) == p.born }
