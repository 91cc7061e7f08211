package service

import "github.com/gohone/hone/internal/sys/machine"

// conditionsWindow says what the machine did from one moment to the next.
type conditionsWindow struct {
	gauge *machine.Gauge
	last  machine.Conditions
}

// newConditionsWindow begins now.
func newConditionsWindow(g *machine.Gauge) *conditionsWindow {
	return &conditionsWindow{gauge: g, last: g.Read()}
}

// next is what the machine did since the last call.
func (w *conditionsWindow) next() machine.Disturbance {
	now := w.gauge.Read()
	d := now.Since(w.last)
	w.last = now
	return d
}
