package capture

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
)

// Profiles are the captures of one variant as they were taken.
type Profiles struct {
	Passes   int                       // CPU profiles so far, failed ones too
	refused  int                       // of these, how many the program did not allow
	Pieces   map[string][]prof.Capture // by kind
	Captures map[string]prof.Capture   // by kind, all of a kind added up
	Waits    waits
	Holders  *record.Holders // nil where it was not asked for
	Allocs   []prof.Capture  // of all allocations, sampled at a rate of 1
	Covered  timed.Coverage  // of the CPU profiles
	Over     bool            // no more can be taken; a warning says why
}

// Begin forgets what was captured.
func (p *Profiles) Begin() {
	p.Captures, p.Pieces = map[string]prof.Capture{}, map[string][]prof.Capture{}
}

// waits are what the traces showed.
type waits struct {
	Tracing *record.Tracing  // nil where no trace was read
	Digest  *walltime.Digest // of it
}

// RefusedWarning says how many CPU profiles are missing since the program took one of itself; empty for none.
func (p *Profiles) RefusedWarning() string {
	switch p.refused {
	case 0:
		return ""
	case p.Passes:
		return "profiles incomplete: hone has no CPU profile: the program takes one itself, and Go allows one at a time"
	}
	return fmt.Sprintf("profiles incomplete: %d of %d CPU profiles are missing: the program took one of itself, and "+
		"there can be one at a time", p.refused, p.Passes)
}
