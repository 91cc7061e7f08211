package lab

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/internal/subject"
)

// runtimeGauge reads the runtime of one start of a subject. Nil reads nothing.
type runtimeGauge struct {
	probe *subject.Probe
	// objects and bytes are what the subject allocates for one reading.
	objects, bytes int64
}

// openGauge looks what a reading costs this start. Where the runtime cannot be read, a
// warning says so, and the start is measured without.
func (t *trial) openGauge(ctx context.Context) {
	t.gauge = nil
	socket := t.process.ProbeSocket()
	if socket == "" {
		return
	}
	g := &runtimeGauge{probe: subject.ProbeAt(socket)}
	const readings = 6 // the first of a process fills caches of the runtime
	var objects, bytes []int64
	var last subject.Runtime
	for i := range readings {
		r, err := g.probe.Runtime(ctx)
		if err != nil {
			t.warn("no allocation counts: %v", err)
			return
		}
		if i > 0 {
			d := r.Sub(last)
			objects, bytes = append(objects, int64(d.AllocObjects)), append(bytes, int64(d.AllocBytes))
		}
		last = r
	}
	slices.Sort(objects)
	slices.Sort(bytes)
	g.objects, g.bytes = objects[len(objects)/2], bytes[len(bytes)/2]
	t.gauge = g
}

// reading is the runtime at one moment.
type reading struct {
	at      time.Time
	runtime subject.Runtime
	metrics subject.Metrics // that it was made of
}

// moment is what the runtime did from one reading to the next.
type moment struct {
	start    int // of the program, from 0
	at       time.Time
	took     time.Duration
	requests uint64          // answered right meanwhile
	runtime  subject.Runtime // its histograms of the latest moments only: they are large
	pauses   Spans
	waits    Spans
	gauge    *runtimeGauge
}

// recentMoments is how many moments keep their histograms.
const recentMoments = 64

// read is nil without a gauge.
func (g *runtimeGauge) read(ctx context.Context) (*reading, error) {
	if g == nil {
		return nil, nil
	}
	m, err := g.probe.RuntimeMetrics(ctx)
	if err != nil {
		return nil, err
	}
	return &reading{time.Now(), m.Runtime(), m}, nil
}

// readRuntime is nil where there is nothing to be read, or no longer.
func (t *trial) readRuntime(ctx context.Context) *reading {
	r, err := t.gauge.read(ctx)
	if err != nil {
		t.loseGauge(ctx, err)
	}
	return r
}

// loseGauge goes on without readings.
func (t *trial) loseGauge(ctx context.Context, err error) {
	if t.died() == nil && ctx.Err() == nil {
		t.warn("allocation counts end early: %v", err)
	}
	t.gauge = nil
}

// between notes what happened from one reading to the next, if there are both.
func (t *trial) between(before, after *reading, m moment) {
	if before == nil || after == nil {
		return
	}
	m.runtime, m.gauge = after.runtime.Sub(before.runtime), t.gauge
	t.keepMoment(m)
}

func (t *trial) keepMoment(m moment) {
	m.pauses, m.waits = spansOf(m.runtime.Pauses), spansOf(m.runtime.Waits)
	t.runtime = t.runtime.Add(m.runtime)
	t.moments = append(t.moments, m)
	if old := len(t.moments) - 1 - recentMoments; old >= 0 {
		t.moments[old].runtime.Pauses, t.moments[old].runtime.Waits = nil, nil
	}
}

// allocated is what the subject allocated, less what a reading does: it may fall below 0
// by what readings differ in.
func (m moment) allocated() (objects, bytes int64) {
	return int64(m.runtime.AllocObjects) - m.gauge.objects, int64(m.runtime.AllocBytes) - m.gauge.bytes
}
