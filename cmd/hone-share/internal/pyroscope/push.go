// Package pyroscope sends profiles to Grafana Pyroscope, or to what takes them as Pyroscope does (Alloy, Grafana
// Cloud), by its push API: POST /push.v1.PusherService/Push, a unary call of the Connect protocol in JSON
// (github.com/grafana/pyroscope, api/push/v1/push.proto; connectrpc.com/docs/protocol, "Unary-Request").
package pyroscope

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

const (
	path = "/push.v1.PusherService/Push"
	// timeout bounds each request, of one profile.
	timeout = 30 * time.Second
	// maxMessage is how much of an answer is read.
	maxMessage = 4 << 10
)

// Profile is one profile of a service.
type Profile struct {
	// Name is Pyroscope's for the kind: process_cpu, memory, mutex, block, goroutine.
	Name string
	// Data is in pprof's format, plain or gzipped. What it counts is taken as it is: it must not count from the
	// start of the process.
	Data []byte
	// Labels are those of the series, such as service_name. Empty ones are left out.
	Labels map[string]string
}

// Options say how profiles are sent.
type Options struct {
	// User and Password are for basic authentication, Token for a bearer's. All may be empty.
	User, Password, Token string
	// Headers are sent with each request, such as X-Scope-OrgID, the tenant.
	Headers map[string]string
	// Insecure allows plain http to other machines.
	Insecure bool
}

// The messages of the API, as JSON has them.
type (
	request struct {
		Series []series `json:"series"`
	}
	series struct {
		Labels  []label  `json:"labels"`
		Samples []sample `json:"samples"`
	}
	label struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	sample struct {
		RawProfile []byte `json:"rawProfile"`
	}
)

// Client sends profiles to one server.
type Client struct {
	to      *url.URL
	options Options
	http    *http.Client
}

// New prepares a client for the server at an address, https://HOST[:PORT][/PATH]. All else is fail.BadInput.
func New(address string, o Options) (*Client, error) {
	u, err := parse(address, o)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second}
	return &Client{to: u, options: o, http: &http.Client{
		Transport: transport, Timeout: timeout,
		// The credentials are not for the server at another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close ends the connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// String is the server's address without what is secret in it.
func (c *Client) String() string {
	return redact.URL(strings.TrimSuffix(c.to.String(), path))
}

// Push sends one profile. The error is *fail.Error: of kind fail.BadInput if the server refuses the profile or the
// credentials, of kind fail.Environment if it cannot be reached or is broken. To send a profile twice counts it twice.
func (c *Client) Push(ctx context.Context, p Profile) error {
	body, err := json.Marshal(request{[]series{{labelsOf(p), []sample{{p.Data}}}}})
	if err != nil {
		return fmt.Errorf("encode profile: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to.String(), bytes.NewReader(body))
	if err != nil {
		return fail.New(fail.BadInput, "push profile: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Connect-Protocol-Version", "1")
	r.Header.Set("User-Agent", "hone")
	for name, value := range c.options.Headers {
		r.Header.Set(name, value)
	}
	switch o := c.options; {
	case o.Token != "":
		r.Header.Set("Authorization", "Bearer "+o.Token)
	case o.User != "":
		r.SetBasicAuth(o.User, o.Password)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return c.unreachable(ctx, p, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxMessage))
	if err != nil {
		return c.unreachable(ctx, p, err)
	}
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return c.refused(p, answer.StatusCode, text)
}

// labelsOf are sorted by name. __delta__ says that the profile is of a stretch of time, so that the server subtracts
// nothing.
func labelsOf(p Profile) []label {
	all := []label{{"__name__", p.Name}, {"__delta__", "false"}}
	for name, value := range p.Labels {
		if value != "" {
			all = append(all, label{name, value})
		}
	}
	slices.SortFunc(all, func(a, b label) int { return strings.Compare(a.Name, b.Name) })
	return all
}
