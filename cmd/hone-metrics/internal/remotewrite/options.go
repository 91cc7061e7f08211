package remotewrite

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"golang.org/x/net/http/httpguts"
)

// maxBatch is the most samples of a request, histograms included. It is Prometheus' own
// max_samples_per_send, which receivers are sized for.
const maxBatch = 2000

// Selection says which samples are sent: those of the series that fulfil all matchers, from
// From until To, both included.
type Selection struct {
	From, To time.Time
	Matchers []*labels.Matcher // at least one
}

// Options say how they are sent. The zero value is usable.
type Options struct {
	// Protocol is "1.0" (also "") or "2.0". Every receiver knows 1.0; 2.0 is smaller, and a
	// receiver that does not know it answers 415.
	Protocol string

	// Labels are added to every series. A series that has one of them already is an error,
	// since replacing it could make two series one.
	Labels map[string]string

	// Username and Password are for basic authentication. Over plain HTTP everybody on the
	// way reads them.
	Username, Password string

	// BearerToken is sent as "Authorization: Bearer ...". Not together with Username.
	BearerToken string

	// Headers are sent with each request, such as X-Scope-OrgID, the tenant of Mimir.
	Headers map[string]string

	// Timeout bounds each request. 0 is 30 seconds, as in Prometheus.
	Timeout time.Duration

	// Retries is how often a request is sent again after a fault that may pass: no
	// connection, a status 5xx, or 429. 0 is 5, with waits that double from 250 ms to 10 s,
	// or as long as the receiver asks for (Retry-After, at most five minutes).
	Retries int

	// BatchSamples is the most samples of a request. 0 is 2000, which is also the most.
	BatchSamples int

	// OnRetry is told why a request is sent again, before the wait. nil tells no one. The wait
	// goes on only when it returns.
	OnRetry func(error)

	// Transport carries the requests. nil is a connection pool of this push alone, with the
	// proxies of the environment.
	Transport http.RoundTripper
}

// ownHeaders are those that the protocol sets.
var ownHeaders = []string{"Content-Type", "Content-Encoding", "Content-Length", "X-Prometheus-Remote-Write-Version",
	"Retry-Attempt", "Host"}

// Validate reports all faults of the options at once.
func (o Options) Validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	switch o.Protocol {
	case "", "1.0", "2.0":
	default:
		fault("unknown protocol %q of remote write (1.0 or 2.0)", o.Protocol)
	}
	for name, value := range o.Labels {
		switch {
		case name == model.MetricNameLabel:
			fault("a label cannot be called %s: that is the name of the metric", name)
		case !model.UTF8Validation.IsValidLabelName(name):
			fault("%q is not a name of a label", name)
		case value == "":
			fault("label %s has no value", name)
		case !model.LabelValue(value).IsValid():
			fault("the value of label %s is not UTF-8", name)
		}
	}
	if o.BearerToken != "" && o.Username+o.Password != "" {
		fault("a user name and a bearer token exclude each other")
	}
	if o.Username == "" && o.Password != "" {
		fault("a password without a user name")
	}
	if !httpguts.ValidHeaderFieldValue(o.BearerToken) {
		fault("the bearer token has a line break or another control character in it")
	}
	for name, value := range o.Headers {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			fault("%q is not a name of a header", name)
		case slices.Contains(ownHeaders, canonical):
			fault("header %s belongs to the protocol", canonical)
		case canonical == "Authorization" && o.BearerToken+o.Username != "":
			fault("header %s together with a user name or a bearer token", canonical)
		case !httpguts.ValidHeaderFieldValue(value):
			fault("the value of header %s has a line break or another control character in it", canonical)
		}
	}
	if o.Timeout < 0 || o.Retries < 0 {
		fault("timeout %s, %d retries: neither can be negative", o.Timeout, o.Retries)
	}
	if o.BatchSamples < 0 || o.BatchSamples > maxBatch {
		fault("%d samples per request: at most %d", o.BatchSamples, maxBatch)
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) }) // maps have no order
	return errors.Join(faults...)
}

func (s Selection) validate() error {
	switch {
	case s.From.IsZero() || s.To.IsZero():
		return errors.New("a selection needs a start and an end")
	case s.To.Before(s.From):
		return fmt.Errorf("the selection ends at %s, before it starts at %s", stamp(s.To), stamp(s.From))
	case len(s.Matchers) == 0:
		return errors.New("a selection needs a matcher")
	}
	return nil
}

func (o Options) filled() Options {
	o.Protocol = cmp.Or(o.Protocol, "1.0")
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Retries = cmp.Or(o.Retries, 5)
	o.BatchSamples = cmp.Or(o.BatchSamples, maxBatch)
	if o.OnRetry == nil {
		o.OnRetry = func(error) {}
	}
	return o
}

// parseEndpoint reads the address of a receiver, path included.
func parseEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		if bad, ok := errors.AsType[*url.Error](err); ok {
			err = bad.Err // without the text, which may hold a password
		}
		return nil, fmt.Errorf("read address of the store: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("read address of the store: %q is not an http or https address", u.Redacted())
	}
	return u, nil
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
