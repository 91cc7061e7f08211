package turns

import (
	"time"

	"github.com/gohone/hone/internal/sys/machine"
)

// CanLive says whether test binaries can be kept alive and told over pipes.
const CanLive = true

// cpuOf reads the CPU clock of a process; ok is false where it has none.
func cpuOf(pid int) (d time.Duration, ok bool) {
	d, err := machine.ProcessCPU(pid)
	return d, err == nil
}
