package loadtests

import (
	"time"

	"github.com/gohone/hone/internal/judge/limit"
)

// Search is a search for the highest rate that keeps some limits.
type Search struct {
	// Limits are what must hold.
	Limits []limit.Threshold `json:"limits"`
	// Probes are the rates that were tried, in that order.
	Probes []TriedRate `json:"probes"`
	// BestHz is the highest rate that held in the measurement at the end, in requests per second, and WorstHz the
	// lowest over it that did not; 0 where there was none.
	BestHz  float64 `json:"best_hz"`
	WorstHz float64 `json:"worst_hz"`
	// LowHz and HighHz are where the highest rate lies with a probability of 90 %, by all tries.
	LowHz  float64 `json:"low_hz"`
	HighHz float64 `json:"high_hz"`
	// Within is the time that the search was given, and Took what it took.
	Within time.Duration `json:"within_ns"`
	Took   time.Duration `json:"took_ns"`
	// Generator says that the search ended at what the generator can do: the target may
	// be able to take more.
	Generator bool `json:"generator,omitempty"`
}

// TriedRate is one rate that was tried.
type TriedRate struct {
	RateHz     float64       `json:"rate_hz"`
	AchievedHz float64       `json:"achieved_hz"` // right answers per second
	P50        time.Duration `json:"p50_ns"`
	P99        time.Duration `json:"p99_ns"`
	Count      int64         `json:"count"` // of the answers that they rest on
	Held       bool          `json:"held"`
	// Why is what did not hold; empty if all did.
	Why string `json:"why,omitempty"`
	// Disturbed says that the try says nothing of the rate: the generator was late, or there were too few answers.
	Disturbed bool `json:"disturbed,omitempty"`
}
