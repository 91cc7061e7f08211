package page

import "time"

// Schema is the version of all pages. A change that an old reader would misread gets a new number.
const Schema = "hone.page/1"

// Kind says which screen shows a page.
type Kind string

// The kinds of pages.
const (
	KindRun        Kind = "run"        // one variant under load
	KindOnce       Kind = "once"       // a program that was executed to its end
	KindLoad       Kind = "load"       // a load test of a server that was already running
	KindComparison Kind = "comparison" // variants measured together
	KindBench      Kind = "bench"      // benchmarks of two variants
	KindBisect     Kind = "bisect"     // the search for a commit
	KindStored     Kind = "stored"     // two stored runs side by side
)

// Head is what all pages begin with.
type Head struct {
	Schema string `json:"schema"`
	Kind   Kind   `json:"kind"`
	// ID is the permanent name in the ledger; empty for two stored runs side by side.
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Started time.Time `json:"started"`
	// Elapsed is how long it took, as text: "41 s". It is empty while the measurement goes on.
	Elapsed string `json:"elapsed,omitempty"`
	// Status is that of the ledger: complete, partial, invalid, interrupted, crashed, running.
	Status string `json:"status"`
	// Version is that of the hone that measured.
	Version string `json:"version"`
	// Host is the machine of an imported run; empty for this ledger's own.
	Host string `json:"host,omitempty"`
}

// ProfileRef names a profile that can be opened. Path is its address below /api/v1/.
type ProfileRef struct {
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Run   string `json:"run"`
	Path  string `json:"path"`
	// Cohort is that of a wait profile: typical or slow.
	Cohort string `json:"cohort,omitempty"`
}
