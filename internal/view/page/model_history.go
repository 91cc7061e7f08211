package page

import (
	"time"

	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/lists"
)

// History is the page of one measure over the commits, and the list of what was measured.
type History struct {
	Schema  string              `json:"schema"`
	Measure MeasureName         `json:"measure"`
	Known   KnownFilters        `json:"known"`
	Series  []lists.TrendSeries `json:"series"`
	// Newest are the latest runs and comparisons, the newest first.
	Newest []Entry `json:"newest"`
	// Runs and Comparisons are how many the ledger has.
	Runs        int `json:"runs"`
	Comparisons int `json:"comparisons"`
}

// MeasureName is a measure that a history can be of.
type MeasureName struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	Better string `json:"better"`
}

// KnownFilters are the values that the filters of a history take.
type KnownFilters struct {
	Measures []MeasureName `json:"measures"`
	Packages []string      `json:"packages"`
	Labels   []string      `json:"labels"`
	Targets  []string      `json:"targets"`
	Statuses []string      `json:"statuses"`
}

// Entry is one line of the list of what was measured.
type Entry struct {
	Kind    Kind      `json:"kind"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Title   string    `json:"title"`
	Status  string    `json:"status"`
	// Text is the sentence of a comparison, or the main measure of a run.
	Text string     `json:"text"`
	Tone model.Tone `json:"tone"`
	// Disturbed says that the machine disturbed most of a run.
	Disturbed bool `json:"disturbed,omitempty"`
	// Comparison is the id of the comparison that a run belongs to.
	Comparison string `json:"comparison,omitempty"`
}
