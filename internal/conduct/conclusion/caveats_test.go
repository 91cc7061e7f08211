package conclusion

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// slicesOf are slices of a variant over six blocks of five rounds: 100 answers of 100 us each,
// and what change makes of that.
func slicesOf(change func(s *timed.Sample, n int)) *timed.Load {
	v := &timed.Load{}
	for n := range 30 {
		others := time.Duration(n%3) * 10 * time.Millisecond // the clock of the machine is coarse
		s := timed.Sample{
			Slice: compare.Slice{Place: compare.Place{Block: n / 5, Round: n % 5}},
			Loaded: load.Slice{Duration: 25 * time.Millisecond,
				Counts: load.Counts{Scheduled: 100, Sent: 100, Answered: 100, BytesReceived: 50_000}},
			Counters:   usage.Counters{CPU: 10 * time.Millisecond},
			Idle:       time.Duration(n%4) * 10 * time.Microsecond,
			Conditions: machine.Disturbance{Elapsed: 100 * time.Millisecond, Others: &others},
			Neighbours: []timed.Neighbour{{PID: 7, Name: "build", CPU: time.Duration(n%5) * 5 * time.Millisecond}},
		}
		if change != nil {
			change(&s, n)
		}
		v.Samples = append(v.Samples, s)
		v.Tally.Add(s.Loaded)
	}
	v.Account = v.Tally.Counts
	v.PeakRSS = 20e6
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

// takesVerdict are the cases of TestCaveats in which B is not faster at the same work.
var takesVerdict = []string{"works between slices", "another program works", "children that live for one request",
	"the collector is off", "it sets GOGC", "it sets GOMAXPROCS and a limit"}

func TestCaveats(t *testing.T) {
	set := func(gogc, limit, procs uint64) func() *timed.Load {
		return func() *timed.Load {
			v := slicesOf(nil)
			for range 5 {
				v.KeepMoment(timed.Moment{Runtime: probeclient.Runtime{GOGC: gogc, MemoryLimit: limit, GOMAXPROCS: procs,
					Processes: 1}})
			}
			return v
		}
	}
	collecting := func(cycles uint64, goal, peak uint64) func() *timed.Load {
		return func() *timed.Load {
			v := slicesOf(nil)
			v.Consumed.GCCycles, v.Consumed.AllocBytes, v.PeakRSS = cycles, 1e9, peak
			v.Runtime.HeapGoalBytes = goal
			return v
		}
	}
	with := func(change func(s *timed.Sample, n int)) func() *timed.Load {
		return func() *timed.Load { return slicesOf(change) }
	}
	honest := with(nil)
	for _, c := range []struct {
		name     string
		a, b     func() *timed.Load
		verdicts map[string]float64
		want     string // name and text of the caveat; empty for none
	}{
		{"nothing else changed, or what is in verdicts of its own", honest, honest,
			map[string]float64{"cpu": 0.5, "p50": 5, "rss": 1}, ""},
		{"works between slices", honest, with(func(s *timed.Sample, _ int) { s.Idle += 3 * time.Millisecond }), nil,
			record.CaveatLater + ": 30.1 us of CPU time per request between its slices, A 143 ns; counted in, a " +
				"request costs 130 us"},
		{"a little between slices", honest, with(func(s *timed.Sample, _ int) { s.Idle += 500 * time.Microsecond }),
			nil, ""},
		{"works between slices now and then", honest, with(func(s *timed.Sample, n int) {
			if n == 3 {
				s.Idle += 300 * time.Millisecond
			}
		}), nil, ""},
		{"another program works", honest, with(func(s *timed.Sample, _ int) {
			s.Neighbours = append(s.Neighbours, timed.Neighbour{PID: 9, Name: "helper", CPU: 8 * time.Millisecond})
		}), nil, record.CaveatOthers + ": 80.0 us of CPU time per request; counted in, a request costs 180 us, A's " +
			"100 us"},
		{"a build beside both that gets what B leaves", honest,
			with(func(s *timed.Sample, n int) { s.Neighbours[0].CPU *= 2 }), nil, ""},
		{"a program that ran in one block", honest, with(func(s *timed.Sample, n int) {
			if s.Block == 2 {
				s.Neighbours = append(s.Neighbours, timed.Neighbour{PID: 9, Name: "compile",
					CPU: 80 * time.Millisecond})
			}
		}), nil, ""},
		{"children that live for one request", honest,
			with(func(s *timed.Sample, _ int) { *s.Conditions.Others += 20 * time.Millisecond }), nil,
			record.CaveatOthers + ": 50.0 us of CPU time per request"},
		{"the collector is off", collecting(100, 1e7, 20e6), collecting(0, 1<<64-1, 21e6), nil,
			record.CaveatGC + ": 0 collections for 1.00 GB of it, A 100 collections"},
		{"it sets GOGC", set(100, probeclient.NoMemoryLimit, 2), set(400, probeclient.NoMemoryLimit, 2), nil,
			record.CaveatSettings + ": GOGC 400, A 100; give both the same"},
		{"it sets GOMAXPROCS and a limit", set(100, probeclient.NoMemoryLimit, 2), set(100, 1<<30, 1), nil,
			record.CaveatSettings + ": GOMEMLIMIT 1.07 GB, A none; GOMAXPROCS 1, A 2"},
		{"both have the settings of the user", set(400, 1<<30, 1), set(400, 1<<30, 1), nil, ""},
		{"it collects less, in more memory", collecting(100, 1e7, 20e6), collecting(10, 1e9, 90e6), nil,
			record.CaveatGC + ": 10 collections"},
		{"it collects less in the same memory", collecting(100, 1e7, 20e6), collecting(10, 1e9, 20e6), nil, ""},
		{"it collects as often", collecting(100, 1e7, 20e6), collecting(90, 1e7, 30e6), nil, ""},
		{"three times the memory", honest, honest, map[string]float64{"rss": 3},
			record.CaveatMemory + ": a peak of 150 MB, A 50.0 MB"},
		{"it loses some", honest, with(func(s *timed.Sample, n int) { s.Loaded.Failed = uint64(n % 2) }), nil,
			record.CaveatFailed + ": 15 of 3,000, A 0 of 3,000"},
		{"it closes connections", honest, with(func(s *timed.Sample, _ int) { s.Loaded.Renewed = 1 }), nil,
			record.CaveatClosed + ": 30 during the slices, A 0"},
		{"another status", with(func(s *timed.Sample, _ int) { s.Loaded.Codes = map[int]uint64{200: 100} }),
			with(func(s *timed.Sample, _ int) { s.Loaded.Codes = map[int]uint64{200: 95, 204: 5} }), nil,
			record.CaveatStatus + ": 5 %, A 0 %"},
		{"half of the bytes", honest, with(func(s *timed.Sample, _ int) { s.Loaded.BytesReceived /= 2 }), nil,
			record.CaveatBytes + ": 250 B per answer, head and body, A 500 B"},
	} {
		var got []string
		for _, one := range Caveats(c.a(), c.b(), &record.Contest{Verdicts: verdictsOf(c.verdicts)}) {
			got = append(got, one.Name+": "+one.Detail)
			if open := slices.Contains(takesVerdict, c.name); one.Open != open {
				t.Errorf("%s: takes the verdict: %v, want %v", c.name, one.Open, open)
			}
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
