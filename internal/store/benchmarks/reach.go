package benchmarks

import "github.com/gohone/hone/internal/program/reach"

// ReachSchema is the version of Reach's JSON.
const ReachSchema = "hone.reach/1"

// Reach is which of the functions that differ between two sides the tests and benchmarks of packages execute.
type Reach struct {
	Schema   string   `json:"schema"`
	Sides    [2]Side  `json:"sides"`
	Packages []string `json:"packages"`
	*reach.Table
	Notes []Note `json:"notes,omitempty"`
}
