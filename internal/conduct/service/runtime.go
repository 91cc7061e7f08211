package service

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/usage"
)

// runtimeGauge reads the runtime of one start of a subject. Nil reads nothing.
type runtimeGauge struct {
	probes  *probeclient.Probes
	process *subject.Process
	totals  probeclient.Totals
	// objects and bytes are what a process allocates for one reading.
	objects, bytes int64
}

// openGauge looks what a reading costs this start. Where the runtime cannot be read, a
// warning says so, and the start is measured without.
func (s *start) openGauge(ctx context.Context) {
	s.runtimeGauge = nil
	probes := s.process.Probes()
	if probes == nil {
		return
	}
	g := &runtimeGauge{probes: probes, process: s.process}
	const readings = 6 // the first of a process fills caches of the runtime
	var objects, bytes []int64
	var last probeclient.Runtime
	for i := range readings {
		r, err := g.read(ctx)
		if err != nil {
			s.Warn("no allocation counts: %v", err)
			return
		}
		if i > 0 {
			d, n := r.runtime.Sub(last), int64(r.runtime.Processes)
			objects, bytes = append(objects, int64(d.AllocObjects)/n), append(bytes, int64(d.AllocBytes)/n)
		}
		last = r.runtime
	}
	slices.Sort(objects)
	slices.Sort(bytes)
	g.objects, g.bytes = objects[len(objects)/2], bytes[len(bytes)/2]
	s.runtimeGauge = g
}

// reading is the runtime of all processes at one moment.
type reading struct {
	at       time.Time
	runtime  probeclient.Runtime
	metrics  probeclient.Metrics // that it was made of
	memory   *memory.Moment      // nil where it is not known
	cpu      []usage.ProcessCPU
	answered map[int]bool // by PID
}

// read is nil without a gauge. Processes come and go from one reading to the next; the
// counters of the sum never fall.
func (g *runtimeGauge) read(ctx context.Context) (*reading, error) {
	if g == nil {
		return nil, nil
	}
	answers, err := g.probes.RuntimeMetrics(ctx, memory.Metrics()...)
	if err != nil {
		return nil, err
	}
	r := &reading{at: time.Now(), metrics: g.totals.Take(answers), cpu: g.process.CPUByProcess(),
		answered: map[int]bool{}}
	for pid := range answers.Of {
		r.answered[pid] = true
	}
	r.runtime = r.metrics.Runtime()
	r.runtime.Processes = len(r.answered)
	if m, known := memory.MomentOf(memory.FromMetrics(r.metrics), slices.Collect(maps.Keys(r.answered))); known {
		r.memory = &m
	}
	return r, nil
}

// readRuntime is nil where there is nothing to be read, or no longer.
func (s *start) readRuntime(ctx context.Context) *reading {
	r, err := s.runtimeGauge.read(ctx)
	if err != nil {
		s.loseGauge(ctx, err)
	}
	if r != nil {
		s.showRuntime(r.metrics)
	}
	return r
}

// showRuntime has a reading recorded, if metrics are. Nothing is read for it.
func (s *start) showRuntime(m probeclient.Metrics) {
	if s.recorder != nil {
		s.recorder.Runtime(s.Draft.ID(), m)
	}
}

// collectionEnds is when collections ended after begin, as far back as the runtime remembers. A program with a probe
// of an earlier hone does not tell.
func (s *start) collectionEnds(ctx context.Context, begin time.Time) []time.Time {
	if s.runtimeGauge == nil {
		return nil
	}
	ends, err := s.runtimeGauge.probes.CollectionEnds(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(ends, func(end time.Time) bool { return end.Before(begin) })
}

// loseGauge goes on without readings.
func (s *start) loseGauge(ctx context.Context, err error) {
	if s.died() == nil && ctx.Err() == nil {
		s.Warn("allocation counts end early: %v", err)
	}
	s.runtimeGauge = nil
}

// between notes what happened from one reading to the next, if there are both.
func (s *start) between(before, after *reading, m timed.Moment) {
	if before == nil || after == nil {
		return
	}
	m.Before = timed.Sizes{Goroutines: before.runtime.Goroutines, Heap: before.runtime.HeapLiveBytes}
	m.Runtime, m.Memory = after.runtime.Sub(before.runtime), after.memory
	m.ReadObjects, m.ReadBytes = s.runtimeGauge.objects, s.runtimeGauge.bytes
	s.coverage.Add(before.cpu, after.cpu, before.answered, after.answered)
	s.timed.KeepMoment(m)
}
