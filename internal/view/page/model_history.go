package page

import "time"

// History is the page of one measure over the commits, and the list of what was measured.
type History struct {
	Schema  string        `json:"schema"`
	Measure MeasureName   `json:"measure"`
	Known   KnownFilters  `json:"known"`
	Series  []TrendSeries `json:"series"`
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

// TrendSeries are runs that may be compared, the oldest first.
type TrendSeries struct {
	Title   string       `json:"title"`
	Package string       `json:"package"`
	Label   string       `json:"label"`
	Plan    string       `json:"plan"`
	Machine string       `json:"machine"`
	Unit    string       `json:"unit"`
	Points  []TrendPoint `json:"points"`
	Changes []TrendStep  `json:"changes,omitempty"`
	// Baseline is the pinned run that changes are related to; nil without one.
	Baseline *TrendBaseline `json:"baseline,omitempty"`
	// Earlier is how many runs before these are not shown.
	Earlier int `json:"earlier,omitempty"`
}

// TrendPoint is one run of a series.
type TrendPoint struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	Commit  string    `json:"commit,omitempty"`
	Status  string    `json:"status"`
	// Value is nil where the run does not have the measure. Low and High are its interval, 0 without one.
	Value *float64 `json:"value"`
	Low   float64  `json:"low,omitempty"`
	High  float64  `json:"high,omitempty"`
	Text  string   `json:"text"`
	// Change is against the commit before, AgainstBaseline against the baseline, as text.
	Change          string   `json:"change,omitempty"`
	AgainstBaseline string   `json:"against_baseline,omitempty"`
	Baselines       []string `json:"baselines,omitempty"`
	// Counts says that the run is part of the series: complete and with a value.
	Counts bool `json:"counts,omitempty"`
}

// TrendStep is a point at which the measure changed for good.
type TrendStep struct {
	// Point is the index of the first point after the change.
	Point  int     `json:"point"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Text   string  `json:"text"`
	Tone   Tone    `json:"tone"`
}

// TrendBaseline is a pinned run with its value.
type TrendBaseline struct {
	Name  string  `json:"name"`
	Run   string  `json:"run"`
	Value float64 `json:"value"`
	Text  string  `json:"text"`
}

// Entry is one line of the list of what was measured.
type Entry struct {
	Kind    Kind      `json:"kind"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Title   string    `json:"title"`
	Status  string    `json:"status"`
	// Text is the sentence of a comparison, or the main measure of a run.
	Text string `json:"text"`
	Tone Tone   `json:"tone"`
}
