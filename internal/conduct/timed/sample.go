package timed

import (
	"maps"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/stats"
)

// Sample is one timed slice of one variant: as it is compared, and all that is known of it.
type Sample struct {
	compare.Slice
	Loaded     load.Slice       // without its histograms, once it is compact
	Packed     packed.Latencies // the histograms that are stored of it, once it is compact
	p50, P99   time.Duration    // of latency
	Lag        time.Duration    // of the load generator with requests at a rate, p99
	Late       bool             // that is too long for a rate and latencies to be the program's
	Build      int              // which of the variant's layouts
	Conditions machine.Disturbance
	Counters   usage.Counters // used during the slice
	Idle       time.Duration  // CPU time between the slice before and this one that is not in counters
	Neighbours []Neighbour    // other programs that worked meanwhile
}

// Compact packs the histogram of latencies and drops all histograms, which are large. It
// waits until no slice of the round follows: what lies between the slices of a pair is time in
// which the machine may change.
//
// The distribution of its latencies is for comparisons only: ten minutes of a run would
// keep 20 MB of them. targets are the names of the slice's, told those that a comparison rules on.
func (s *Sample) Compact(compared bool, targets, told []string) error {
	var err error
	if s.Packed, err = packed.HeadlineLatencies(s.Loaded); err != nil {
		return err
	}
	if h := s.Loaded.Latency(); h != nil && compared && !s.Late {
		s.Latency = distributionOf(h)
		if h := s.Loaded.FirstByte; h != nil {
			s.FirstByte = distributionOf(h)
		}
		for i, t := range s.Loaded.Targets {
			if t.Latency == nil || !slices.Contains(told, targets[i]) {
				continue
			}
			if s.Targets == nil {
				s.Targets = map[string]stats.Distribution{}
			}
			s.Targets[targets[i]] = distributionOf(t.Latency)
		}
	}
	s.Loaded.Release()
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

// Slices are the samples as they are compared: those of a round together.
func (t *Load) Slices() []compare.Slice {
	all := make([]compare.Slice, 0, len(t.Samples))
	for round := range compare.Rounds(t.Samples, Sample.Where) {
		all = append(all, sliceOf(round))
	}
	return all
}

func (s Sample) Where() compare.Place { return s.Place }

// sliceOf is what the samples of a round show together.
func sliceOf(round []Sample) compare.Slice {
	one := round[0].Slice
	one.Disturbed = slices.ContainsFunc(round, func(s Sample) bool { return s.Conditions.Noticeable() })
	if len(round) == 1 {
		return ownPace(one, round[0].Late)
	}
	one.Sample = BatchOf(round).values()
	if slices.ContainsFunc(round, func(s Sample) bool { return s.Late }) {
		return ownPace(one, true)
	}
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

// ownPace leaves out what a late generator makes of the program.
func ownPace(s compare.Slice, late bool) compare.Slice {
	if late {
		s.Sample = maps.Clone(s.Sample)
		delete(s.Sample, measure.Throughput.Key)
		s.Latency, s.FirstByte, s.Targets = nil, nil, nil
	}
	return s
}

// values are the measures that slices show together. If nothing was answered they have a rate, and no cost per request;
// nor have they where the CPU clock stood still: on a crowded machine the kernel may show it too late.
func (b Batch) values() judge.Sample {
	values := judge.Sample{measure.Throughput.Key: b.Rate()}
	if cost := b.cpuNanos(); b.Answered > 0 && cost > 0 {
		values[measure.CPU.Key] = cost
	}
	if b.messages > 0 && b.Loaded > 0 {
		values[measure.Messages.Key] = float64(b.messages) / b.Loaded.Seconds()
	}
	return values
}

// Row is the sample as the ledger stores it, the i-th of its run, which started then.
func (s Sample) Row(i int, started time.Time) packed.Slice {
	row := packed.HeadlineOf(s.Loaded, s.Packed)
	row.Offset = s.Loaded.Start.Sub(started)
	row.Place = packed.Place{Index: i, Block: s.Block, Pair: s.Round, First: s.Turn == 0, Build: s.Build}
	row.Used = packed.Used{CPU: s.Counters.AllCPU(), Reads: s.Counters.ReadCalls, Writes: s.Counters.WriteCalls}
	row.Conditions = packed.ConditionsOf(s.Conditions)
	return row
}
