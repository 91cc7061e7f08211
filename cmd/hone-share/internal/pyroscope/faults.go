package pyroscope

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// refused is the error for an answer that is not 200: {"code": ..., "message": ...} (connectrpc.com/docs/protocol,
// "Error end-stream"), or anything else of a server in between.
func (c *Client) refused(p Profile, status int, text []byte) error {
	var said struct{ Code, Message string }
	if json.Unmarshal(text, &said) != nil || said.Code == "" {
		said.Code, said.Message = http.StatusText(status), string(text)
	}
	message := c.hide(strings.Join(strings.Fields(said.Message), " "))
	kind, hint := fail.BadInput, "the server takes other profiles or labels only: its message says which"
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		hint = "check --user with HONE_PUSH_PASSWORD, HONE_PUSH_TOKEN, or --header 'X-Scope-OrgID: TENANT'"
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed ||
		status == http.StatusUnsupportedMediaType:
		hint = "is this Pyroscope 1.0 or later? name its address without a path: http://127.0.0.1:4040"
	case strings.Contains(message, "ingestion window"):
		hint = "Pyroscope takes no profile that is older than an hour: push soon after the run, or raise the server's " +
			"limit reject_older_than"
	case status == http.StatusTooManyRequests || status >= 500:
		kind, hint = fail.Environment, "the server is broken or overloaded: repeat the command later"
	}
	return fail.New(kind, "push %s profile to %s: the server says %d %.80s: %.300s", p.Name, c, status,
		c.hide(said.Code), message).WithHint("%s", hint)
}

// unreachable is an error without a whole answer.
func (c *Client) unreachable(ctx context.Context, p Profile, err error) error {
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "push %s profile: stopped: %w", p.Name, context.Cause(ctx))
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fail.New(fail.Environment, "push %s profile to %s: %s", p.Name, c, c.hide(err.Error())).
		WithHint("is Pyroscope up, and is this its address? it listens on port 4040 by default")
}

// hide replaces the credentials in a text: a server may quote them.
func (c *Client) hide(text string) string {
	for _, secret := range []string{c.options.Password, c.options.Token} {
		text = strings.ReplaceAll(text, cmp.Or(secret, "\x00"), redact.Mark)
	}
	return redact.Text(text)
}
