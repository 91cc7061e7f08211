package lab

import (
	"context"
	"slices"

	"github.com/gohone/hone/internal/subject"
)

// runtimeGauge reads the runtime of one start of a subject around its slices. Nil reads
// nothing.
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

// readRuntime is nil where there is nothing to be read, or no longer.
func (t *trial) readRuntime(ctx context.Context) *subject.Runtime {
	if t.gauge == nil {
		return nil
	}
	r, err := t.gauge.probe.Runtime(ctx)
	if err != nil {
		if t.died() == nil && ctx.Err() == nil {
			t.warn("allocation counts end early: %v", err)
		}
		t.gauge = nil
		return nil
	}
	return &r
}

// since is what happened from one reading to the next; nil if one of them is missing.
func since(before, after *subject.Runtime) *subject.Runtime {
	if before == nil || after == nil {
		return nil
	}
	d := after.Sub(*before)
	return &d
}

// allocated is what the subject allocated in a slice whose runtime was read, less what a
// reading does: it may fall below 0 by what readings differ in.
func (s sample) allocated() (objects, bytes int64) {
	return int64(s.runtime.AllocObjects) - s.gauge.objects, int64(s.runtime.AllocBytes) - s.gauge.bytes
}
