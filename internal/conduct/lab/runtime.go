package lab

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
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
	s.gauge = nil
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
			s.warn("no allocation counts: %v", err)
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
	s.gauge = g
}

// reading is the runtime of all processes at one moment.
type reading struct {
	at       time.Time
	runtime  probeclient.Runtime
	metrics  probeclient.Metrics // that it was made of
	cpu      []usage.ProcessCPU
	answered map[int]bool // by PID
}

// moment is what the runtime did from one reading to the next.
type moment struct {
	start    int // of the program, from 0
	at       time.Time
	took     time.Duration
	requests uint64 // answered right meanwhile
	before   sizes
	runtime  probeclient.Runtime // its histograms of the latest moments only: they are large
	pauses   record.Spans
	waits    record.Spans
	gauge    *runtimeGauge
	ends     []time.Time // of collections, of the start of a comparison
}

// sizes are what a program holds.
type sizes struct{ goroutines, heap uint64 }

// recentMoments is how many moments keep their histograms.
const recentMoments = 64

// read is nil without a gauge. Processes come and go from one reading to the next; the
// counters of the sum never fall.
func (g *runtimeGauge) read(ctx context.Context) (*reading, error) {
	if g == nil {
		return nil, nil
	}
	answers, err := g.probes.RuntimeMetrics(ctx)
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
	return r, nil
}

// readRuntime is nil where there is nothing to be read, or no longer.
func (s *start) readRuntime(ctx context.Context) *reading {
	r, err := s.gauge.read(ctx)
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
		s.recorder.Runtime(s.draft.ID(), m)
	}
}

// collectionEnds is when collections ended after begin, as far back as the runtime remembers. A program with a probe
// of an earlier hone does not tell.
func (s *start) collectionEnds(ctx context.Context, begin time.Time) []time.Time {
	if s.gauge == nil {
		return nil
	}
	ends, err := s.gauge.probes.CollectionEnds(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(ends, func(end time.Time) bool { return end.Before(begin) })
}

// loseGauge goes on without readings.
func (s *start) loseGauge(ctx context.Context, err error) {
	if s.died() == nil && ctx.Err() == nil {
		s.warn("allocation counts end early: %v", err)
	}
	s.gauge = nil
}

// between notes what happened from one reading to the next, if there are both.
func (s *start) between(before, after *reading, m moment) {
	if before == nil || after == nil {
		return
	}
	m.before = sizes{before.runtime.Goroutines, before.runtime.HeapLiveBytes}
	m.runtime, m.gauge = after.runtime.Sub(before.runtime), s.gauge
	s.seen.add(before.cpu, after.cpu, before.answered, after.answered)
	s.keepMoment(m)
}

func (v *service) keepMoment(m moment) {
	m.pauses, m.waits = spansOf(m.runtime.Pauses), spansOf(m.runtime.Waits)
	v.timed.runtime = v.timed.runtime.Add(m.runtime)
	v.timed.moments = append(v.timed.moments, m)
	if old := len(v.timed.moments) - 1 - recentMoments; old >= 0 {
		v.timed.moments[old].runtime.Pauses, v.timed.moments[old].runtime.Waits = nil, nil
	}
}

// allocated is what the subject allocated, less what a reading does in each process: it may
// fall below 0 by what readings differ in.
func (m moment) allocated() (objects, bytes int64) {
	n := int64(max(1, m.runtime.Processes))
	return int64(m.runtime.AllocObjects) - n*m.gauge.objects, int64(m.runtime.AllocBytes) - n*m.gauge.bytes
}
