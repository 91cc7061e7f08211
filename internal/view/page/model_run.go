package page

// Run is the page of one run: of a service under load, of a program executed to its end, or of a load test.
type Run struct {
	Head
	Check Check `json:"check"`
	// Under says under which load and where, a condition each.
	Under []string `json:"under"`
	// Comparison is the id of the comparison that the run belongs to, Variant its letter there.
	Comparison string `json:"comparison,omitempty"`
	Variant    string `json:"variant,omitempty"`
	Label      string `json:"label"`
	Commit     string `json:"commit,omitempty"`
	// Numbers are the measures of the terminal's report, in its order and with its text.
	Numbers []Row `json:"numbers"`
	// Errors are failures by cause.
	Errors []Row `json:"errors,omitempty"`
	// Latency is nil where nothing was answered.
	Latency  *Curve    `json:"latency,omitempty"`
	HeatMap  *HeatMap  `json:"heat_map,omitempty"`
	Timeline *Timeline `json:"timeline,omitempty"`
	// Times say where the time of a typical and of a slow request goes, in this order; empty without a wait profile.
	Times []TimeBar `json:"times,omitempty"`
	// Causes are what slow requests spend more time on, the largest first.
	Causes []TimePart `json:"causes,omitempty"`
	// TimesNote says what the wait profile rests on, or why there is none.
	TimesNote string `json:"times_note,omitempty"`
	// Hot are the most expensive lines of the CPU profile.
	Hot         []string     `json:"hot,omitempty"`
	Findings    []Finding    `json:"findings"`
	FindingNote string       `json:"finding_note,omitempty"`
	Environment []Row        `json:"environment"`
	Profiles    []ProfileRef `json:"profiles"`
	Artefacts   []Artefact   `json:"artefacts"`
	// Commands lead on; the first one measures this again where that is possible.
	Commands []Command `json:"commands"`
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
	// Seconds are the beginnings of the columns since the start of the run, and the end of the last; one more than columns.
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
	// Group puts series of one axis together: rate, errors, cpu, heap, latency, goroutines.
	Group string `json:"group"`
	// Unit is that of the values: "1/s", "ns", "B", "", "share" (0 to 1).
	Unit   string     `json:"unit"`
	Values []*float64 `json:"values"`
}

// TimelineMark is a moment worth a mark. Kind is gc, error, disturbed or start.
type TimelineMark struct {
	Seconds float64 `json:"seconds"`
	Kind    string  `json:"kind"`
	Text    string  `json:"text"`
}

// TimeBar is where the time of the requests of one cohort goes.
type TimeBar struct {
	// Cohort is typical or slow.
	Cohort   string     `json:"cohort"`
	Title    string     `json:"title"`
	Requests int        `json:"requests"`
	Latency  Number     `json:"latency"`
	Parts    []TimePart `json:"parts"`
}

// TimePart is a part of a latency.
type TimePart struct {
	// State is that of package walltime: running, runnable, lock, network, ...
	State string  `json:"state"`
	Text  string  `json:"text"`
	Nanos float64 `json:"ns"`
	// Share is of the bar's latency or, of a cause, of the difference between the bars; 0 to 1.
	Share float64 `json:"share"`
	// Label is the share and the time as text: "78 %, 0.72 ms".
	Label string `json:"label"`
	// Place is the user's line; nil where there is none.
	Place *Place `json:"place,omitempty"`
}

// Finding is one piece of advice with its evidence.
type Finding struct {
	Number int    `json:"number"`
	Rule   string `json:"rule"`
	Title  string `json:"title"`
	Place  *Place `json:"place,omitempty"`
	// Cost and Gain are as in the terminal: "costs 48 % of CPU per request", "at most -70 %".
	Cost string `json:"cost,omitempty"`
	Gain string `json:"gain,omitempty"`
	// GainShare is the gain as a share of its measure, 0 to 1, for a bar.
	GainShare float64    `json:"gain_share"`
	Evidence  []Evidence `json:"evidence"`
	// Change says what to do; Before and After show the pattern in Go.
	Change string `json:"change"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Verify string `json:"verify,omitempty"`
	// Source is the user's own code around Place; nil where it was not found.
	Source *Snippet `json:"source,omitempty"`
}

// Evidence is one row under a finding.
type Evidence struct {
	Source string   `json:"source"`
	Text   string   `json:"text"`
	Stack  []string `json:"stack,omitempty"`
}

// Artefact is a file that belongs to a run. It is at /api/v1/artefacts/SHA256 on a server; a report has no artefacts.
type Artefact struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Size   string `json:"size"`
	SHA256 string `json:"sha256"`
}
