package spec

import "time"

// Observe is what is recorded while programs run.
type Observe struct {
	// NoProfile leaves out all profiles.
	NoProfile bool `json:"no_profile,omitempty"`
	// ProfileTime is how long each variant is loaded for its CPU profile after the timed slices; 0 captures no
	// profiles.
	ProfileTime time.Duration `json:"profile_time_ns,omitempty"`
	// ProfileRate is how many ticks per second of CPU time CPU profiles have; 0 is the usual 100.
	ProfileRate int `json:"profile_rate_hz,omitempty"`
	// ProfileSamples is how many samples the CPU profiles of a variant should have together: they are longer than
	// ProfileTime if the program uses little CPU time, up to a limit; 0 takes what there is.
	ProfileSamples int `json:"profile_samples,omitempty"`
	// NoTrace leaves out the short execution trace of each variant that says what requests wait for. It is taken with
	// the profiles only.
	NoTrace bool `json:"no_trace,omitempty"`
	// TraceTime is how long an execution trace of each variant is taken; 0 takes none. What the user reads himself is
	// not stored, as in the fields below: that of one run is enough.
	TraceTime time.Duration `json:"-"`
	// FlightTime is how long each variant is loaded with the runtime's flight recorder on, for the execution trace
	// around its slowest answer; 0 leaves it off. It takes Go 1.25.
	FlightTime time.Duration `json:"-"`
	// Holders asks who holds the memory of a run's program when the profiles are taken.
	Holders bool `json:"-"`
	// Spans takes the spans that a run's program sends by OTLP over HTTP.
	Spans bool `json:"-"`
	// Metrics is what is recorded as time series.
	Metrics Metrics `json:"metrics,omitzero"`
	// Listen serves the metrics of a run while they are recorded.
	Listen string `json:"-"`
}

// Metrics says what is recorded as time series of a run.
type Metrics struct {
	// Off records nothing.
	Off bool `json:"off,omitempty"`
	// Page is where the program serves metrics for Prometheus: a URL, in which templates such as templates.Port are
	// filled in. Empty: the ports that it opens are asked.
	Page string `json:"page,omitempty"`
	// Interval is the time between two scrapes; 0 is metrics.DefaultInterval.
	Interval time.Duration `json:"interval_ns,omitempty"`
}

// profiled are the commands that take profiles of the user's choice.
const profiled = ForRun | ForCompare | ForBisect | ForTrack | ForFix

var observeRows = []Row{
	{Name: "no-profile", Group: OfObserve, For: profiled, Flag: always, Is: First | Once, Help: "take no profiles",
		To: func(s *Spec) any { return &s.NoProfile }},
	{Name: "profile-time", Group: OfObserve, For: profiled, Flag: always, Is: First, Default: "2s",
		ForAgent: &ForAgent{Most: "60s"}, Help: "length of the CPU profile of each variant",
		To: func(s *Spec) any { return &s.ProfileTime }},
	{Name: "profile.rate", Group: OfObserve, For: profiled, Is: Once,
		Help: "ticks per second of CPU time in the CPU profile, up to 10000 (default 100);\nwith a rate other than 100 the runtime writes a harmless warning to the program's stderr",
		To:   func(s *Spec) any { return &s.ProfileRate }},
	{Name: "no-trace", Group: OfObserve, For: profiled,
		Help: "take no execution trace with the profiles; hone then cannot say what requests wait for",
		To:   func(s *Spec) any { return &s.NoTrace }},
	{Name: "trace", Group: OfObserve, For: profiled,
		Help: "length of an execution trace of each variant, up to 60s, for go tool trace (default: none)",
		To:   func(s *Spec) any { return &s.TraceTime }},
	{Name: "flight", Group: OfObserve, For: profiled,
		Help: "load each variant longer, by this time, with the flight recorder on, and keep the execution\ntrace around its slowest answer, for go tool trace (Go 1.25; default: off)",
		To:   func(s *Spec) any { return &s.FlightTime }},
	{Name: "holders", Group: OfObserve, For: ForRun, Flag: always, Is: OfRun,
		Help: "say which variables hold the memory after the load: the program stands still for a heap dump, a second or two for each GB",
		To:   func(s *Spec) any { return &s.Holders }},
	{Name: "spans", Group: OfObserve, For: ForRun, Is: OfRun,
		Help: "take the spans that the program sends by OTLP over HTTP, for hone tail: hone sets OTEL_EXPORTER_OTLP_ENDPOINT;\nto send them takes CPU time of the program",
		To:   func(s *Spec) any { return &s.Spans }},
	{Name: "metrics", Group: OfObserve, For: profiled | ForCalibrate, Flag: always, Is: First,
		Help: "`URL` of the metrics that the program serves, or none (default: hone looks for them)\n{port} is filled in; none records no time series. Without it hone asks the program's ports for /metrics.",
		To:   func(s *Spec) any { return &s.Metrics.Page }},
	{Name: "metrics.interval", Group: OfObserve, For: profiled | ForCalibrate, Default: "1s",
		Help: "time between two scrapes; in a comparison the program's own page is scraped\nbefore and after the slices of each start only",
		To:   func(s *Spec) any { return &s.Metrics.Interval }},
	{Name: "listen", Group: OfObserve, For: ForRun, Flag: always, Is: OfResult,
		Help: "`HOST:PORT` to serve the metrics on while they are recorded, for Prometheus and Grafana (default: not at all)",
		To:   func(s *Spec) any { return &s.Listen }},
}
