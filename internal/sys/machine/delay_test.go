package machine

import (
	"slices"
	"testing"
	"time"
)

const ms = int64(time.Millisecond)

// read is a reading of two threads, which have run and waited so many milliseconds.
func readAt(at, ran1, waited1, ran2, waited2 int64) reading {
	clock := func(ran, waited int64) threadClock {
		return threadClock{time.Duration(ran * ms), time.Duration(waited * ms)}
	}
	return reading{at: at * ms, threads: map[int64]threadClock{1: clock(ran1, waited1), 2: clock(ran2, waited2)}}
}

// A thread that waits for a CPU while the other threads of its program have none waits for other programs; what the
// others ran is taken off.
func TestDelaysOfThreads(t *testing.T) {
	for name, c := range map[string]struct {
		cpus     int
		readings []reading
		want     []Delay
	}{
		"it never waits": {1, []reading{readAt(2, 0, 0, 0, 0), readAt(4, 2, 0, 0, 0)}, nil},
		"others have the CPU": {1, []reading{readAt(2, 0, 0, 0, 0), readAt(4, 0, 0, 0, 0), readAt(6, 1, 3, 0, 0)},
			[]Delay{{ByOthers, 1, 3 * ms, 6 * ms, 3 * time.Millisecond}}},
		"the program has it itself": {1, []reading{readAt(2, 0, 0, 0, 0), readAt(4, 0, 0, 2, 0), readAt(6, 0, 4, 4, 0)}, nil},
		"one of two CPUs is its own": {2, []reading{readAt(2, 0, 0, 0, 0), readAt(4, 0, 0, 2, 0), readAt(6, 0, 4, 4, 0)},
			[]Delay{{ByOthers, 1, 2 * ms, 6 * ms, 2 * time.Millisecond}}},
		"a thread that is new":        {1, []reading{{at: 2 * ms}, readAt(4, 0, 50, 0, 0), readAt(6, 0, 50, 0, 0)}, nil},
		"a number that is used again": {1, []reading{readAt(2, 9, 9, 0, 0), readAt(4, 0, 50, 0, 0)}, nil},
	} {
		a := &account{cpus: c.cpus}
		for _, r := range c.readings {
			a.add(r)
		}
		if got := a.end(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Kernels before 6.18 count the time in which a quota holds a thread back as waiting; the group's counter says which it
// is.
func TestDelaysByAQuota(t *testing.T) {
	a := &account{cpus: 1}
	for i, r := range []reading{readAt(2, 0, 0, 0, 0), readAt(4, 1, 0, 0, 0), readAt(64, 1, 60, 0, 0)} {
		if i == 2 {
			r.quota = 55 * time.Millisecond
		}
		a.add(r)
	}
	got := map[Cause]time.Duration{}
	for _, d := range a.end() {
		got[d.Cause] += d.Length
	}
	if got[ByQuota] != 55*time.Millisecond || got[ByOthers] != 5*time.Millisecond || len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// A process that a signal stops does so between two readings.
func TestDelaysByASignal(t *testing.T) {
	a := &account{cpus: 1}
	for at, stopped := range []bool{false, false, true, true, false, true} {
		a.add(reading{at: int64(at) * ms, stopped: stopped})
	}
	want := []Delay{{BySignal, 0, 1 * ms, 4 * ms, 3 * time.Millisecond}, {BySignal, 0, 4 * ms, 5 * ms, time.Millisecond}}
	if got := a.end(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A tick of the host now and then is the sum of short waits; several in a row are a long one.
func TestDelaysByTheHost(t *testing.T) {
	a := &account{cpus: 1}
	for i, ticks := range []uint64{7, 7, 8, 8, 8, 9, 10, 12, 12, 13} {
		a.steal(int64(i+1)*10*ms, ticks)
	}
	want := []Delay{{ByHost, 0, 50 * ms, 80 * ms, 30 * time.Millisecond}}
	if got := a.end(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
