package service

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// usageWindow reads what the subjects use up between two points in time. The readings
// cost the subjects CPU, so they are taken outside the timed slices.
type usageWindow struct {
	starts []*start
	before []usageBefore
}

type usageBefore struct {
	usage.Reading
	samples, moments int
	runtime          *reading // nil where it is read beside the load
	holdings         timed.Holdings
	effects          effectsBefore
	box              cgroup.Counters
}

// beginUsage opens the window. The runtime of a comparison's programs is read at its ends:
// a reading right before a slice of 25 ms costs 1.3 % of it, in caches and in what the
// probe has still to do (make bench CASE=overhead), and idle time in between makes the CPU cold.
func beginUsage(ctx context.Context, group []*start, comparison bool) (*usageWindow, error) {
	w := &usageWindow{starts: group}
	for _, s := range group {
		usage, err := s.process.Usage()
		if err != nil {
			return nil, s.or(err)
		}
		s.openGauge(ctx)
		s.coverage = timed.Coverage{}
		before := usageBefore{Reading: usage, samples: len(s.timed.Samples), moments: len(s.timed.Moments),
			box: s.process.Box()}
		if comparison {
			before.holdings, before.runtime = s.holdings(ctx, usage)
		}
		w.before = append(w.before, before)
	}
	if !comparison {
		return w, nil
	}
	for i, s := range group {
		var err error
		if w.before[i].effects, err = s.beginEffects(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// end adds what was used since begin to each variant, as a start of its own.
func (w *usageWindow) end(ctx context.Context) error {
	for i, s := range w.starts {
		if err := s.endUsage(ctx, w.before[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *start) endUsage(ctx context.Context, before usageBefore) error {
	usage, err := s.process.Usage()
	if err != nil {
		return s.or(err)
	}
	c := timed.Consumption{Voluntary: usage.Voluntary - before.Voluntary,
		Involuntary: usage.Involuntary - before.Involuntary}
	took := time.Duration(0)
	s.timed.ShareChildren(before.samples, usage.Children-before.Children)
	for _, one := range s.timed.Samples[before.samples:] {
		c.Answered += one.Loaded.Answered
		c.Reads += one.Counters.ReadCalls
		c.Writes += one.Counters.WriteCalls
		c.ReadBytes += one.Counters.ReadBytes
		c.WriteBytes += one.Counters.WriteBytes
		took += one.Loaded.Duration
	}
	if s.timed.Compared {
		s.endEffects(before.effects, usage, s.timed.Samples[before.samples:])
	}
	if before.runtime != nil {
		s.between(before.runtime, s.readRuntime(ctx), timed.Moment{
			Start: len(s.timed.Starts), At: before.runtime.at, Took: took, Requests: c.Answered,
			Ends: s.collectionEnds(ctx, before.runtime.at),
		})
	}
	s.readMemory(ctx, usage)
	var objects, bytes int64
	for _, m := range s.timed.Moments[before.moments:] {
		o, b := m.Allocated()
		objects, bytes = objects+o, bytes+b
		c.Read += m.Requests
		c.GCCycles += m.Runtime.GCCycles
	}
	c.Allocs, c.AllocBytes = uint64(max(0, objects)), uint64(max(0, bytes))
	s.timed.Consumed.Add(c)
	s.timed.Covered.Merge(s.coverage)
	s.timed.PeakRSS = max(s.timed.PeakRSS, uint64(max(0, usage.PeakRSS)))
	values := c.Sample(usage, !s.coverage.Incomplete())
	if before.runtime != nil {
		after, _ := s.holdings(ctx, usage)
		before.holdings.Growth(after, c.Answered, values)
	} else if opened := usage.FDs - before.FDs; !s.timed.Compared && c.Answered > 0 {
		values[measure.DescriptorGrowth.Key] = 0
		if opened >= timed.LeastOpened {
			values[measure.DescriptorGrowth.Key] = float64(opened) / float64(c.Answered)
		}
	}
	s.endBox(before.box, took, values)
	if took := s.process.ReadyAfter(); took > 0 {
		values[measure.Start.Key] = float64(took)
	}
	s.timed.Starts = append(s.timed.Starts, values)
	return nil
}

// holdings collects garbage and looks what is left. It takes time of the program, outside of its timed slices.
func (s *start) holdings(ctx context.Context, usage usage.Reading) (h timed.Holdings, r *reading) {
	if s.runtimeGauge == nil {
		return h, nil
	}
	collected := s.runtimeGauge.probes.Collect(ctx) == nil // a probe of an earlier hone may not
	if r = s.readRuntime(ctx); r == nil {
		return h, nil
	}
	return timed.Holdings{Heap: r.runtime.HeapLiveBytes, Goroutines: r.runtime.Goroutines, Descriptors: usage.FDs,
		Known: collected}, r
}
