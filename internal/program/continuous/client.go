package continuous

import (
	"cmp"
	"context"
	"encoding/json"
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

// secret says whether requests have a credential: one of the options, or a header like Authorization or Cookie.
func (o Options) secret() bool {
	for name, value := range o.Headers {
		if redact.Secret(name, value) {
			return true
		}
	}
	return cmp.Or(o.Token, o.Password) != ""
}

// pulled is the budget of one Pull.
var pulled = inputs.Budget{Bytes: inputs.Pulled, Within: time.Duration(inputs.PulledTime.Most) * time.Second}

// listed is the budget of one list of series, types or labels. A list has five levels: {"labelsSet":[{"labels":[{}]}]}.
var listed = inputs.Budget{Bytes: inputs.PulledList, Values: inputs.PulledValues, Depth: 20, Within: pulled.Within}

// client asks one server.
type client struct {
	name    string // of the store, in messages
	base    *url.URL
	options Options
	http    *http.Client
	// budget is what all answers to one Pull may cost, and meter counts it.
	budget inputs.Budget
	meter  *inputs.Meter
}

// start begins to count what the answers cost.
func (c *client) start(ctx context.Context) { c.meter = c.budget.Start(ctx, c.String()) }

// patience is how long one answer may take: a store reads the profiles of an hour in some seconds.
const patience = 2 * time.Minute

func newClient(name, address string, o Options) (*client, error) {
	u, why := sameorigin.ParseServer(address)
	if why == "" && u.Scheme == "http" && o.secret() && !sameorigin.LoopbackHost(u.Hostname()) {
		why = "it is plain http to another machine, so that anyone on the way can read the token or the password"
	}
	if why != "" {
		return nil, fail.New(fail.BadInput, "%s at %.200q: %s", name, redact.URL(address),
			why).WithHint("write it as https://HOST or http://127.0.0.1:PORT")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return &client{name: name, base: u, options: o, budget: pulled, http: &http.Client{
		Timeout: patience,
		// The credentials are not for the server at another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// String names the store and its address.
func (c *client) String() string { return c.name + " at " + redact.URL(c.base.String()) }

// list sends a request whose answer is a list as JSON, and decodes it.
func (c *client) list(ctx context.Context, r *http.Request, into any) error {
	answer, err := c.ask(ctx, r, inputs.PulledList)
	if err != nil {
		return err
	}
	if err := listed.Start(ctx, c.String()).JSON(answer); err != nil {
		return c.unread(ctx, err)
	}
	return json.Unmarshal(answer, into)
}

// ask sends a request, and returns the whole answer, of which there is no more than the bound. An answer that is not
// 200 is a
// *refusal.
func (c *client) ask(ctx context.Context, r *http.Request, most inputs.Bound) ([]byte, error) {
	if err := c.meter.Err(); err != nil {
		return nil, c.unread(ctx, err)
	}
	r = r.WithContext(ctx)
	r.Header.Set("User-Agent", "hone")
	r.Header.Set("Accept-Encoding", "gzip") // which is unpacked here, since the client of Go unpacks without a bound
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
	body, err := c.unpacked(answer)
	if err != nil {
		return nil, c.unread(ctx, err)
	}
	all, err := most.ReadAll(c.String(), c.meter.Reader(body))
	return all, c.unread(ctx, err)
}

// unread is the error of an answer that was not read to its end: of one that is too large, or takes too long, it says
// so.
func (c *client) unread(ctx context.Context, err error) error {
	if large := (*inputs.TooLarge)(nil); err == nil || errors.As(err, &large) {
		return err
	}
	return c.unreachable(ctx, err)
}
