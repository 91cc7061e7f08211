package load

import (
	"errors"
	"fmt"
	"time"
)

// Stretch is load in one go: a schedule and how it is cut and ended.
type Stretch struct {
	Schedule Schedule `json:"schedule"`
	// Drain is how long to wait at the end for connections that stay silent with
	// requests outstanding; 0 means not to wait: what is outstanding then belongs to
	// the next stretch.
	Drain time.Duration `json:"drain_ns"`
	// Interval is the length of the slices that Run hands over; 0 means one slice for
	// each stage.
	Interval time.Duration `json:"interval_ns,omitempty"`
	// Stamps, if there is one, gets the time stamps of the right answers that come during the stretch, when it has
	// ended. A right answer that came before it, to a stretch without a drain, is in its first slice and has no stamp.
	// It needs Linux. The caller must not look at it before Run returns.
	Stamps *Stamps `json:"-"`
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
	if g.Stamps != nil && g.Stamps.Most < 0 {
		faults = append(faults, fmt.Errorf("most stamps is %d, want 0 or more", g.Stamps.Most))
	}
	return errors.Join(faults...)
}
