package tuning

import (
	"github.com/gohone/hone/judge"
)

// GCSchema is that of GCReport as JSON.
const GCSchema = "hone.tune-gc/1"

// GCReport is what a sweep found.
type GCReport struct {
	Schema     string `json:"schema"`
	LimitBytes uint64 `json:"memory_limit_bytes,omitempty"`
	// Rounds are one or two. The first of two chooses the settings of the second.
	Rounds []*Round `json:"rounds"`
	// Points are the program as it is, and every setting, by memory.
	Points []Point `json:"points"`
	// Recommended is the name of a point; empty if none is.
	Recommended string `json:"recommended,omitempty"`
	// Reason says why that one, or why none.
	Reason string `json:"reason"`
}

// Point is one setting between CPU time and memory.
type Point struct {
	Name string   `json:"name"`
	Env  []string `json:"env,omitempty"`
	AsIs bool     `json:"as_is,omitempty"`
	// CPUNanos is the CPU time per request: that of the program as it is, times the ratio.
	CPUNanos float64 `json:"cpu_ns_per_request"`
	// CPU is the verdict on it; nil of the program as it is, or where nothing was observed.
	CPU   *judge.Verdict `json:"cpu,omitempty"`
	Claim Claim          `json:"claim,omitempty"`
	Readings
	// NeedsBytes is the memory to provide: the larger of the peak that was measured, and of what
	// the program takes besides its heap with the heap at its goal.
	NeedsBytes uint64 `json:"needs_bytes"`
	// Front says that no other point takes less of both CPU time and memory.
	Front bool `json:"front"`
	// FirstRound says that the setting was not measured in the last round, since the first
	// showed little hope.
	FirstRound bool `json:"first_round_only,omitempty"`
	// Unsettled says why its CPU time cannot be used: the collector hardly ran while it was
	// measured.
	Unsettled string `json:"unsettled,omitempty"`
}
