package live

import (
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

// Schema is that of a State in a file. A reader passes over files of any other.
const Schema = "hone.live/1"

// State is what a measurement that goes on says of itself. Texts have no passwords and no values of headers.
type State struct {
	Schema string `json:"schema"`
	// Key names the measurement among those that go on; it is the name of its file.
	Key string `json:"key"`
	// Kind is run, once, comparison, load or bench; ID is the permanent name of the run or comparison, empty before it
	// has one.
	Kind    string    `json:"kind"`
	ID      string    `json:"id,omitempty"`
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	// At is when this was written.
	At            time.Time     `json:"at"`
	Phase         string        `json:"phase"`
	PhaseBegan    time.Time     `json:"phase_began"`
	PhaseExpected time.Duration `json:"phase_expected_ns,omitempty"`
	// Done and Total are timed load; Total is 0 if it is not known.
	Done    time.Duration `json:"done_ns,omitempty"`
	Total   time.Duration `json:"total_ns,omitempty"`
	Variant string        `json:"variant,omitempty"`
	// Loaded is true while there is load. Without load, the rates and latencies below are empty.
	Loaded      bool    `json:"loaded,omitempty"`
	RatePerSec  float64 `json:"rate_per_sec,omitempty"`
	AskedPerSec float64 `json:"asked_per_sec,omitempty"`
	// P99 is the longest p99 of the slices of the latest second.
	P99    time.Duration `json:"p99_ns,omitempty"`
	Errors uint64        `json:"errors,omitempty"`
	// Note is what a comparison shows so far.
	Note     string   `json:"note,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Latest is the latest reading of the program and the generator; nil before the first.
	Latest *vitals.Reading `json:"latest,omitempty"`
	// Past are the latest seconds, the oldest first.
	Past []Second `json:"past,omitempty"`
	// Ended says that the measurement is over. Files do not have it: Watch adds it.
	Ended bool `json:"ended,omitempty"`
}

// Second is one second of a measurement.
type Second struct {
	// At is milliseconds since the start of the measurement.
	At         int64         `json:"at_ms"`
	Variant    string        `json:"variant,omitempty"`
	RatePerSec float64       `json:"rate_per_sec"`
	P99        time.Duration `json:"p99_ns"`
	Errors     uint64        `json:"errors"`
}

// Bounds of a state, so that its file stays small.
const (
	mostPast     = 180
	mostWarnings = 20
	mostText     = 2000
)
