package remotewrite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
	"unicode"

	"github.com/prometheus/client_golang/exp/api/remote"
)

const (
	// maxMessage is how much of a receiver's answer is kept for the error.
	maxMessage = 1 << 10
	// maxWait is the longest wait a receiver can ask for.
	maxWait = 5 * time.Minute
)

// line is the connection to the receiver: an http.RoundTripper that puts the credentials on
// each request and looks at each answer before the protocol's client does, which reads
// answers of any length and waits for as long as it is told.
//
// One request is under way at a time, so that the last answer is that of the request that
// failed.
type line struct {
	transport http.RoundTripper
	own       *http.Transport // to be closed, if the transport is none of the caller's
	options   Options
	answered  int    // status of the last answer; 0 before the first
	location  string // where the last answer sent us
}

func newLine(o Options) *line {
	l := &line{transport: o.Transport, options: o}
	if l.transport == nil {
		l.own = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 10 * time.Second}
		l.transport = l.own
	}
	return l
}

func (l *line) close() {
	if l.own != nil {
		l.own.CloseIdleConnections()
	}
}

// client is the protocol's client on this line. It follows no redirection: net/http would
// make the POST a GET, and the credentials are not for the server at the other address.
func (l *line) client(to *url.URL, o Options) (*remote.API, error) {
	const minWait, maxOwnWait = 250 * time.Millisecond, 10 * time.Second
	api, err := remote.NewAPI(to.String(),
		remote.WithAPIPath(""), // the address has its path
		remote.WithAPIBackoff(remote.BackoffConfig{Min: minWait, Max: maxOwnWait, MaxRetries: o.Retries}),
		remote.WithAPIHTTPClient(&http.Client{
			Transport:     l,
			Timeout:       o.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}))
	if err != nil {
		return nil, fmt.Errorf("make client of remote write: %w", err)
	}
	return api, nil
}

// RoundTrip sends one request.
func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context()) // a RoundTripper must not change what it is given
	r.Header.Set("User-Agent", "hone")
	for name, value := range l.options.Headers {
		r.Header.Set(name, value)
	}
	switch {
	case l.options.BearerToken != "":
		r.Header.Set("Authorization", "Bearer "+l.options.BearerToken)
	case l.options.Username != "":
		r.SetBasicAuth(l.options.Username, l.options.Password)
	}
	l.answered, l.location = 0, ""
	answer, err := l.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxMessage))
	err = errors.Join(err, answer.Body.Close())
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	l.answered, l.location = answer.StatusCode, string(printable([]byte(answer.Header.Get("Location"))))
	answer.Status = fmt.Sprintf("%d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	answer.Body = io.NopCloser(bytes.NewReader(printable(body)))
	answer.Header.Set("Retry-After", bounded(answer.Header.Get("Retry-After")))
	return answer, nil
}

// printable makes one line of a receiver's message, which may end up on a terminal.
func printable(message []byte) []byte {
	gap := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return bytes.Join(bytes.FieldsFunc(bytes.ToValidUTF8(message, []byte("?")), gap), []byte(" "))
}

// bounded returns a Retry-After in seconds, from none to maxWait. It is a number of seconds or
// a date (RFC 9110, section 10.2.3); what is neither asks for nothing.
func bounded(asked string) string {
	var wait time.Duration
	if seconds, err := strconv.ParseInt(asked, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(max(seconds, 0), int64(maxWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(asked); err == nil {
		wait = time.Until(at)
	}
	return strconv.Itoa(int(min(max(wait, 0), maxWait).Round(time.Second) / time.Second))
}
