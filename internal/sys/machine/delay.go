package machine

import "time"

// Cause is why the kernel did not let a thread run that could.
type Cause uint8

// The causes.
const (
	ByOthers Cause = iota // other programs had the CPU
	ByQuota               // the quota of a control group was used up
	ByHost                // the host of a virtual machine gave it to others
	BySignal              // the process was stopped (SIGSTOP), or in a debugger
)

// Delay is for how long a thread could run and did not, as two readings of the kernel's counters say. When between them
// that was they do not say; a wait that ended between them may have begun earlier.
type Delay struct {
	Cause Cause
	// Thread is the thread's number; 0 stands for all threads (BySignal), or any (ByHost).
	Thread int64
	// From and To are the readings, in nanoseconds of CLOCK_MONOTONIC.
	From, To int64
	// Length is how long it did not run.
	Length time.Duration
}

// LeastDelay is the shortest wait of a thread that counts. While a program that computes has a CPU it keeps it for so
// long if nothing else is in its favour (sysctl_sched_base_slice in kernel/sched/fair.c of Linux 6.12 and later, on one
// CPU; it was 0.75 ms before, and is longer with more CPUs): shorter waits are how long it takes to wake a thread up.
const LeastDelay = 700 * time.Microsecond

// threadClock is what the kernel counts of a thread: for how long it ran, and for how long it waited for a CPU since it
// was ready (proc_pid_schedstat; Documentation/scheduler/sched-stats.rst).
type threadClock struct{ ran, waited time.Duration }

// account turns readings of a process into its delays.
type account struct {
	cpus    int // that it may use
	threads map[int64]threadClock
	at      int64
	ran     []ranBy // by all threads together, as far back as a wait may have begun
	stopped int64   // since when the process is stopped; 0 if it is not
	awake   int64   // the last reading at which it was not
	host    stolen
	delays  []Delay
}

// ranBy is for how long the threads of a process had run at a moment, and had been held back by quotas.
type ranBy struct {
	at         int64
	sum, quota time.Duration
}

// stolen is the host's share so far: first are the ticks of the first of some readings in a row that grew, from its
// time.
type stolen struct {
	from, last   int64
	first, ticks uint64
}

const (
	// mostDelays bounds what is kept, and ranKept for how many readings it is known what ran.
	mostDelays, ranKept = 100_000, 1_000
)

// reading is one look at a process.
type reading struct {
	at      int64
	threads map[int64]threadClock
	quota   time.Duration // for how long quotas held it back so far, added up over CPUs
	stopped bool
}

// add takes a reading. A thread that is new is known from now on.
func (a *account) add(r reading) {
	a.stop(r)
	type grown struct {
		thread int64
		threadClock
	}
	var waited []grown
	sum := time.Duration(0)
	if n := len(a.ran); n > 0 {
		sum = a.ran[n-1].sum
	}
	for id, now := range r.threads {
		before, known := a.threads[id]
		if !known || now.ran < before.ran || now.waited < before.waited {
			continue // it is new, or its number has gone to another thread
		}
		one := grown{id, threadClock{now.ran - before.ran, now.waited - before.waited}}
		sum += one.ran
		if one.waited >= LeastDelay {
			waited = append(waited, one)
		}
	}
	if a.ran = append(a.ran, ranBy{r.at, sum, r.quota}); len(a.ran) > 2*ranKept {
		a.ran = append(a.ran[:0], a.ran[ranKept:]...)
	}
	for _, one := range waited {
		from := min(a.at, r.at-int64(one.waited))
		// what the other threads of the program ran meanwhile they had themselves
		ran, quota := a.since(from)
		own := ran - one.ran
		length := float64(one.waited) - max(0, float64(own))*float64(one.waited)/float64(max(1, a.cpus))/float64(r.at-from)
		quota = min(quota, one.waited) // older kernels count it as waiting, too (task-based throttling came with 6.18)
		for _, d := range []Delay{{ByQuota, one.thread, from, r.at, quota},
			{ByOthers, one.thread, from, r.at, time.Duration(length) - quota}} {
			if d.Length >= LeastDelay {
				a.keep(d)
			}
		}
	}
	a.threads, a.at = r.threads, r.at
}

// since is for how long the threads ran since a moment, and were held back by quotas. The kernel counts the latter when
// it is over, so that all of it counts of the reading that the moment lies before.
func (a *account) since(from int64) (ran, quota time.Duration) {
	end := a.ran[len(a.ran)-1]
	for i := len(a.ran) - 1; i > 0; i-- {
		if b, c := a.ran[i-1], a.ran[i]; b.at <= from {
			part := float64(c.at-max(from, b.at)) / float64(max(1, c.at-b.at))
			return end.sum - c.sum + time.Duration(part*float64(c.sum-b.sum)), end.quota - b.quota
		}
	}
	return end.sum - a.ran[0].sum, end.quota - a.ran[0].quota
}

// stop notes when the process was stopped: from the last reading before that to the first after it.
func (a *account) stop(r reading) {
	switch {
	case r.stopped && a.stopped == 0:
		a.stopped = max(1, a.awake)
	case !r.stopped && a.stopped != 0:
		a.keep(Delay{BySignal, 0, a.stopped, r.at, time.Duration(r.at - a.stopped)})
		a.stopped = 0
	}
	if !r.stopped {
		a.awake = r.at
	}
}

// steal takes a reading of the host's share. It is counted in ticks of 10 ms: one may be the sum of many short waits,
// so that two in a row and more count, and one less of them.
func (a *account) steal(at int64, ticks uint64) {
	h := &a.host
	if h.last != 0 && ticks > h.ticks {
		if h.from == 0 {
			h.from, h.first = h.last, h.ticks
		}
		h.last, h.ticks = at, ticks
		return
	}
	a.endSteal()
	h.last, h.ticks = at, ticks
}

func (a *account) endSteal() {
	h := &a.host
	if h.from != 0 && h.ticks >= h.first+2 {
		a.keep(Delay{ByHost, 0, h.from, h.last, time.Duration(h.ticks-h.first-1) * tick})
	}
	h.from = 0
}

func (a *account) keep(d Delay) {
	if len(a.delays) < mostDelays {
		a.delays = append(a.delays, d)
	}
}

// end is what was found; at is the last reading.
func (a *account) end() []Delay {
	if a.stopped != 0 {
		a.keep(Delay{BySignal, 0, a.stopped, a.at, time.Duration(a.at - a.stopped)})
	}
	a.endSteal()
	return a.delays
}
