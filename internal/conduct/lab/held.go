package lab

import (
	"context"
	"slices"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// held is what a start of a comparison holds, the heap right after a collection. known is false where the runtime could
// not be read.
type held struct {
	heap, goroutines uint64
	descriptors      int
	known            bool
}

// held collects garbage and looks what is left. It takes time of the program, outside of its timed slices.
func (s *start) held(ctx context.Context, usage usage.Reading) (h held, r *reading) {
	if s.gauge == nil {
		return h, nil
	}
	collected := s.gauge.probes.Collect(ctx) == nil // a probe of an earlier hone may not
	if r = s.readRuntime(ctx); r == nil {
		return h, nil
	}
	return held{heap: r.runtime.HeapLiveBytes, goroutines: r.runtime.Goroutines, descriptors: usage.FDs,
		known: collected}, r
}

// What a start gains by chance: connections and pools that come and go, the runtime's own goroutines.
const (
	leastHeapGain = 64 << 10
	leastGain     = 4 // goroutines, descriptors
	// leastOpened is for a run by itself, which has no other start that shows the same: pools of connections open a
	// few tens.
	leastOpened = 50
)

// growth adds to what a start shows how much it keeps of each request: the heap after a collection, goroutines and
// descriptors, from before its timed slices to after them. A gain that comes by chance is none.
func (h held) growth(after held, requests uint64, values judge.Sample) {
	if !h.known || !after.known || requests == 0 {
		return
	}
	per := func(m judge.Measure, gain, least int64) {
		if gain < least {
			gain = 0
		}
		values[m.Key] = float64(gain) / float64(requests)
	}
	per(measure.HeapGrowth, int64(after.heap)-int64(h.heap), leastHeapGain)
	per(measure.GoroutineGrowth, int64(after.goroutines)-int64(h.goroutines), leastGain)
	per(measure.DescriptorGrowth, int64(after.descriptors-h.descriptors), leastGain)
}

// allowForChance widens the intervals of what a variant keeps by what a start gains by chance, which is spread over
// its requests: starts that all gain it agree with each other, and not with what the program keeps.
func allowForChance(c *record.Contest, starts []*timed.Effects) {
	var requests []uint64
	for _, s := range starts {
		requests = append(requests, s.Answered)
	}
	slices.Sort(requests)
	if len(requests) == 0 || requests[len(requests)/2] == 0 {
		return
	}
	c.RequestsPerStart = requests[len(requests)/2]
	for i := range c.Verdicts {
		v := &c.Verdicts[i]
		if !measure.OfGrowth(v.Measure) || !v.Bounded() || v.Ratio == 1 {
			continue
		}
		chance, a := float64(leastGain)/float64(c.RequestsPerStart), max(v.A, v.Measure.Floor)
		if v.Measure == measure.HeapGrowth {
			chance = float64(leastHeapGain) / float64(c.RequestsPerStart)
		}
		least := v.Measure.Floor / a // of the ratio: B keeps nothing
		if v.Low > 1 {
			least = 1 // what is shown to be more stays so
		}
		v.Low, v.High = max(least, v.Low-chance/a), v.High+chance/a
		if v.Ratio < 1 && v.Word.Different() {
			v.High = min(1, v.High)
		}
	}
}
