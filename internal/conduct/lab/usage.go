package lab

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/judge"
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
	held             held
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
		s.seen = coverage{}
		before := usageBefore{Reading: usage, samples: len(s.timed.samples), moments: len(s.timed.moments),
			box: s.process.Box()}
		if comparison {
			before.held, before.runtime = s.held(ctx, usage)
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
	c := consumption{voluntary: usage.Voluntary - before.Voluntary, involuntary: usage.Involuntary - before.Involuntary}
	took := time.Duration(0)
	s.shareChildren(before.samples, usage.Children-before.Children)
	for _, one := range s.timed.samples[before.samples:] {
		c.answered += one.slice.Answered
		c.reads += one.counters.ReadCalls
		c.writes += one.counters.WriteCalls
		c.readBytes += one.counters.ReadBytes
		c.writeBytes += one.counters.WriteBytes
		took += one.slice.Duration
	}
	if s.compared {
		s.endEffects(before.effects, usage, s.timed.samples[before.samples:])
	}
	if before.runtime != nil {
		s.between(before.runtime, s.readRuntime(ctx), moment{
			start: len(s.timed.starts), at: before.runtime.at, took: took, requests: c.answered,
			ends: s.collectionEnds(ctx, before.runtime.at),
		})
	}
	var objects, bytes int64
	for _, m := range s.timed.moments[before.moments:] {
		o, b := m.allocated()
		objects, bytes = objects+o, bytes+b
		c.read += m.requests
		c.gcCycles += m.runtime.GCCycles
	}
	c.allocs, c.allocBytes = uint64(max(0, objects)), uint64(max(0, bytes))
	s.timed.consumed.add(c)
	s.timed.covered.merge(s.seen)
	s.timed.peakRSS = max(s.timed.peakRSS, uint64(max(0, usage.PeakRSS)))
	values := c.sample(usage, !s.seen.incomplete())
	if before.runtime != nil {
		after, _ := s.held(ctx, usage)
		before.held.growth(after, c.answered, values)
	} else if opened := usage.FDs - before.FDs; !s.compared && c.answered > 0 {
		values[measure.DescriptorGrowth.Key] = 0
		if opened >= leastOpened {
			values[measure.DescriptorGrowth.Key] = float64(opened) / float64(c.answered)
		}
	}
	s.endBox(before.box, took, values)
	if took := s.process.ReadyAfter(); took > 0 {
		values[measure.Start.Key] = float64(took)
	}
	s.timed.starts = append(s.timed.starts, values)
	return nil
}

// consumption is what the subject used up while it served timed slices.
type consumption struct {
	voluntary, involuntary uint64 // context switches
	reads, writes          uint64 // calls
	readBytes, writeBytes  uint64 // by these calls
	answered               uint64
	gcCycles               uint64
	allocBytes, allocs     uint64 // from the probe
	read                   uint64 // requests answered while the runtime was read
}

func (c *consumption) add(o consumption) {
	c.voluntary += o.voluntary
	c.involuntary += o.involuntary
	c.reads += o.reads
	c.writes += o.writes
	c.readBytes += o.readBytes
	c.writeBytes += o.writeBytes
	c.answered += o.answered
	c.gcCycles += o.gcCycles
	c.allocBytes += o.allocBytes
	c.allocs += o.allocs
	c.read += o.read
}

// sample is what a start shows as a whole; probed says that the probe saw all of the program.
func (c consumption) sample(u usage.Reading, probed bool) judge.Sample {
	s := judge.Sample{}
	per := func(m judge.Measure, n, requests uint64, known bool) {
		if known && requests > 0 {
			s[m.Key] = float64(n) / float64(requests)
		}
	}
	per(measure.ReadCalls, c.reads, c.answered, c.reads > 0)
	per(measure.WriteCalls, c.writes, c.answered, c.writes > 0)
	per(measure.Bytes, c.allocBytes, c.read, probed)
	per(measure.Allocs, c.allocs, c.read, probed)
	if u.PeakRSS > 0 {
		s[measure.PeakRSS.Key] = float64(u.PeakRSS)
	}
	if u.RSS > 0 {
		s[measure.Resident.Key] = float64(u.RSS)
	}
	return s
}
