package epoll

import (
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// TestSleepIsNotEarly: a sleep may be late, on a busy machine very late, but it ends
// early only for a signal.
func TestSleepIsNotEarly(t *testing.T) {
	for name, coarse := range map[string]bool{"nanoseconds": false, "milliseconds": true} {
		t.Run(name, func(t *testing.T) {
			p := newPoller(t, 1)
			p.coarse = coarse
			rapid.Check(t, func(t *rapid.T) {
				d := time.Duration(rapid.Int64Range(0, int64(3*time.Millisecond)).Draw(t, "ns"))
				begin := time.Now()
				n, errno := p.wait(d)
				took := time.Since(begin)
				if errno == unix.EINTR {
					return
				}
				if n != 0 || errno != 0 {
					t.Fatalf("wait = %d, %v", n, errno)
				}
				if took < d {
					t.Fatalf("asked for %v, slept %v", d, took)
				}
			})
		})
	}
}

// TestLongSleepEndsForAnEventInEitherPart: a long sleep waits in two parts; what comes
// in either of them ends it, and what comes after it is the next one's.
func TestLongSleepEndsForAnEventInEitherPart(t *testing.T) {
	p := newPoller(t, 1)
	a, b, _ := socketPair(t)
	if err := p.Watch(a, Token{Link: 1}, false); err != nil {
		t.Fatal(err)
	}
	const d = 4 * time.Millisecond // above longSleep
	for round := range 40 {
		var wg sync.WaitGroup
		begin := time.Now()
		wg.Go(func() {
			// From the first part to beyond the end: the moment decides nothing but
			// where in the sleep the event comes.
			for time.Since(begin) < d*time.Duration(round)/32 {
			}
			put(t, b, "x")
		})
		slept := p.Sleep(d)
		if len(slept) == 0 {
			slept = next(t, p)
		}
		wg.Wait()
		if len(slept) != 1 || slept[0].Token().Link != 1 {
			t.Fatalf("round %d: events %+v", round, slept)
		}
	}
}

// TestNoWakeIsLost: two threads wake each other in turn, so that every wake comes at
// another point of the other's way into its sleep. One lost and both sleep on.
func TestNoWakeIsLost(t *testing.T) {
	const rounds = 5000
	ping, pong := newPoller(t, 1), newPoller(t, 1)
	turns := func(mine, theirs *Poller) {
		for round := range rounds {
			events := next(t, mine)
			if len(events) != 1 || events[0].Token().Link != WakeLink {
				t.Errorf("round %d: events %+v", round, events)
			}
			theirs.Wake()
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { onThread(func() { turns(ping, pong) }) })
	wg.Go(func() { onThread(func() { turns(pong, ping) }) })
	ping.Wake()
	wg.Wait()
}

func TestWakeBeforeTheSleepEndsIt(t *testing.T) {
	p := newPoller(t, 4)
	for range 3 {
		p.Wake()
		p.Wake() // may arrive with the first
		if events := next(t, p); len(events) != 1 || events[0].Token().Link != WakeLink {
			t.Fatalf("events %+v, want one wake", events)
		}
		if events := p.Poll(); len(events) != 0 {
			t.Fatalf("a wake came twice: %+v", events)
		}
	}
}

// TestOldKernel: what a kernel without epoll_pwait2 does is what the fallback does, so
// the fallback must bring events, too.
func TestOldKernel(t *testing.T) {
	p := newPoller(t, 4)
	p.coarse = true
	for _, d := range []time.Duration{-1, time.Nanosecond, hang, 1<<63 - 1} {
		p.Wake()
		if events := p.Sleep(d); len(events) != 1 {
			t.Fatalf("Sleep(%d) with a wake due: events %+v", d, events)
		}
	}
}

// A nap brings what is there, and what comes while it lasts; on an old kernel only the
// former.
func TestNap(t *testing.T) {
	p := newPoller(t, 4)
	if events := p.Nap(time.Microsecond); len(events) != 0 {
		t.Fatalf("nothing has come, yet %+v", events)
	}
	for _, coarse := range []bool{false, true} {
		p.coarse = coarse
		p.Wake()
		if events := p.Nap(hang); len(events) != 1 || events[0].Token().Link != WakeLink {
			t.Fatalf("coarse %v: events %+v, want one wake", coarse, events)
		}
	}
	if events := p.Nap(hang); len(events) != 0 { // does not last that long
		t.Fatalf("a wake came twice: %+v", events)
	}
	p.coarse = false
	woken := make(chan struct{})
	go func() {
		defer close(woken)
		p.Wake() // before the nap or in it: either ends it
	}()
	for {
		events := p.Nap(100 * time.Millisecond) // a signal of the runtime may end it early
		if len(events) == 1 && events[0].Token().Link == WakeLink {
			break
		}
		if len(events) != 0 {
			t.Fatalf("events %+v, want one wake", events)
		}
	}
	<-woken
}
