package record

import (
	"time"

	"github.com/gohone/hone/prof/holders"
)

// Holders is who held the memory at the end of a run.
type Holders struct {
	// Paused is how long the program stood still for its heap dump.
	Paused time.Duration `json:"paused_ns"`
	*holders.Report
}
