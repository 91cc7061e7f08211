package page

import (
	"time"

	"github.com/gohone/hone/internal/view/model"
)

// Live is what a measurement that goes on shows, once a second. Its address /api/v1/live sends one for each measurement
// that changed, as server-sent events named "live".
type Live struct {
	Schema string `json:"schema"`
	// ID is that of its run or comparison; empty before the ledger has named it.
	ID      string    `json:"id"`
	Key     string    `json:"key"` // names the measurement among those that go on
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	// Phase is what goes on, since PhaseSeconds; PhaseExpected is how long it should take, 0 if that is not known.
	Phase         string  `json:"phase"`
	PhaseSeconds  float64 `json:"phase_seconds"`
	PhaseExpected float64 `json:"phase_expected"`
	// Done and Total are seconds of timed load; Total is 0 if it is not known.
	Done  float64 `json:"done"`
	Total float64 `json:"total"`
	// Left is the time left as text; empty if it is not known.
	Left string `json:"left,omitempty"`
	// Variant is the letter of the variant that the latest slice was of.
	Variant string `json:"variant,omitempty"`
	// Loaded is true while there is load. Without load, rates and latencies are empty.
	Loaded bool `json:"loaded,omitempty"`
	// Rate and Asked are requests per second of the latest second; Asked is 0 in a closed loop.
	Rate   model.Number `json:"rate"`
	Asked  model.Number `json:"asked"`
	P50    model.Number `json:"p50"`
	P99    model.Number `json:"p99"`
	P999   model.Number `json:"p99_9"`
	Errors uint64       `json:"errors"`
	Causes []model.Row  `json:"causes,omitempty"`
	Vitals []Vital      `json:"vitals,omitempty"`
	// Past are the latest minutes, a point for each second, the oldest first.
	Past []LivePoint `json:"past"`
	// Note is what a comparison shows so far.
	Note     string   `json:"note,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Ended says that the measurement is over; its page is then that of ID.
	Ended bool `json:"ended,omitempty"`
	Kind  Kind `json:"kind"`
}

// LivePoint is one second of a measurement.
type LivePoint struct {
	// Seconds are since its start.
	Seconds float64 `json:"seconds"`
	Variant string  `json:"variant,omitempty"`
	Rate    float64 `json:"rate"`   // right answers per second
	P99     float64 `json:"p99_ns"` // the longest of the slices of that second
	Errors  uint64  `json:"errors"` // so far
}

// Vital is a reading of the program or of the generator: CPU, heap, collections, goroutines, lag.
type Vital struct {
	Name  string     `json:"name"`
	Of    string     `json:"of"` // "program" or "generator"
	Unit  string     `json:"unit"`
	Value float64    `json:"value"`
	Text  string     `json:"text"`
	Tone  model.Tone `json:"tone,omitempty"`
}
