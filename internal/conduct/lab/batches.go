package lab

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/stats"
)

// batch is what one or more slices did together.
type batch struct {
	cpu      time.Duration
	loaded   time.Duration // all time of the slices
	took     time.Duration // without the silence at their ends
	answered uint64
	messages uint64 // of streams
}

func batchOf(samples []sample) (b batch) {
	for _, s := range samples {
		b.cpu += s.counters.AllCPU()
		b.took += s.slice.Duration - s.slice.Silent
		b.loaded += s.slice.Duration
		b.answered += s.slice.Answered
		b.messages += s.slice.Messages
	}
	return b
}

// cpuNanos is the CPU time per right answer; NaN if there was none.
func (b batch) cpuNanos() float64 {
	if b.answered == 0 {
		return math.NaN()
	}
	return float64(b.cpu) / float64(b.answered)
}

// rate is right answers per second, 0 without any time.
func (b batch) rate() float64 {
	if b.took <= 0 {
		return 0
	}
	return float64(b.answered) / b.took.Seconds()
}

// batches are the samples of a run, as many together as it takes for the answers of each to
// be a rate (compare.BatchSize). Each slice of a comparison ends with a drain, so that its
// answers are all that it took; those of a round, half of a pair, are together.
func (v *service) batches() (all []batch) {
	if v.compared {
		for round := range compare.Rounds(v.timed.samples, sample.place) {
			all = append(all, batchOf(round))
		}
		return all
	}
	size := compare.BatchSize(batchOf(v.timed.samples).answered, len(v.timed.samples))
	compare.Batches(len(v.timed.samples), size, func(from,
		to int) {
		all = append(all, batchOf(v.timed.samples[from:to]))
	})
	return all
}

// cpuInterval is the CPU time per request with its interval over the batches; nil where it is not known.
func (v *service) cpuInterval(value float64, known bool) *record.Interval {
	if !known {
		return nil
	}
	all := v.batches()
	var values []float64
	for _, b := range all {
		if nanos := b.cpuNanos(); !math.IsNaN(nanos) {
			values = append(values, nanos)
		}
	}
	i := &record.Interval{Value: value}
	if e, err := stats.HodgesLehmann(values, 0.95); err == nil && e.Bounded() {
		i.Low, i.High, i.Conf = e.Low, e.High, e.Conf
		i.Center(value)
	}
	return i
}

// lately is what the latest slices did together: as many of them as it takes for a rate.
func (v *service) lately() batch {
	n := len(v.timed.samples)
	from, answered := n, uint64(0)
	for from > 0 && answered < answersPerSlice && n-from < mostLately {
		from--
		answered += v.timed.samples[from].slice.Answered
	}
	return batchOf(v.timed.samples[from:])
}

// mostLately bounds the slices of lately: ten seconds of the longest.
const mostLately = 40
