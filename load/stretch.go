package load

import "time"

// Stretch is load in one go: a schedule and how it is cut and ended.
type Stretch struct {
	Schedule Schedule
	// Drain is how long to wait at the end for connections that stay silent with
	// requests outstanding; 0 means not to wait: what is outstanding then belongs to
	// the next stretch.
	Drain time.Duration
	// Interval is the length of the slices that Run hands over; 0 means one slice for
	// each stage.
	Interval time.Duration
}
