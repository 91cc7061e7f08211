package lab

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// slicesOf are slices of a variant over six blocks of five rounds: 100 answers of 100 us each,
// and what change makes of that.
func slicesOf(change func(s *sample, n int)) *service {
	v := &service{side: &side{}}
	for n := range 30 {
		others := time.Duration(n%3) * 10 * time.Millisecond // the clock of the machine is coarse
		s := sample{
			Slice: compare.Slice{Place: compare.Place{Block: n / 5, Round: n % 5}},
			slice: load.Slice{Duration: 25 * time.Millisecond,
				Counts: load.Counts{Scheduled: 100, Sent: 100, Answered: 100, BytesReceived: 50_000}},
			counters:   usage.Counters{CPU: 10 * time.Millisecond},
			idle:       time.Duration(n%4) * 10 * time.Microsecond,
			conditions: machine.Disturbance{Elapsed: 100 * time.Millisecond, Others: &others},
			neighbours: []neighbour{{pid: 7, name: "build", cpu: time.Duration(n%5) * 5 * time.Millisecond}},
		}
		if change != nil {
			change(&s, n)
		}
		v.timed.samples = append(v.timed.samples, s)
		v.timed.tally.Add(s.slice)
	}
	v.account = v.timed.tally.Counts
	v.timed.peakRSS = 20e6
	return v
}

// verdictsOf are verdicts with these ratios to A, in an interval of +-5 %.
func verdictsOf(ratios map[string]float64) (all []judge.Verdict) {
	for _, m := range measure.All {
		if r, ok := ratios[m.Key]; ok {
			v := judge.Verdict{Measure: m, A: 50e6, B: 50e6 * r, Ratio: r, Low: 0.95 * r, High: 1.05 * r,
				Word: judge.Same}
			if v.High < 1 {
				v.Word = judge.Faster
			}
			all = append(all, v)
		}
	}
	return all
}

func TestCaveats(t *testing.T) {
	collecting := func(cycles uint64, goal, peak uint64) func() *service {
		return func() *service {
			v := slicesOf(nil)
			v.timed.consumed.gcCycles, v.timed.consumed.allocBytes, v.timed.peakRSS = cycles, 1e9, peak
			v.timed.runtime.HeapGoalBytes = goal
			return v
		}
	}
	with := func(change func(s *sample, n int)) func() *service {
		return func() *service { return slicesOf(change) }
	}
	honest := with(nil)
	for _, c := range []struct {
		name     string
		a, b     func() *service
		verdicts map[string]float64
		want     string // name and text of the caveat; empty for none
	}{
		{"nothing else changed, or what is in verdicts of its own", honest, honest,
			map[string]float64{"cpu": 0.5, "p50": 5, "rss": 1}, ""},
		{"works between slices", honest, with(func(s *sample, _ int) { s.idle += 3 * time.Millisecond }), nil,
			record.CaveatLater + ": 30.1 us of CPU time per request between its slices, A 143 ns; counted in, a request costs 130 us"},
		{"a little between slices", honest, with(func(s *sample, _ int) { s.idle += 500 * time.Microsecond }), nil, ""},
		{"works between slices now and then", honest, with(func(s *sample, n int) {
			if n == 3 {
				s.idle += 300 * time.Millisecond
			}
		}), nil, ""},
		{"another program works", honest, with(func(s *sample, _ int) {
			s.neighbours = append(s.neighbours, neighbour{9, "helper", 8 * time.Millisecond})
		}), nil, record.CaveatOthers + ": 80.0 us of CPU time per request; counted in, a request costs 180 us, A's 100 us"},
		{"a build beside both that gets what B leaves", honest,
			with(func(s *sample, n int) { s.neighbours[0].cpu *= 2 }), nil, ""},
		{"a program that ran in one block", honest, with(func(s *sample, n int) {
			if s.Block == 2 {
				s.neighbours = append(s.neighbours, neighbour{9, "compile", 80 * time.Millisecond})
			}
		}), nil, ""},
		{"children that live for one request", honest,
			with(func(s *sample, _ int) { *s.conditions.Others += 20 * time.Millisecond }), nil,
			record.CaveatOthers + ": 50.0 us of CPU time per request"},
		{"the collector is off", collecting(100, 1e7, 20e6), collecting(0, 1<<64-1, 21e6), nil,
			record.CaveatGC + ": 0 collections for 1.00 GB of it, A 100 collections"},
		{"it collects less, in more memory", collecting(100, 1e7, 20e6), collecting(10, 1e9, 90e6), nil,
			record.CaveatGC + ": 10 collections"},
		{"it collects less in the same memory", collecting(100, 1e7, 20e6), collecting(10, 1e9, 20e6), nil, ""},
		{"it collects as often", collecting(100, 1e7, 20e6), collecting(90, 1e7, 30e6), nil, ""},
		{"three times the memory", honest, honest, map[string]float64{"rss": 3},
			record.CaveatMemory + ": a peak of 150 MB, A 50.0 MB"},
		{"it loses some", honest, with(func(s *sample, n int) { s.slice.Failed = uint64(n % 2) }), nil,
			record.CaveatFailed + ": 15 of 3,000, A 0 of 3,000"},
		{"it closes connections", honest, with(func(s *sample, _ int) { s.slice.Renewed = 1 }), nil,
			record.CaveatClosed + ": 30 during the slices, A 0"},
		{"another status", with(func(s *sample, _ int) { s.slice.Codes = map[int]uint64{200: 100} }),
			with(func(s *sample, _ int) { s.slice.Codes = map[int]uint64{200: 95, 204: 5} }), nil,
			record.CaveatStatus + ": 5 %, A 0 %"},
		{"half of the bytes", honest, with(func(s *sample, _ int) { s.slice.BytesReceived /= 2 }), nil,
			record.CaveatBytes + ": 250 B per answer, head and body, A 500 B"},
	} {
		var got []string
		for _, one := range caveats(c.a(), c.b(), &record.Contest{Verdicts: verdictsOf(c.verdicts)}) {
			got = append(got, one.Name+": "+one.Detail)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What a program did before its first slice, at its start and in the warm-up, is not idle time.
func TestIdleClock(t *testing.T) {
	var c idleClock
	at := func(cpu time.Duration) usage.Counters { return usage.Counters{CPU: cpu} }
	if got := c.begins(at(time.Second)); got != 0 {
		t.Errorf("%v before the first slice", got)
	}
	c.ends(at(2 * time.Second))
	if got := c.begins(at(5 * time.Second)); got != 3*time.Second {
		t.Errorf("%v between two slices, want 3s", got)
	}
}
