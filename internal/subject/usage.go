package subject

import (
	"sync"
	"time"
)

// Counters is what can be read between two slices of load. Both kinds of calls are
// those that /proc/PID/io counts: read, write, and their vector and sendfile
// relatives. It leaves out send, recv and epoll; Go's net package uses read and
// write for TCP.
type Counters struct {
	CPU        time.Duration `json:"cpu_ns"`
	ReadCalls  uint64        `json:"read_calls"`
	WriteCalls uint64        `json:"write_calls"`
	// ReadBytes and WriteBytes went through these calls.
	ReadBytes  uint64 `json:"read_bytes,omitempty"`
	WriteBytes uint64 `json:"write_bytes,omitempty"`
}

// Since is what was used from an earlier reading on.
func (c Counters) Since(earlier Counters) Counters {
	return Counters{
		CPU: c.CPU - earlier.CPU, ReadCalls: c.ReadCalls - earlier.ReadCalls, WriteCalls: c.WriteCalls - earlier.WriteCalls,
		ReadBytes: c.ReadBytes - earlier.ReadBytes, WriteBytes: c.WriteBytes - earlier.WriteBytes,
	}
}

// Usage is all that the system knows about the subject. Counts go on from the start
// of the subject and include processes that have ended; sizes and numbers of things
// are those of the processes that live.
type Usage struct {
	Counters
	// Voluntary and Involuntary are context switches, over all threads. A thread
	// that lived between two readings is not seen.
	Voluntary   uint64 `json:"voluntary_switches"`
	Involuntary uint64 `json:"involuntary_switches"`
	// MinorFaults were served from memory, MajorFaults from a disk.
	MinorFaults uint64 `json:"minor_faults"`
	MajorFaults uint64 `json:"major_faults"`
	// RSS is resident memory, bytes. PeakRSS adds up the peaks of the processes, and
	// is therefore an upper bound when there are several.
	RSS       int64 `json:"rss_bytes"`
	PeakRSS   int64 `json:"peak_rss_bytes"`
	Processes int   `json:"processes"`
	Threads   int   `json:"threads"`
	FDs       int   `json:"fds"`
}

// treeAge is how old hone's list of the subject's processes may be in CPU and
// Counters. A process that starts later than that before a reading may be missing
// from it (the next one has all of its CPU time), and one that starts and ends
// between two readings is missed, unless Usage happened to see it. A server that is
// measured rarely starts processes.
const treeAge = 100 * time.Millisecond

// depth says how much of a process is read.
type depth int

const (
	depthKnown    depth = iota // the counters of the processes that are known
	depthCounters              // and of those that are new
	depthAll
)

// account adds up a tree of processes that come and go. Its sums never go down.
type account struct {
	list func() ([]int, error)

	mu    sync.Mutex
	at    time.Time       // of the list
	live  map[int]*sample // last reading of each process
	ended Usage           // sums of those that have ended: counts only
	peak  int64

	number int          // of samples so far
	buried []ProcessCPU // those that have ended
}

// sample is the last reading of one process.
type sample struct {
	Usage
	number int
	name   string
	tasks  map[int]switches // ended threads keep theirs
}

type switches struct{ voluntary, involuntary uint64 }

func newAccount(list func() ([]int, error)) *account {
	return &account{list: list, live: map[int]*sample{}}
}

// read brings the account up to date to the given depth and returns the sums.
func (a *account) read(d depth) (Usage, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); d == depthAll || a.at.IsZero() || d == depthCounters && now.Sub(a.at) >= treeAge {
		if err := a.refresh(); err != nil {
			return Usage{}, err
		}
		a.at = now
	}
	for pid, s := range a.live {
		next := *s
		alive, err := readProcess(pid, d, &next)
		if err == nil && alive && next.CPU < s.CPU {
			// The system has given the number to another process, whose clock is younger.
			// Nothing of its predecessor may stay in its sample.
			a.bury(pid, s)
			s = a.newSample(pid)
			next = *s
			alive, err = readProcess(pid, d, &next)
		}
		switch {
		case err != nil:
			return Usage{}, err
		case !alive:
			a.bury(pid, s)
		default:
			a.live[pid] = &next
		}
	}
	return a.sum(), nil
}

// refresh matches the account with the list of processes.
func (a *account) refresh() error {
	pids, err := a.list()
	if err != nil {
		return err
	}
	listed := make(map[int]bool, len(pids))
	for _, pid := range pids {
		listed[pid] = true
		if a.live[pid] == nil {
			a.live[pid] = a.newSample(pid)
		}
	}
	for pid, s := range a.live {
		if !listed[pid] {
			a.bury(pid, s)
		}
	}
	return nil
}

// bury keeps the counts of a process that has ended.
func (a *account) bury(pid int, s *sample) {
	a.ended.addCounts(s.Usage)
	a.keepCPU(pid, s)
	delete(a.live, pid)
}

func (a *account) sum() Usage {
	total := a.ended
	for _, s := range a.live {
		total.addCounts(s.Usage)
		total.RSS += s.RSS
		total.PeakRSS += s.PeakRSS
		total.Threads += s.Threads
		total.FDs += s.FDs
		total.Processes++
	}
	a.peak = max(a.peak, total.PeakRSS)
	total.PeakRSS = a.peak
	return total
}

func (u *Usage) addCounts(o Usage) {
	u.CPU += o.CPU
	u.ReadCalls += o.ReadCalls
	u.WriteCalls += o.WriteCalls
	u.ReadBytes += o.ReadBytes
	u.WriteBytes += o.WriteBytes
	u.Voluntary += o.Voluntary
	u.Involuntary += o.Involuntary
	u.MinorFaults += o.MinorFaults
	u.MajorFaults += o.MajorFaults
}
