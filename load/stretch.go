package load

import (
	"errors"
	"fmt"
	"time"
)

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

// Validate reports all faults of the stretch at once.
func (g Stretch) Validate() error {
	faults := []error{g.Schedule.Validate()}
	if g.Drain < 0 {
		faults = append(faults, fmt.Errorf("drain is %v, want 0 or more", g.Drain))
	}
	if g.Interval < 0 {
		faults = append(faults, fmt.Errorf("interval is %v, want 0 or more", g.Interval))
	}
	return errors.Join(faults...)
}
