package affinity

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/text/fail"
)

// AllowedCPUs lists the CPUs that the calling thread may run on, in ascending
// order. Call it before PinSelf.
func AllowedCPUs() ([]int, error) {
	set, err := ThreadCPUs(0)
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
	back, err := moveThreads(os.Getpid(), Set(cpus))
	if err != nil {
		return nil, fail.New(fail.Environment, "pin hone to CPUs %v: %w", cpus, err).
			WithHint("choose CPUs that this process may use (taskset -p %d), or leave the pinning out", os.Getpid())
	}
	procs := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(procs, leastProcs))
	return func() {
		runtime.GOMAXPROCS(procs)
		back()
	}, nil
}

// Spread lets all threads of processes, and those that they start, run on cpus. restore takes them back to the CPUs
// that they had; one that has ended needs nothing. The error is a *fail.Error (Environment); nothing has moved then.
func Spread(pids, cpus []int) (restore func(), err error) {
	var all []func()
	restore = func() {
		for _, back := range all {
			back()
		}
	}
	for _, pid := range pids {
		back, err := moveThreads(pid, Set(cpus))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			restore()
			return nil, fail.New(fail.Environment, "let PID %d run on CPUs %v: %w", pid, cpus, err)
		}
		if err == nil {
			all = append(all, back)
		}
	}
	return restore, nil
}

// moveThreads lets all threads of a process run on the CPUs of a set. restore gives every thread its former CPUs back,
// and to younger threads those that the process had. After an error nothing has moved.
func moveThreads(pid int, to unix.CPUSet) (restore func(), err error) {
	process, err := ThreadCPUs(pid)
	if err != nil {
		return nil, fmt.Errorf("read CPU affinity: %w", err)
	}
	former := map[int]unix.CPUSet{}
	restore = func() {
		_ = eachThread(pid, func(tid int) (bool, error) {
			set, known := former[tid]
			if !known {
				set = process
			}
			_, changed, err := moveThread(tid, set)
			return changed, err
		})
	}
	err = eachThread(pid, func(tid int) (bool, error) {
		before, changed, err := moveThread(tid, to)
		// A thread that was cloned by one that has moved has nothing of its own to go back to.
		if _, known := former[tid]; !known && changed {
			former[tid] = before
		}
		return changed, err
	})
	if err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}

// leastProcs are a P for the load generator, one for the collector, one for what keeps the results
// and one more.
const leastProcs = 4

// eachThread calls do for the threads of a process, again and again until a round
// has changed nothing: a thread that is cloned in mid-round inherits from one that
// may not have had its turn yet. A thread that ends meanwhile is not an error.
func eachThread(pid int, do func(tid int) (changed bool, err error)) error {
	for {
		names, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
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
	if before, err = ThreadCPUs(tid); err != nil {
		return before, false, err
	}
	if err = unix.SchedSetaffinity(tid, &to); err != nil {
		return before, false, err
	}
	after, err := ThreadCPUs(tid)
	return before, after != before, err
}

// ThreadCPUs reads the affinity of a thread; 0 is the calling one.
func ThreadCPUs(tid int) (set unix.CPUSet, err error) {
	err = unix.SchedGetaffinity(tid, &set)
	return set, err
}

func Set(cpus []int) (set unix.CPUSet) {
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return set
}
