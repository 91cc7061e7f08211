package wire

import (
	"context"
	"net"
	"net/url"
	"reflect"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// Scheme is one protocol as a URL scheme.
type Scheme struct {
	// Name is the scheme of the target URL. NAME+unix:PATH speaks the same protocol over
	// a Unix socket.
	Name string
	// Doc is one line for the command reference; Example a target.
	Doc, Example string
	// Port is the default port; empty: the target must name one.
	Port string
	// New builds the protocol for a target. Errors are *fail.Error of kind BadInput.
	New func(u *url.URL, o Options) (load.Protocol, error)
	// Login says that a target may hold a user and a password.
	Login bool
}

// Noter is a load.Protocol that has something to say to the reader of a result, once
// answers have come. It may be asked from any goroutine.
type Noter interface {
	// Notes are sentences; none if all was as the protocol has it.
	Notes() []string
}

// Preparer is a load.Protocol that has to ask the server before the first request can be built.
type Preparer interface {
	// Prepare asks over connections that dial makes. The error is a *fail.Error where the user can do something about
	// it.
	Prepare(ctx context.Context, dial load.Dialer) error
}

// PortTemplate stands for a port that is not known yet: the free one that a subject
// gets at its start. Parse accepts it, so that a target can be checked before; for
// the load, replace it in the target and Parse again.
const PortTemplate = "{port}"

// NoPath refuses a path and a query. why, if not empty, is the end of the message.
func NoPath(scheme string, u *url.URL, example, why string) error {
	if u.RawQuery == "" && (u.Path == "" || u.Path == "/") {
		return nil
	}
	return fail.New(fail.BadInput, "%s has no path or query, got %q%s", scheme, u.RequestURI(), why).
		WithHint("write it like %s", example)
}

// Bracket is net.JoinHostPort's form of the host.
func Bracket(host string) string {
	return strings.TrimSuffix(net.JoinHostPort(host, ""), ":")
}

// IsSet says whether any field of a struct of options is set. It is called once for
// each target, so reflection is cheap enough.
func IsSet(options any) bool { return !reflect.ValueOf(options).IsZero() }
