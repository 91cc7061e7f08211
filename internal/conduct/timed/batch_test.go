package timed

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/stats"
)

// slowRun is a run of 10 s in slices of 250 ms of a program that takes 60 ms of its only
// CPU for each request: 4 or 5 whole answers come in each.
func slowRun() *Load {
	const cost, slice = 60 * time.Millisecond, 250 * time.Millisecond
	v := &Load{}
	for i := range 40 {
		from, to := time.Duration(i)*slice, time.Duration(i+1)*slice
		s := Sample{Loaded: load.Slice{Duration: slice}, Counters: usage.Counters{CPU: slice}}
		s.Loaded.Answered = uint64(to/cost - from/cost)
		v.Samples = append(v.Samples, s)
	}
	return v
}

func TestFewAnswersInEachSliceAreCountedTogether(t *testing.T) {
	one := slowRun()
	if rate := BatchOf(one.Samples).Rate(); rate > 1/0.06 || rate < 16.5 {
		t.Errorf("%.2f answers/s, want 16.6: one CPU allows 16.67", rate)
	}
	cpu, known := one.Figures()[measure.CPU.Key]
	i := one.CPUInterval(cpu, known)
	if i == nil || math.Abs(i.Value-60e6) > 1e6 || i.Conf == 0 || i.Low > 60e6 || i.High < 60e6 {
		t.Fatalf("CPU per request %+v, want 60 ms with an interval around it", i)
	}
	if n := len(one.batches()); n != 8 {
		t.Errorf("%d batches, want 8", n)
	}
	// The live rate is no quotient of whole answers in one slice either.
	if rate := one.Lately().Rate(); rate > 1.02/0.06 {
		t.Errorf("%.2f answers/s lately", rate)
	}
	// A slice of a comparison has all that its answers took, and is half of a pair.
	one.Compared = true
	for i := range one.Samples {
		one.Samples[i].Round = i
	}
	if n := len(one.batches()); n != 40 {
		t.Errorf("%d batches of a comparison, want 40", n)
	}
}

func TestPercentilesOfFewAnswersAreNotStored(t *testing.T) {
	r := record.Run{Latency: &record.Latency{Count: 40, P50: 1, P90: 2, P99: 3, P999: 3, Max: 3}}
	var names []string
	for _, m := range r.Measures() {
		names = append(names, m.Name)
	}
	if got := len(names); got != 3 || names[0] != "rate" || names[1] != "p50" || names[2] != "p90" {
		t.Errorf("stored %q", names)
	}
}

// The slices of a round count as one: all their CPU time over all their answers, and all their latencies.
func TestSlicesOfARoundCountTogether(t *testing.T) {
	at := func(round, answered int, cpu time.Duration, latency float64) Sample {
		s := Sample{Loaded: load.Slice{Duration: 25 * time.Millisecond}, Counters: usage.Counters{CPU: cpu}}
		s.Loaded.Answered = uint64(answered)
		s.Place, s.Turn = compare.Place{Block: 1, Round: round}, round
		s.Sample = BatchOf([]Sample{s}).values()
		s.Latency = stats.Distribution{{Value: latency, Count: uint64(answered)}}
		s.Targets = map[string]stats.Distribution{"GET /": s.Latency}
		return s
	}
	v := Load{Samples: []Sample{
		at(0, 100, 10*time.Millisecond, 7), at(0, 300, 50*time.Millisecond, 5), // 60 ms for 400 answers
		at(1, 200, 20*time.Millisecond, 6),
	}}
	got := v.Slices()
	if len(got) != 2 || got[0].Place != (compare.Place{Block: 1}) ||
		got[1].Place != (compare.Place{Block: 1, Round: 1}) || got[1].Turn != 1 {
		t.Fatalf("%+v, want two rounds of start 1", got)
	}
	if cpu, rate := got[0].Sample[measure.CPU.Key],
		got[0].Sample[measure.Throughput.Key]; math.Abs(cpu-150e3) > 1 || math.Abs(rate-8000) > 1 {
		t.Errorf("%.0f ns, %.0f/s, want 150 us and 8,000/s", cpu, rate)
	}
	want := stats.Distribution{{Value: 5, Count: 300}, {Value: 7, Count: 100}}
	if !slices.Equal(got[0].Latency, want) || !slices.Equal(got[0].Targets["GET /"], want) {
		t.Errorf("latency %v, of the target %v, want %v", got[0].Latency, got[0].Targets["GET /"], want)
	}
	if cpu := got[1].Sample[measure.CPU.Key]; math.Abs(cpu-100e3) > 1 || got[1].Latency[0].Count != 200 {
		t.Errorf("the second round: %+v", got[1])
	}
}

// A slice in which the CPU clock stood still, as a crowded machine may show it, has a rate and no cost.
func TestAClockThatStandsStillIsNoCost(t *testing.T) {
	b := Batch{Answered: 60, Loaded: 25 * time.Millisecond}
	if _, has := b.values()[measure.CPU.Key]; has {
		t.Errorf("60 answers for no CPU time: %v", b.values())
	}
	if b.CPU = time.Millisecond; b.values()[measure.CPU.Key] == 0 {
		t.Errorf("60 answers for a millisecond: %v", b.values())
	}
}

// A slice in which the generator was late says nothing of rates and latencies, and what its requests cost counts.
func TestALateSliceHasNoPace(t *testing.T) {
	v := &Load{Compared: true}
	for i := range 4 {
		s := Sample{Loaded: load.Slice{Duration: 250 * time.Millisecond}, Counters: usage.Counters{CPU: time.Millisecond}}
		s.Block, s.Round, s.Late = i/2, i%2, i == 3
		s.Loaded.Scheduled, s.Loaded.Sent, s.Loaded.Answered = 100, 100, 100
		if s.Late {
			s.Loaded.Sent, s.Loaded.Answered = 90, 90
		}
		s.Latency = stats.Distribution{{Value: 1e6, Count: s.Loaded.Answered}}
		v.Keep(s)
	}
	if c := v.OnTime(); c.Scheduled != 300 || c.Sent != 300 {
		t.Errorf("on time %+v, want 300 of 300", c)
	}
	if (&Load{}).OnTime() != nil {
		t.Error("a run has no slices to leave out")
	}
	for i, s := range v.Slices() {
		_, hasRate := s.Sample[measure.Throughput.Key]
		_, hasCost := s.Sample[measure.CPU.Key]
		if late := i == 3; !hasCost || hasRate == late || (len(s.Latency) > 0) == late {
			t.Errorf("slice %d: rate %v, cost %v, %d latencies", i, hasRate, hasCost, len(s.Latency))
		}
	}
}
