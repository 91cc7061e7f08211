package continuous

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/redact"
)

// maxExcuse bounds what is read of an answer that is an error.
const maxExcuse = 4 << 10

// errNotFound marks the answer of a store that does not have a profile: Parca's, with code 5 of gRPC.
var errNotFound = errors.New("no such profile")

// refused is the error of an answer that is not 200: {"code": ..., "message": ...} of Connect
// (connectrpc.com/docs/protocol) or of the gateway of gRPC, or anything else of a server in between.
func (c *client) refused(answer *http.Response, text []byte) error {
	var said struct {
		Code    any
		Message string
	}
	if json.Unmarshal(text, &said) != nil || said.Code == nil {
		said.Message = string(text)
	}
	message := c.hide(strings.Join(strings.Fields(said.Message), " "))
	kind, hint := fail.BadInput, `check --query, --from and --to: its message says what is wrong`
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		hint = "set HONE_PULL_TOKEN, or --user and HONE_PULL_PASSWORD, or name the tenant: --header 'X-Scope-OrgID: TENANT'"
	case status == http.StatusNotFound && said.Code != nil:
		return fail.New(fail.BadInput, "%s: %.300s: %w", c, message, errNotFound)
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed ||
		status == http.StatusUnsupportedMediaType || status/100 == 3:
		hint = "is it the address of " + c.name + "? name it as a browser does, without the path of a page"
	case strings.Contains(message, "InvalidArgument"): // Pyroscope 1 says so of a wrong selector, with 500
	case status == http.StatusTooManyRequests || status >= 500:
		kind, hint = fail.Environment,
			"the server is broken or overloaded: repeat the command later, or pull a shorter time"
	}
	return fail.New(kind, "%s answers %s: %.300s", c, answer.Status, message).WithHint("%s", hint)
}

// unreachable is an error without a whole answer.
func (c *client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "ask %s: stopped: %w", c, context.Cause(ctx))
	}
	hint := "is it up, and is this its address? Pyroscope listens on port 4040, Parca on 7070"
	if os.IsTimeout(err) {
		hint = "pull a shorter time: --from now-10m"
	}
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fail.New(fail.Environment, "ask %s: %s", c, c.hide(err.Error())).WithHint("%s", hint)
}

// notAProfile is the error of an answer that cannot be read.
func (c *client) notAProfile(what string, err error) error {
	return fail.New(fail.Or(fail.Subject, err), "%s: %s: %w", c, what,
		err).WithHint("is it the address of %s? its version may have another API", c.name)
}

// readFault is the error of an answer that could not be read: nil of none, and one of the store's as it is.
func (c *client) readFault(what string, err error) error {
	var known *fail.Error
	var large *inputs.TooLarge
	if err == nil || errors.As(err, &known) || errors.As(err, &large) {
		return err
	}
	return c.notAProfile(what, err)
}

// hide replaces the credentials in a text: a server may quote them.
func (c *client) hide(text string) string {
	for _, secret := range []string{c.options.Password, c.options.Token} {
		text = strings.ReplaceAll(text, cmp.Or(secret, "\x00"), redact.Mark)
	}
	return redact.Text(text)
}
