package recorder

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// nicer is how much nicer than hone the child is (nice(2)), and nicest the most there is.
// Beside a generator that is busy all the time it gets a tenth of a CPU: its scrapes take a
// few milliseconds and have to end within the interval. The lowest priority would leave it
// a hundredth.
const (
	nicer  = 10
	nicest = 19
)

// atLowPriority calls start on a thread of a lower priority and on the given CPUs, if any:
// what is started there inherits both. The thread cannot get its priority back without
// privileges, so it ends with the goroutine, which keeps it locked.
func atLowPriority(cpus []int, start func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		// Without them the child takes more from the generator, and the record is the same.
		if own, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, 0, min(20-own+nicer, nicest)) // the call returns 20 - nice
		}
		if len(cpus) > 0 {
			var set unix.CPUSet
			for _, cpu := range cpus {
				set.Set(cpu)
			}
			_ = unix.SchedSetaffinity(0, &set)
		}
		done <- start()
	}()
	return <-done
}
