package record

import (
	"time"

	"github.com/gohone/hone/internal/program/loadcmd"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/wire"
)

// Asked is what a run was asked for, as far as its document does not say it elsewhere: Again
// Measures the run again by it. What may be a secret is left out; Again asks for it.
type Asked struct {
	// Starting has redacted needs, Observing a redacted URL.
	Starting
	Observing
	// WorkDir is what the source and git refs refer to.
	WorkDir string `json:"work_dir"`
	// Dir is the directory that was named to run in; empty: none was.
	Dir string `json:"dir,omitempty"`
	// Target and Path are those of the request, before anything was found or filled in.
	Target string `json:"target,omitempty"`
	Path   string `json:"path,omitempty"`
	// Protocol has no body and no rows of a feed.
	Protocol wire.Options `json:"protocol,omitzero"`
	// Load is the load command, redacted; nil: hone loads.
	Load *loadcmd.Command `json:"load_command,omitempty"`
	// BodyBytes is the length of the body, FeedRows the number of rows of the feed.
	BodyBytes int `json:"body_bytes,omitempty"`
	FeedRows  int `json:"feed_rows,omitempty"`
	// RequestCount is the length of a list of requests, RequestsDigest tells it from others.
	RequestCount   int    `json:"request_count,omitempty"`
	RequestsDigest string `json:"requests_digest,omitempty"`
	// StepCount is the number of steps of a sequence, which Protocol has without bodies.
	StepCount int `json:"step_count,omitempty"`

	Duration    time.Duration `json:"duration_ns,omitempty"` // 0 of a comparison
	WarmUp      time.Duration `json:"warm_up_ns,omitempty"`
	ProfileRate int           `json:"profile_rate_hz,omitempty"`

	Grace    time.Duration `json:"grace_ns,omitempty"`
	Volatile bool          `json:"volatile,omitempty"`
	KeepEnv  bool          `json:"keep_env,omitempty"`
}

// Starting is how each start of a program goes. It is stored as a part of Asked.
type Starting struct {
	// NoIsolate rules network namespaces out: a program in one of its own cannot reach
	// other servers on this machine, such as its database.
	NoIsolate bool `json:"no_isolate,omitempty"`
	// Ready is what a program has to do before it is ready, besides listening, as subject.ParseReady reads it;
	// empty: nothing.
	Ready string `json:"ready,omitempty"`
	// ReadyTimeout bounds the start of a subject.
	ReadyTimeout time.Duration `json:"ready_timeout_ns,omitempty"`
	// Copy are files and directories that each start gets fresh, in a directory of its own that it runs in: see
	// subject.Copies. They are taken from Dir, or else from CopyFrom, and of a variant at a git ref from its checkout.
	Copy []string `json:"copy,omitempty"`
	// CopyFrom is absolute; empty is where hone runs.
	CopyFrom string `json:"copy_from,omitempty"`
	// Box is what each start may use of CPU time and memory, in a control group of its own; zero: all of the machine.
	Box cgroup.Limits `json:"box,omitzero"`
	// Needs are started before the programs.
	Needs []needs.Need `json:"needs,omitempty"`
	// AfterStartLimit is how long the command after a start may take; 0 takes that of package subject.
	AfterStartLimit time.Duration `json:"after_start_limit_ns,omitempty"`
}

// Observing is what is recorded of a program besides its answers. It is stored as a part of Asked, without the traces that
// the user reads: those of one run are enough.
type Observing struct {
	// ProfileTime is how long each variant is loaded for its CPU profile after the
	// timed slices; 0 captures no profiles.
	ProfileTime time.Duration `json:"profile_time_ns,omitempty"`
	// ProfileSamples is how many samples the CPU profiles of a variant should have together: they are longer than
	// ProfileTime if the program uses little CPU time, up to longestProfile; 0 takes what there is.
	ProfileSamples int `json:"profile_samples,omitempty"`
	// NoTrace leaves out the short execution trace of each variant that says what requests wait for. It is taken with
	// the profiles only.
	NoTrace bool `json:"no_trace,omitempty"`
	// TraceTime is how long an execution trace of each variant is taken; 0 takes none.
	TraceTime time.Duration `json:"-"`
	// FlightTime is how long each variant is loaded with the runtime's flight recorder on,
	// for the execution trace around its slowest answer; 0 leaves it off. It takes Go 1.25.
	FlightTime time.Duration `json:"-"`
	// Holders asks who holds the memory of a run's program when the profiles are taken.
	Holders bool `json:"-"`
	// Spans takes the spans that a run's program sends by OTLP over HTTP.
	Spans bool `json:"-"`
	// Metrics is what is recorded as time series.
	Metrics Metrics `json:"metrics,omitzero"`
}

// Metrics says what is recorded as time series of a run.
type Metrics struct {
	// Off records nothing.
	Off bool `json:"off,omitempty"`
	// Page is where the program serves metrics for Prometheus: a URL, in which templates
	// such as templates.Port are filled in. Empty: the ports that it opens are asked.
	Page string `json:"page,omitempty"`
	// Interval is the time between two scrapes; 0 is metrics.DefaultInterval.
	Interval time.Duration `json:"interval_ns,omitempty"`
}
