package machine

import (
	"syscall"
	"time"
)

// OwnCPU is the CPU time of this process and of all that it waited for: guards, and the programs below them.
func OwnCPU() time.Duration {
	total := int64(0)
	for _, which := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(which, &u) == nil {
			total += u.Utime.Nano() + u.Stime.Nano()
		}
	}
	return time.Duration(total)
}
