package timed

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/stats"
)

// Batch is what one or more slices did together.
type Batch struct {
	CPU      time.Duration
	Loaded   time.Duration // all time of the slices
	Took     time.Duration // without the silence at their ends
	Answered uint64
	messages uint64 // of streams
}

func BatchOf(samples []Sample) (b Batch) {
	for _, s := range samples {
		b.CPU += s.Counters.AllCPU()
		b.Took += s.Loaded.Duration - s.Loaded.Silent
		b.Loaded += s.Loaded.Duration
		b.Answered += s.Loaded.Answered
		b.messages += s.Loaded.Messages
	}
	return b
}

// cpuNanos is the CPU time per right answer; NaN if there was none.
func (b Batch) cpuNanos() float64 {
	if b.Answered == 0 {
		return math.NaN()
	}
	return float64(b.CPU) / float64(b.Answered)
}

// Rate is right answers per second, 0 without any time.
func (b Batch) Rate() float64 {
	if b.Took <= 0 {
		return 0
	}
	return float64(b.Answered) / b.Took.Seconds()
}

// batches are the samples of a run, as many together as it takes for the answers of each to
// be a rate (compare.BatchSize). Each slice of a comparison ends with a drain, so that its
// answers are all that it took; those of a round, half of a pair, are together.
func (t *Load) batches() (all []Batch) {
	if t.Compared {
		for round := range compare.Rounds(t.Samples, Sample.Where) {
			all = append(all, BatchOf(round))
		}
		return all
	}
	size := compare.BatchSize(BatchOf(t.Samples).Answered, len(t.Samples))
	compare.Batches(len(t.Samples), size, func(from,
		to int) {
		all = append(all, BatchOf(t.Samples[from:to]))
	})
	return all
}

// CPUInterval is the CPU time per request with its interval over the batches; nil where it is not known.
func (t *Load) CPUInterval(value float64, known bool) *record.Interval {
	if !known {
		return nil
	}
	all := t.batches()
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

// Lately is what the latest slices did together: as many of them as it takes for a rate.
func (t *Load) Lately() Batch {
	n := len(t.Samples)
	from, answered := n, uint64(0)
	for from > 0 && answered < AnswersPerSlice && n-from < mostLately {
		from--
		answered += t.Samples[from].Loaded.Answered
	}
	return BatchOf(t.Samples[from:])
}

// AnswersPerSlice is how many answers a slice has, so that the requests at its edges are few of them.
const AnswersPerSlice = 100

// mostLately bounds the slices of lately: ten seconds of the longest.
const mostLately = 40
