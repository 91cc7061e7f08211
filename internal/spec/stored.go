package spec

import (
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

// Stored is what a run was asked for, as its document has it: without what may be a secret. Variants and arguments are
// elsewhere in the document.
type Stored struct {
	Parts
	// WorkDir is what the source and git refs refer to.
	WorkDir string  `json:"work_dir"`
	LeftOut LeftOut `json:"left_out,omitzero"`
}

// LeftOut says what there was of the requests that a document does not have, by which it is told from others.
type LeftOut struct {
	// BodyBytes is the length of the body, FeedRows the number of rows of the feed.
	BodyBytes int `json:"body_bytes,omitempty"`
	FeedRows  int `json:"feed_rows,omitempty"`
	// RequestCount is the length of a list or a sequence of requests, of which the first are stored, without bodies;
	// RequestsDigest tells it from others.
	RequestCount   int    `json:"request_count,omitempty"`
	RequestsDigest string `json:"requests_digest,omitempty"`
}

// Stored is what the parts look like in a document. hide hides secrets.
func (p Parts) Stored(workDir string, hide redact.Env) *Stored {
	s := &Stored{Parts: p, WorkDir: workDir}
	s.Protocol, s.LeftOut = StoredOptions(p.Protocol)
	s.Target, s.Path, s.Ready = redact.URL(p.Target), redact.URL(p.Path), redact.Text(p.Ready)
	s.Metrics.Page, s.LoadCommand = redact.URL(p.Metrics.Page), p.LoadCommand.Redacted()
	// What a document does not have is of no use to its readers.
	s.Variants, s.Args, s.Options, s.Requests, s.Needs = nil, nil, build.VariantOptions{}, Requests{}, nil
	for _, n := range p.Needs {
		s.Needs = append(s.Needs, n.Redacted(hide))
	}
	if len(p.Variants) > 1 {
		s.Duration = 0
	}
	return s
}

// storedRequests is how many requests of a list or a sequence a document keeps.
const storedRequests = 100

// StoredOptions are the options of a protocol without what may be secret, or large.
func StoredOptions(o wire.Options) (wire.Options, LeftOut) {
	left := LeftOut{BodyBytes: len(o.Body)}
	if !o.IsMix() { // which has nothing that is left out
		left.RequestCount, left.RequestsDigest = len(o.Requests), requests.Digest(o.Requests)
		o.Requests = o.Requests[:min(len(o.Requests), storedRequests)]
	}
	o.Body, o.Headers = nil, redact.Headers(o.Headers)
	if o.Feed != nil {
		left.FeedRows = len(o.Feed.Rows)
		o.Feed = &wire.Feed{Names: o.Feed.Names}
	}
	o.TLS.PEM, o.GRPC.Descriptors = nil, nil
	o.Requests, o.Order = wire.StoredRequests(o.Requests), nil
	// An answer may be expected to hold a secret, such as a token.
	o.Expect.Body, o.Expect.JSON = redact.Value(o.Expect.Body), redact.Value(o.Expect.JSON)
	return o, left
}
