package lab

import (
	"time"

	"github.com/gohone/hone/internal/program/loadcmd"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

// Asked is what a run was asked for, as far as its document does not say it elsewhere: Again
// measures the run again by it. What may be a secret is left out; Again asks for it.
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

// asked is the request as it may be stored.
func (m *services) asked() *Asked {
	r := m.request
	a := &Asked{
		Starting: r.Starting, Observing: r.Observing,
		WorkDir: m.WorkDir, Dir: r.Dir, Target: redact.URL(r.Target), Path: redact.URL(r.Path), Protocol: storable(r.Protocol),
		BodyBytes: len(r.Protocol.Body), Duration: r.Duration, WarmUp: r.WarmUp, ProfileRate: r.ProfileRate, Grace: r.Grace,
		Volatile: r.Answers.Volatile, KeepEnv: r.KeepEnv,
	}
	a.Ready, a.Metrics.Page, a.Needs = redact.Text(r.Ready), redact.URL(r.Metrics.Page), nil
	a.Load = r.storableLoad()
	for _, n := range r.Needs {
		a.Needs = append(a.Needs, n.Redacted(m.hide))
	}
	a.StepCount = len(r.Protocol.Steps)
	a.RequestCount, a.RequestsDigest = len(r.Protocol.Requests), requests.Digest(r.Protocol.Requests)
	if len(r.Variants) > 1 {
		a.Duration = 0
	}
	if r.Protocol.Feed != nil {
		a.FeedRows = len(r.Protocol.Feed.Rows)
	}
	return a
}

// storedRequests is how many requests of a list a document keeps.
const storedRequests = 100

// storable are the options of a protocol without what may be secret.
func storable(o wire.Options) wire.Options {
	o.Body, o.Headers = nil, redact.Headers(o.Headers)
	if o.Feed != nil {
		o.Feed = &wire.Feed{Names: o.Feed.Names}
	}
	var mix []wire.Weighted
	for _, w := range o.Mix {
		mix = append(mix, wire.Weighted{URL: redact.URL(w.URL), Weight: w.Weight})
	}
	o.Mix = mix
	o.Steps = wire.StoredSteps(o.Steps)
	o.Requests, o.Order = requests.Stored(o.Requests, storedRequests), nil
	// An answer may be expected to hold a secret, such as a token.
	o.Expect.Body, o.Expect.JSON = redact.Value(o.Expect.Body), redact.Value(o.Expect.JSON)
	return o
}
