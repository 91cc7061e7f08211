package ledger

import (
	"os"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/sys/machine"
)

// bornOf returns the start time of a process together with the boot it counts
// from, "" if there is no such process. A virtual machine that boots the same way
// twice can give one PID and one tick to two programs.
func bornOf(pid int) string {
	stat, err := machine.ReadProcessStat(pid)
	if err != nil || stat.Ended() {
		return "" // a zombie waits to be reaped, and will never write again
	}
	start := strconv.FormatUint(stat.Born, 10)
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return start
	}
	return start + "@" + strings.TrimSpace(string(boot))
}

// alive says whether exactly this process still runs.
func (p process) alive() bool { return p.Born != "" && bornOf(p.PID) == p.Born }
