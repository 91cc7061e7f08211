package usage

import (
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Counters is what can be read between two slices of load. Both kinds of calls are
// those that /proc/PID/io counts: read, write, and their vector and sendfile
// relatives. It leaves out send, recv and epoll; Go's net package uses read and
// write for TCP.
type Counters struct {
	// CPU is that of the processes that were seen while they lived.
	CPU time.Duration `json:"cpu_ns"`
	// Children is the CPU time of processes that were not, or not to their end: what their parents waited for beyond
	// CPU. The system counts it in steps of 10 ms, so that it is for seconds and not for a slice.
	Children   time.Duration `json:"children_cpu_ns,omitempty"`
	ReadCalls  uint64        `json:"read_calls"`
	WriteCalls uint64        `json:"write_calls"`
	// ReadBytes and WriteBytes went through these calls.
	ReadBytes  uint64 `json:"read_bytes,omitempty"`
	WriteBytes uint64 `json:"write_bytes,omitempty"`
	// StoredBytes is for how many bytes disks were asked, in whole pages: what goes to /dev/null, a socket or a file in
	// memory is not among them.
	StoredBytes uint64 `json:"stored_bytes,omitempty"`
}

// AllCPU is the CPU time of all processes.
func (c Counters) AllCPU() time.Duration { return c.CPU + c.Children }

// Since is what was used from an earlier reading on.
func (c Counters) Since(earlier Counters) Counters {
	return Counters{
		CPU: c.CPU - earlier.CPU, Children: c.Children - earlier.Children, ReadCalls: c.ReadCalls - earlier.ReadCalls,
		WriteCalls: c.WriteCalls - earlier.WriteCalls,
		ReadBytes:  c.ReadBytes - earlier.ReadBytes, WriteBytes: c.WriteBytes - earlier.WriteBytes,
		StoredBytes: c.StoredBytes - earlier.StoredBytes,
	}
}

// Reading is all that the system knows about the subject. Counts go on from the start
// of the subject and include processes that have ended; sizes and numbers of things
// are those of the processes that live.
type Reading struct {
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
// from it (the next one has all of its CPU time). One that starts and ends between two
// readings is in Children, once its parent has waited for it.
const treeAge = 100 * time.Millisecond

// Depth says how much of a process is read.
type Depth int

const (
	KnownProcesses Depth = iota // the counters of the processes that are known
	AllProcesses                // and of those that are new
	Everything
)

// Account adds up a tree of processes that come and go. Its sums never go down.
//
// The system hands the CPU time and the calls of a process on to the one that waits for it. So what children used that
// lived too short to be listed is known from their parents; and of those that were listed the same is known twice.
// A process that no process waits for (its parent ignores SIGCHLD) keeps its last reading.
type Account struct {
	list  func() ([]int, error)
	guard func() int // the process that waits for orphans; 0 for none

	mu    sync.Mutex
	at    time.Time       // of the list
	live  map[int]*sample // last reading of each process
	ended Reading         // sums of those that have ended: counts only, without calls
	peak  int64

	adopted sample        // what the guard has waited for
	waited  time.Duration // CPU time of all that was waited for
	most    Counters      // of all sums so far

	number int          // of samples so far
	buried []ProcessCPU // those that have ended
}

// sample is the last reading of one process.
type sample struct {
	Reading
	number int
	name   string
	tasks  map[int]switches // ended threads keep theirs
	waited time.Duration    // CPU time of the children that it has waited for, and of theirs
	zombie bool             // it has ended, and its parent has not waited for it
}

type switches struct{ voluntary, involuntary uint64 }

func NewAccount(list func() ([]int, error), guard func() int) *Account {
	return &Account{list: list, guard: guard, live: map[int]*sample{}}
}

// Read brings the account up to date to the given depth and returns the sums.
func (a *Account) Read(d Depth) (Reading, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); d == Everything || a.at.IsZero() || d == AllProcesses && now.Sub(a.at) >= treeAge {
		if err := a.refresh(); err != nil {
			return Reading{}, err
		}
		a.at = now
	}
	if a.waited > 0 {
		d = max(d, AllProcesses) // a program with children of its own costs more to read
	}
	if guard := a.guard(); guard != 0 && d >= AllProcesses {
		readAdopted(guard, &a.adopted)
	}
	for _, pid := range a.parentsFirst() {
		s := a.live[pid]
		// What has ended is read again only now and then, since its last threads may still be at their end; but it must
		// not count by itself any more when its parent has waited for it.
		if s.zombie && d < Everything && syscall.Kill(pid, 0) == nil {
			continue
		}
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
			return Reading{}, err
		case !alive:
			a.bury(pid, s)
		default:
			a.live[pid] = &next
		}
	}
	return a.sum(), nil
}

// parentsFirst are the living processes in the order in which they were found. A child that ends between the reading of
// its parent and its own is short for once. The other way round it would count twice: by itself, and by what its parent
// has waited for.
func (a *Account) parentsFirst() []int {
	return slices.SortedFunc(maps.Keys(a.live), func(p, q int) int { return a.live[p].number - a.live[q].number })
}

// refresh matches the account with the list of processes.
func (a *Account) refresh() error {
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
func (a *Account) bury(pid int, s *sample) {
	a.ended.addCounts(s.Reading)
	a.keepCPU(pid, s)
	delete(a.live, pid)
}

func (a *Account) sum() Reading {
	total, waited := a.ended, a.adopted.waited
	total.addCalls(a.adopted.Counters)
	for _, s := range a.live {
		waited += s.waited
		total.addCounts(s.Reading)
		total.addCalls(s.Counters)
		if s.zombie {
			continue
		}
		total.RSS += s.RSS
		total.PeakRSS += s.PeakRSS
		total.Threads += s.Threads
		total.FDs += s.FDs
		total.Processes++
	}
	a.peak = max(a.peak, total.PeakRSS)
	total.PeakRSS = a.peak
	a.waited = max(a.waited, waited)
	total.Children = max(0, a.waited-a.ended.CPU)
	a.keepMost(&total.Counters)
	return total
}

// keepMost holds the sums where they were while a process has ended and its parent is still to wait for it.
func (a *Account) keepMost(c *Counters) {
	c.Children += max(0, a.most.AllCPU()-c.AllCPU())
	c.ReadCalls, c.WriteCalls = max(c.ReadCalls, a.most.ReadCalls), max(c.WriteCalls, a.most.WriteCalls)
	c.ReadBytes, c.WriteBytes = max(c.ReadBytes, a.most.ReadBytes), max(c.WriteBytes, a.most.WriteBytes)
	c.StoredBytes = max(c.StoredBytes, a.most.StoredBytes)
	a.most = *c
}

func (u *Reading) addCounts(o Reading) {
	u.CPU += o.CPU
	u.Voluntary += o.Voluntary
	u.Involuntary += o.Involuntary
	u.MinorFaults += o.MinorFaults
	u.MajorFaults += o.MajorFaults
}

func (c *Counters) addCalls(o Counters) {
	c.ReadCalls += o.ReadCalls
	c.WriteCalls += o.WriteCalls
	c.ReadBytes += o.ReadBytes
	c.WriteBytes += o.WriteBytes
	c.StoredBytes += o.StoredBytes
}
