package epoll

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestPinBindsTheThread(t *testing.T) {
	onThread(func() {
		var allowed unix.CPUSet
		if err := unix.SchedGetaffinity(0, &allowed); err != nil {
			t.Error(err)
			return
		}
		cpu := 0
		for !allowed.IsSet(cpu) {
			cpu++
		}
		if err := Pin(cpu); err != nil {
			t.Error(err)
			return
		}
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil || set.Count() != 1 || !set.IsSet(cpu) {
			t.Errorf("pinned to cpu %d: %d CPUs allowed, err %v", cpu, set.Count(), err)
		}
		for _, none := range []int{-1, 1 << 20} {
			if err := Pin(none); err == nil {
				t.Errorf("pinned to cpu %d", none)
			}
		}
	})
}

func TestThreadCPUCountsWorkNotSleep(t *testing.T) {
	onThread(func() {
		begin := ThreadCPU()
		for ThreadCPU() < begin+2*time.Millisecond { // ends only if the clock counts work
		}
		p, err := New(1)
		if err != nil {
			t.Error(err)
			return
		}
		defer p.Close()
		asleep, cpu := time.Now(), ThreadCPU()
		for time.Since(asleep) < 50*time.Millisecond {
			p.Sleep(50 * time.Millisecond)
		}
		if used, slept := ThreadCPU()-cpu, time.Since(asleep); used > slept/2 {
			t.Errorf("%v of CPU in a sleep of %v", used, slept)
		}
	})
}

func TestFineTimersSetsTheSlackOfThisThreadAlone(t *testing.T) {
	var before, fine, after int
	onThread(func() { before = slack(t) })
	onThread(func() {
		if err := FineTimers(); err != nil {
			t.Error(err)
		}
		fine = slack(t)
	})
	onThread(func() { after = slack(t) })
	if fine != 1 || after != before {
		t.Errorf("timer slack was %d ns, %d on the thread that set it, %d on the next: want 1 there only", before, fine,
			after)
	}
}

// slack is the calling thread's timer slack in nanoseconds.
func slack(t *testing.T) int {
	ns, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil {
		t.Error(err)
	}
	return ns
}

func TestPromptShortensTheTurnsOfThisThreadAlone(t *testing.T) {
	slice := func() (ns uint64, policy uint32) {
		attr, err := unix.SchedGetAttr(0, 0)
		if err != nil {
			t.Error(err)
		}
		return attr.Runtime, attr.Policy
	}
	onThread(func() {
		_, before := slice()
		if err := Prompt(); err != nil {
			t.Error(err)
		}
		// A kernel before Linux 6.12 keeps no slice of a thread and says 0.
		if ns, policy := slice(); ns != 0 && ns != uint64(shortSlice) || policy != before {
			t.Errorf("slice %d ns, policy %d after Prompt, want %v and %d", ns, policy, shortSlice, before)
		}
	})
	onThread(func() {
		if ns, _ := slice(); ns == uint64(shortSlice) {
			t.Errorf("another thread has a slice of %d ns too", ns)
		}
	})
}
