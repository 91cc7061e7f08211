//go:build unix

package load

import (
	"syscall"
	"time"
)

// processCPU is the CPU time of all threads of this process, user and system.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // never: the arguments are right
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
