package record

import (
	"time"
)

// CaptureSchema is that of Captured.
const CaptureSchema = "hone.capture/1"

// Captured is the document of profiles that were taken under a load that is not hone's, or
// imported from files.
type Captured struct {
	Head
	Captures []KindSummary `json:"captures"`
}

// Captured is all captures of a kind together.
type KindSummary struct {
	Kind  string `json:"kind"`
	Times int    `json:"times"`
	// Duration is that of all, 0 where it is not known.
	Duration time.Duration `json:"duration_ns,omitempty"`
	// Ticks are the samples of CPU profiles.
	Ticks int64 `json:"ticks,omitempty"`
}
