package page

import (
	"time"

	"github.com/gohone/hone/internal/view/report"
)

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

// Tone is the colour of a statement. A browser adds a sign, so that colour is never the only difference.
type Tone = report.Tone

// The tones.
const (
	Better  Tone = "better"
	Worse   Tone = "worse"
	Neutral Tone = "neutral"
	Warning Tone = "warning" // it can be trusted with a reserve
	Bad     Tone = "bad"     // it cannot be trusted, or failed
	Good    Tone = "good"    // passed, valid
)

// Statement is one sentence with its tone.
type Statement struct {
	Text string `json:"text"`
	Tone Tone   `json:"tone"`
}

// Number is a value in the unit of its row, and as text with its unit.
type Number struct {
	Value float64 `json:"value"`
	Text  string  `json:"text"`
}

// Row is a name with a text, for tables of facts, and Command a command line to copy.
type (
	Row     = report.Row
	Command = report.Command
)

// Place is a line of source. File is the name that the profile gives it, Short the end of it.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Short    string `json:"short,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

// Snippet is a piece of a source file with consecutive lines.
type Snippet struct {
	File string `json:"file"`
	// First is the number of the first line, Marked that of the line in question.
	First  int64    `json:"first"`
	Marked int64    `json:"marked"`
	Lines  []string `json:"lines"`
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

// Check says whether the measurement can be trusted.
type Check struct {
	Statement
	Notes []Statement `json:"notes,omitempty"`
}
