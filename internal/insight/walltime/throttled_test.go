package walltime

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// Of the stretches without an event as many are the quota's as the kernel counted periods, the longest, and not more
// time than it says.
func TestThrottledStretches(t *testing.T) {
	const ms = 1_000_000
	stretches := []interval{{0, 2 * ms}, {100 * ms, 160 * ms}, {200 * ms, 255 * ms}, {300 * ms, 304 * ms},
		{400 * ms, 470 * ms}}
	var gaps []gap
	for i, one := range stretches {
		gaps = append(gaps, gap{one, i == len(stretches)-1})
	}
	for name, c := range map[string]struct {
		counted cgroup.Counters
		want    []interval
	}{
		"no box":          {cgroup.Counters{}, nil},
		"never throttled": {cgroup.Counters{Periods: 10}, nil},
		"two periods": {
			cgroup.Counters{Periods: 10, ThrottledPeriods: 2, Throttled: 230 * time.Millisecond},
			[]interval{stretches[1], stretches[2]},
		},
		"less time than that": {
			cgroup.Counters{Periods: 10, ThrottledPeriods: 3, Throttled: 70 * time.Millisecond},
			[]interval{stretches[1]},
		},
		"more periods than gaps": {
			cgroup.Counters{Periods: 10, ThrottledPeriods: 9, Throttled: time.Second}, stretches,
		},
	} {
		h := &history{gaps: gaps}
		if got := h.throttledIn(c.counted); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// While the quota holds a program back its requests do not run, wait for a lock or behind other requests; a sleep, a
// backend and the network go on.
func TestTimeOfAThrottledRequest(t *testing.T) {
	w := newWalker(&history{stacks: newStacks(), works: newWorks()})
	w.held = []held{{interval{20, 30}, kindThrottled}, {interval{50, 60}, kindThrottled}}
	for k, want := range map[kind]int64{
		kindRunning: 15, kindRunnable: 15, kindBefore: 15, kindLock: 15, kindOthers: 15, kindSyscall: 15,
		kindCollector: 15,
		kindSleep:     0, kindNetwork: 0, kindAfter: 0, kindUnsent: 0,
	} {
		w.pieces = w.pieces[:0]
		w.emit(10, 55, w.under(0, first, k, 0))
		sum, throttled := int64(0), int64(0)
		for _, p := range w.pieces {
			sum += p.to - p.from
			if stateOf[w.chains[p.chain].kind] == Throttled {
				throttled += p.to - p.from
			}
		}
		if sum != 45 || throttled != want {
			t.Errorf("kind %d: %d of %d throttled, want %d of 45", k, throttled, sum, want)
		}
	}
}

// A program that stands still writes no event; whether a goroutine had a processor is noted.
func TestGapsOfATrace(t *testing.T) {
	r := &reader{history: &history{procs: [][]occupancy{{{at: 0, by: 3}}}}}
	for _, at := range []int64{1, 1 + leastGap/2, 1 + 3*leastGap} {
		r.gap(at)
		r.to = at
	}
	r.procs[0] = append(r.procs[0], occupancy{at: r.to, by: none})
	r.gap(r.to + 5*leastGap)
	end := r.to
	want := []gap{{interval{1 + leastGap/2, end}, false}, {interval{end, end + 5*leastGap}, true}}
	if !slices.Equal(r.gaps, want) {
		t.Errorf("gaps %v, want %v", r.gaps, want)
	}
}
