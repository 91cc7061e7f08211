package lab

import (
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

// asked is the request as it may be stored.
func (m *services) asked() *record.Asked {
	r := m.request
	a := &record.Asked{
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
