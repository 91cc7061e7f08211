package spec

import "time"

// Observe is what is recorded while programs run.
type Observe struct {
	NoProfile bool
	// ProfileTime is the length of the CPU profile, ProfileRate its ticks per second, 0 for the usual 100.
	ProfileTime time.Duration
	ProfileRate int
	// ProfileSamples makes it longer until it has so many samples; 0: no longer.
	ProfileSamples int
	NoTrace        bool
	// TraceTime is the length of an execution trace, FlightTime of load with the flight recorder on; 0: none.
	TraceTime, FlightTime time.Duration
	// Holders says who holds the memory at the end.
	Holders bool
	// Spans takes the spans that the program sends.
	Spans bool
	// MetricsPage is a URL, "none" for no time series, empty for what hone finds.
	MetricsPage     string
	MetricsInterval time.Duration
	// Listen serves the metrics of a run while they are recorded.
	Listen string
}

// profiled are the commands that take profiles of the user's choice.
const profiled = ForRun | ForCompare | ForBisect

var observeRows = []Row{
	{Name: "no-profile", Group: OfObserve, For: profiled, Flag: always, Is: First | Once, Help: "take no profiles",
		To: func(s *Spec) any { return &s.NoProfile }},
	{Name: "profile-time", Group: OfObserve, For: profiled, Flag: always, Default: "2s", Help: "length of the CPU profile of each variant",
		To: func(s *Spec) any { return &s.ProfileTime }},
	{Name: "profile.rate", Group: OfObserve, For: profiled, Is: Once, Help: "ticks per second of CPU time in the CPU profile, up to 10000 (default 100);\nwith a rate other than 100 the runtime writes a harmless warning to the program's stderr",
		To: func(s *Spec) any { return &s.ProfileRate }},
	{Name: "no-trace", Group: OfObserve, For: profiled, Help: "take no execution trace with the profiles; hone then cannot say what requests wait for",
		To: func(s *Spec) any { return &s.NoTrace }},
	{Name: "trace", Group: OfObserve, For: profiled, Help: "length of an execution trace of each variant, up to 60s, for go tool trace (default: none)",
		To: func(s *Spec) any { return &s.TraceTime }},
	{Name: "flight", Group: OfObserve, For: profiled, Help: "load each variant longer, by this time, with the flight recorder on, and keep the execution\ntrace around its slowest answer, for go tool trace (Go 1.25; default: off)",
		To: func(s *Spec) any { return &s.FlightTime }},
	{Name: "holders", Group: OfObserve, For: ForRun, Flag: always, Is: OfRun, Help: "say which variables hold the memory after the load: the program stands still for a heap dump, a second or two for each GB",
		To: func(s *Spec) any { return &s.Holders }},
	{Name: "spans", Group: OfObserve, For: ForRun, Is: OfRun, Help: "take the spans that the program sends by OTLP over HTTP, for hone tail: hone sets OTEL_EXPORTER_OTLP_ENDPOINT;\nto send them takes CPU time of the program",
		To: func(s *Spec) any { return &s.Spans }},
	{Name: "metrics", Group: OfObserve, For: profiled | ForCalibrate, Flag: always, Is: First, Help: "`URL` of the metrics that the program serves, or none (default: hone looks for them)\n{port} is filled in; none records no time series. Without it hone asks the program's ports for /metrics.",
		To: func(s *Spec) any { return &s.MetricsPage }},
	{Name: "metrics.interval", Group: OfObserve, For: profiled | ForCalibrate, Default: "1s", Help: "time between two scrapes; in a comparison the program's own page is scraped\nbefore and after the slices of each start only",
		To: func(s *Spec) any { return &s.MetricsInterval }},
	{Name: "listen", Group: OfObserve, For: ForRun, Flag: always, Is: OfResult, Help: "`HOST:PORT` to serve the metrics on while they are recorded, for Prometheus and Grafana (default: not at all)",
		To: func(s *Spec) any { return &s.Listen }},
}
