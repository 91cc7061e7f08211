//go:build unix && go1.22

package plant

//lint:file-ignore U1000 the call is planted

import (
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What a call costs: see plant.Cost.
const (
	plantedPart    = 0.0
	plantedWait    = time.Duration(0)
	plantedObjects = 0
	plantedSize    = 0
)

// honePlanted is what a planted function calls first.
func honePlanted() {
	if plantedObjects > 0 {
		plantedAllocate()
	}
	if plantedWait > 0 {
		plantedHold()
	}
	if plantedPart > 0 {
		plantedWork()
	}
}

var plantedKept atomic.Pointer[byte]

func plantedAllocate() {
	for range plantedObjects {
		object := make([]byte, plantedSize)
		plantedKept.Store(&object[0])
	}
}

// plantedSleep is how much of a wait is not slept: a sleep may take a millisecond longer.
const plantedSleep = 3 * time.Millisecond

// plantedHold waits, and lets other goroutines go on.
func plantedHold() {
	end := time.Now().Add(plantedWait)
	if plantedWait > plantedSleep {
		time.Sleep(plantedWait - plantedSleep)
	}
	for time.Now().Before(end) {
		runtime.Gosched()
	}
}

// plantedEvery is about how often the clock of the process is read: reading it takes some 300 ns.
const plantedEvery = 100 * time.Microsecond

// plantedMost is the most CPU time that one look takes. Less is taken where the last look is not long ago: the clock of the
// process goes in steps of some milliseconds, and what is due is spread over all calls.
const plantedMost = time.Millisecond

var planted struct {
	calls, next atomic.Int64

	mu     sync.Mutex
	begun  bool
	first  time.Duration // CPU time at the first call
	spent  time.Duration // in the loop since
	seen   time.Duration // CPU time at the last look
	apart  time.Duration // CPU time since the first call that no calls were near
	usual  time.Duration // from one look to the next
	last   time.Time     // of the last look
	looked int64         // calls at the last look
	perRun time.Duration // that plantedRuns take
	sum    uint64        // of all runs
}

const plantedRuns = 10000

// plantedGap is how long no call has come where what the process has taken meanwhile is not of calls: the load has
// stopped. Calls that always come so seldom have no gaps.
const plantedGap = 30 * time.Millisecond

// plantedWork takes the part of the CPU time that the process has taken since the first call, without gaps, as far as it
// is due.
func plantedWork() {
	p := &planted
	n := p.calls.Add(1)
	if n < p.next.Load() || !p.mu.TryLock() {
		return
	}
	defer p.mu.Unlock()
	now := plantedClock()
	if !p.begun {
		p.begun, p.first, p.last, p.perRun = true, now, time.Now(), plantedCalibrate()
		p.spent = plantedClock() - now
		p.seen = now + p.spent
		return
	}
	took := time.Since(p.last)
	if took > max(plantedGap, 8*p.usual) && p.usual > 0 {
		p.apart += now - p.seen
	}
	p.usual += (min(took, max(2*p.usual, plantedEvery)) - p.usual) / 8
	due := time.Duration(plantedPart*float64(now-p.first-p.apart-p.spent)) - p.spent
	due = min(due, plantedMost, time.Duration(2*plantedPart*float64(took)))
	for begin := time.Now(); due > 0; {
		p.sum += plantedLoop()
		end := time.Now()
		one := min(end.Sub(begin), 4*p.perRun) // it waited for a CPU where it took longer
		p.spent, due, begin = p.spent+one, due-one, end
		now += one
	}
	p.seen = now
	// So many calls as there were in the time between two looks.
	calls := n - p.looked
	calls = max(1, min(2*calls, int64(float64(calls)*float64(plantedEvery)/float64(max(1, took)))))
	p.looked, p.last = n, time.Now()
	p.next.Store(n + calls)
}

// plantedCalibrate is how long plantedLoop takes where nothing disturbs it.
func plantedCalibrate() time.Duration {
	least := time.Duration(1 << 62)
	for range 20 {
		begin := time.Now()
		planted.sum += plantedLoop()
		least = min(least, time.Since(begin))
	}
	return max(least, 1)
}

//go:noinline
func plantedLoop() (x uint64) {
	for i := range uint64(plantedRuns) {
		x ^= i * 0x9e3779b97f4a7c15
	}
	return x
}

// plantedClock is the CPU time of the process.
func plantedClock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
