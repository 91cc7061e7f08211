package subject

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/text/fail"
)

// AllowedCPUs lists the CPUs that the calling thread may run on, in ascending
// order. Call it before PinSelf.
func AllowedCPUs() ([]int, error) {
	set, err := threadCPUs(0)
	if err != nil {
		return nil, fail.New(fail.Environment, "read CPU affinity: %w", err)
	}
	var cpus []int
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// PinSelf pins all threads of this process, and with them all that they will start,
// to cpus. restore gives every thread its former CPUs back, and to younger threads
// those that the process had. The error is a *fail.Error (Environment); nothing is
// pinned then.
//
// GOMAXPROCS is leastProcs until then, if it is less. Left alone, the runtime would lower it to the number
// of cpus. On one CPU the kernel lets the load generator's thread run as soon as it wakes, but
// with GOMAXPROCS=1 that thread then waits for up to 10 ms until another goroutine, or the
// collector, gives up the only P.
func PinSelf(cpus []int) (restore func(), err error) {
	process, err := threadCPUs(os.Getpid())
	if err != nil {
		return nil, fail.New(fail.Environment, "read CPU affinity: %w", err)
	}
	former := map[int]unix.CPUSet{}
	procs := runtime.GOMAXPROCS(0)
	restore = func() {
		runtime.GOMAXPROCS(procs)
		_ = eachThread(func(tid int) (bool, error) {
			set, known := former[tid]
			if !known {
				set = process
			}
			_, changed, err := moveThread(tid, set)
			return changed, err
		})
	}
	err = eachThread(func(tid int) (bool, error) {
		before, changed, err := moveThread(tid, cpuSet(cpus))
		// A thread that was cloned by a pinned one has nothing of its own to go back to.
		if _, known := former[tid]; !known && changed {
			former[tid] = before
		}
		return changed, err
	})
	if err != nil {
		restore()
		return nil, fail.New(fail.Environment, "pin hone to CPUs %v: %w", cpus, err).
			WithHint("choose CPUs that this process may use (taskset -p %d), or leave the pinning out", os.Getpid())
	}
	runtime.GOMAXPROCS(max(procs, leastProcs))
	return restore, nil
}

// leastProcs are a P for the load generator, one for the collector, one for what keeps the results
// and one more.
const leastProcs = 4

// eachThread calls do for the threads of this process, again and again until a round
// has changed nothing: a thread that is cloned in mid-round inherits from one that
// may not have had its turn yet. A thread that ends meanwhile is not an error.
func eachThread(do func(tid int) (changed bool, err error)) error {
	for {
		names, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		again := false
		for _, name := range names {
			tid, err := strconv.Atoi(name.Name())
			if err != nil {
				return fmt.Errorf("read thread id: %w", err)
			}
			changed, err := do(tid)
			if err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
			again = again || changed
		}
		if !again {
			return nil
		}
	}
}

// moveThread sets a thread's affinity and says what it was and whether that made a
// difference. The kernel leaves out CPUs that the process may not use, so the
// difference is between what was and what is, not what was asked for.
func moveThread(tid int, to unix.CPUSet) (before unix.CPUSet, changed bool, err error) {
	if before, err = threadCPUs(tid); err != nil {
		return before, false, err
	}
	if err = unix.SchedSetaffinity(tid, &to); err != nil {
		return before, false, err
	}
	after, err := threadCPUs(tid)
	return before, after != before, err
}

// threadCPUs reads the affinity of a thread; 0 is the calling one.
func threadCPUs(tid int) (set unix.CPUSet, err error) {
	err = unix.SchedGetaffinity(tid, &set)
	return set, err
}

func cpuSet(cpus []int) (set unix.CPUSet) {
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return set
}
