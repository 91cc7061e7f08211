package lab

import (
	"context"

	"github.com/gohone/hone/internal/subject"
)

// runtimeGauge reads the runtime of one start of a subject around its slices. Nil reads
// nothing.
type runtimeGauge struct {
	probe *subject.Probe
	// objects and bytes are what the subject allocates for one reading.
	objects, bytes uint64
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
	const readings = 4 // the first of a process fills caches of the runtime
	var last subject.Runtime
	for i := range readings {
		r, err := g.probe.Runtime(ctx)
		if err != nil {
			t.warn("no allocation counts: %v", err)
			return
		}
		if d := r.Sub(last); i == 1 || i > 1 && d.AllocBytes < g.bytes {
			g.objects, g.bytes = d.AllocObjects, d.AllocBytes
		}
		last = r
	}
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

// between is what happened from one reading to the next, less what a reading allocates;
// nil if one of them is missing.
func (g *runtimeGauge) between(before, after *subject.Runtime) *subject.Runtime {
	if before == nil || after == nil {
		return nil
	}
	d := after.Sub(*before)
	d.AllocObjects -= min(g.objects, d.AllocObjects)
	d.AllocBytes -= min(g.bytes, d.AllocBytes)
	return &d
}
