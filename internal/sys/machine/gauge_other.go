//go:build !linux

package machine

import "time"

// Gauge reads the conditions of the machine; this system tells none of them.
type Gauge struct{}

// OpenGauge prepares the readings. It never fails: what cannot be read is unknown.
func OpenGauge() *Gauge { return &Gauge{} }

// Read takes a reading. Not safe for concurrent use.
func (*Gauge) Read() Conditions { return Conditions{at: time.Now()} }

// Close ends the use of the gauge.
func (*Gauge) Close() error { return nil }
