package record

import (
	"time"

	"github.com/gohone/hone/judge/power"
)

// Calibration is what comparisons of a program show on this machine: found out by comparing it
// with itself for the whole of a budget.
type Calibration struct {
	// Blocks is how many blocks it rests on, BlockTime what one of them took.
	Blocks    int           `json:"blocks"`
	BlockTime time.Duration `json:"block_time_ns"`
	// Powers are by measure and budget.
	Powers []power.Power `json:"powers"`
}

// Calibrated is a calibration of an earlier day.
type Calibrated struct {
	// Comparison is its name in the ledger.
	Comparison string    `json:"comparison"`
	At         time.Time `json:"at"`
	Calibration
}
