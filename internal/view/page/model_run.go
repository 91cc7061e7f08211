package page

import "github.com/gohone/hone/internal/view/model"

// Run is the page of one run: of a service under load, of a program executed to its end, or of a load test.
type Run struct {
	Head
	Check model.Check `json:"check"`
	// Under says under which load and where, a condition each.
	Under []string `json:"under"`
	// Comparison is the id of the comparison that the run belongs to, Variant its letter there.
	Comparison string `json:"comparison,omitempty"`
	Variant    string `json:"variant,omitempty"`
	Label      string `json:"label"`
	Commit     string `json:"commit,omitempty"`
	// Numbers are the measures of the terminal's report, in its order and with its text.
	Numbers []model.Row `json:"numbers"`
	// NumbersNote says how they stand to the figures of profiles and traces.
	NumbersNote string `json:"numbers_note,omitempty"`
	// Errors are failures by cause.
	Errors []model.Row `json:"errors,omitempty"`
	// Latency is nil where nothing was answered.
	Latency  *Curve    `json:"latency,omitempty"`
	HeatMap  *HeatMap  `json:"heat_map,omitempty"`
	Timeline *Timeline `json:"timeline,omitempty"`
	// Times say where the time of a typical and of a slow request goes, in this order; empty without a wait profile.
	Times []model.TimeBar `json:"times,omitempty"`
	// Causes are what slow requests spend more time on, the largest first.
	Causes []model.TimePart `json:"causes,omitempty"`
	// TimesNote says what the wait profile rests on, or why there is none.
	TimesNote string `json:"times_note,omitempty"`
	// Hot are the most expensive lines of the CPU profile.
	Hot         []model.HotRow  `json:"hot,omitempty"`
	Findings    []model.Finding `json:"findings"`
	FindingNote string          `json:"finding_note,omitempty"`
	Environment []model.Row     `json:"environment"`
	Profiles    []ProfileRef    `json:"profiles"`
	Artefacts   []Artefact      `json:"artefacts"`
	// Commands lead on; the first one measures this again where that is possible.
	Commands []model.Command `json:"commands"`
}

// Curve is a latency distribution by percentile. Loop says what it is: "service time (closed loop)".
type Curve struct {
	Name  string `json:"name"`
	Loop  string `json:"loop"`
	Count int64  `json:"count"`
	// Percentiles rise from 0 to below 100; Nanos are the latencies there, of equal length.
	Percentiles []float64 `json:"percentiles"`
	Nanos       []float64 `json:"ns"`
	// Marks are the percentiles of the terminal's report, with its text.
	Marks []CurveMark `json:"marks"`
}

// CurveMark is one percentile by name: "p99", "7.91 ms".
type CurveMark struct {
	Name  string  `json:"name"`
	Nanos float64 `json:"ns"`
	Text  string  `json:"text"`
}

// HeatMap counts answers by time and latency.
type HeatMap struct {
	// Seconds are the beginnings of the columns since the start of the run, and the end of the last; one more than
	// columns.
	Seconds []float64 `json:"seconds"`
	// Bounds are the boundaries of the rows in nanoseconds, rising, one more than rows.
	Bounds []float64 `json:"bounds_ns"`
	// Counts has a list for each column with a count for each row.
	Counts [][]uint64 `json:"counts"`
}

// Timeline is what happened during the load.
type Timeline struct {
	// Seconds are the middles of the intervals since the start of the run. Every series has as many values.
	Seconds []float64      `json:"seconds"`
	Series  []TimeSeries   `json:"series"`
	Marks   []TimelineMark `json:"marks,omitempty"`
}

// TimeSeries is one line of a timeline. Values that were not observed are null.
type TimeSeries struct {
	Name string `json:"name"`
	// Group puts series of one axis together: rate, errors, cpu, memory, heap, latency, goroutines.
	Group string `json:"group"`
	// Unit is that of the values: "1/s", "ns", "B", "", "share" (0 to 1).
	Unit   string     `json:"unit"`
	Values []*float64 `json:"values"`
	// Stacked series of a group are areas, each on top of the one before it.
	Stacked bool `json:"stacked,omitempty"`
}

// TimelineMark is a moment worth a mark. Kind is gc, error, disturbed or start.
type TimelineMark struct {
	Seconds float64 `json:"seconds"`
	// Until is the end of what lasts; 0 for a moment.
	Until float64 `json:"until,omitempty"`
	Kind  string  `json:"kind"`
	Text  string  `json:"text"`
}

// Artefact is a file that belongs to a run. It is at /api/v1/artefacts/SHA256 on a server; a report has no artefacts.
type Artefact struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Size   string `json:"size"`
	SHA256 string `json:"sha256"`
}
