package continuous

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/redact"
)

// Options say how a store is asked.
type Options struct {
	// User and Password are for basic authentication, Token for a bearer's. All may be empty.
	User, Password, Token string
	// Headers are sent with each request, such as X-Scope-OrgID, the tenant.
	Headers map[string]string
}

// client asks one server.
type client struct {
	name    string // of the store, in messages
	base    *url.URL
	options Options
	http    *http.Client
	// room is how many bytes all answers may have that are still to come.
	room int64
}

// patience is how long one answer may take: a store reads the profiles of an hour in some seconds.
const patience = 2 * time.Minute

func newClient(name, address string, o Options) (*client, error) {
	u, why := sameorigin.ParseServer(address)
	if why == "" && u.Scheme == "http" && cmp.Or(o.Token, o.Password) != "" && !sameorigin.LoopbackHost(u.Hostname()) {
		why = "it is plain http to another machine, so that anyone on the way can read the token or the password"
	}
	if why != "" {
		return nil, fail.New(fail.BadInput, "%s at %.200q: %s", name, redact.URL(address), why).WithHint("write it as https://HOST or http://127.0.0.1:PORT")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return &client{name: name, base: u, options: o, room: inputs.Pulled.Most, http: &http.Client{
		Timeout: patience,
		// The credentials are not for the server at another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// String names the store and its address.
func (c *client) String() string { return c.name + " at " + redact.URL(c.base.String()) }

// ask sends a request, and returns the whole answer. An answer that is not 200 is a *refusal.
func (c *client) ask(ctx context.Context, r *http.Request) ([]byte, error) {
	r = r.WithContext(ctx)
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
		return nil, c.unreachable(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, maxExcuse))
		return nil, c.refused(answer, text)
	}
	bound := inputs.Pulled
	bound.Most = c.room
	body, err := bound.ReadAll(c.String(), answer.Body)
	if large := (*inputs.TooLarge)(nil); errors.As(err, &large) {
		return nil, err
	}
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	c.room -= int64(len(body))
	return body, nil
}
