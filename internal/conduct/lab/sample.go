package lab

import (
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/stats"
)

// sample is one timed slice of one variant: as it is compared, and all that is known of it.
type sample struct {
	compare.Slice
	slice      load.Slice    // without its histograms, once it is compact
	histogram  []byte        // of latency, encoded
	p50, p99   time.Duration // of latency
	build      int           // which of the variant's layouts
	conditions machine.Disturbance
	counters   usage.Counters // used during the slice
	idle       time.Duration  // CPU time between the slice before and this one that is not in counters
	neighbours []neighbour    // other programs that worked meanwhile
}

// compact encodes the histogram of latencies and drops all histograms, which are large. It
// waits until no slice of the round follows: what lies between the slices of a pair is time in
// which the machine may change.
//
// The distribution of its latencies is for comparisons only: ten minutes of a run would
// keep 20 MB of them. targets are the names of the slice's, told those that a comparison rules on.
func (s *sample) compact(compared bool, targets, told []string) error {
	h := s.slice.Latency()
	if h == nil || s.histogram != nil {
		return nil
	}
	var err error
	if s.histogram, err = s.slice.EncodeLatency(); err != nil {
		return err
	}
	if compared {
		s.Latency = distributionOf(h)
		if h := s.slice.FirstByte; h != nil {
			s.FirstByte = distributionOf(h)
		}
		for i, t := range s.slice.Targets {
			if t.Latency == nil || !slices.Contains(told, targets[i]) {
				continue
			}
			if s.Targets == nil {
				s.Targets = map[string]stats.Distribution{}
			}
			s.Targets[targets[i]] = distributionOf(t.Latency)
		}
	}
	s.slice.Release()
	return nil
}

// distributionOf is a histogram as comparisons take it.
func distributionOf(h *hdrhistogram.Histogram) (d stats.Distribution) {
	for _, bar := range load.Bars(h) {
		// The highest value of a bar, as h's own quantiles have it.
		d = append(d, stats.Bin{Value: float64(max(1, bar.To)), Count: uint64(bar.Count)})
	}
	return d
}

// slices are the samples as they are compared: those of a round together.
func (v *service) slices() []compare.Slice {
	all := make([]compare.Slice, 0, len(v.timed.samples))
	for round := range compare.Rounds(v.timed.samples, sample.place) {
		all = append(all, sliceOf(round))
	}
	return all
}

func (s sample) place() compare.Place { return s.Place }

// sliceOf is what the samples of a round show together.
func sliceOf(round []sample) compare.Slice {
	one := round[0].Slice
	one.Disturbed = slices.ContainsFunc(round, func(s sample) bool { return s.conditions.Noticeable() })
	if len(round) == 1 {
		return one
	}
	one.Sample = batchOf(round).values()
	var latency, firstByte []stats.Distribution
	targets := map[string][]stats.Distribution{}
	for _, s := range round {
		latency, firstByte = append(latency, s.Latency), append(firstByte, s.FirstByte)
		for name, d := range s.Targets {
			targets[name] = append(targets[name], d)
		}
	}
	one.Latency, one.FirstByte, one.Targets = stats.Merge(latency), stats.Merge(firstByte),
		map[string]stats.Distribution{}
	for name, all := range targets {
		one.Targets[name] = stats.Merge(all)
	}
	return one
}

// values are the measures that slices show together. If nothing was answered they have a rate, and no cost per request;
// nor have they where the CPU clock stood still: on a crowded machine the kernel may show it too late.
func (b batch) values() judge.Sample {
	values := judge.Sample{measure.Throughput.Key: b.rate()}
	if cost := b.cpuNanos(); b.answered > 0 && cost > 0 {
		values[measure.CPU.Key] = cost
	}
	if b.messages > 0 && b.loaded > 0 {
		values[measure.Messages.Key] = float64(b.messages) / b.loaded.Seconds()
	}
	return values
}

// row is the sample as the ledger stores it, the i-th of its run, which started then.
func (s sample) row(i int, started time.Time) ledger.Slice {
	return ledger.Slice{
		Index: i, Block: s.Block, Pair: s.Round, First: s.Turn == 0,
		Start: s.slice.Start.Sub(started), Duration: s.slice.Duration,
		Scheduled: s.slice.Scheduled, Sent: s.slice.Sent, Answered: s.slice.Answered, Failed: s.slice.Failed,
		Unanswered: s.slice.Unanswered, CPU: s.counters.AllCPU(), Reads: s.counters.ReadCalls,
		Writes:    s.counters.WriteCalls,
		WorkerCPU: s.slice.WorkerCPU, WorkerWall: s.slice.WorkerWall, Stalled: s.slice.Stalled, Live: s.slice.Live,
		Build: s.build, Conditions: ledger.ConditionsOf(s.conditions), Latency: s.histogram,
	}
}
