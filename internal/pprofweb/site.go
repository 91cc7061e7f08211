package pprofweb

import (
	"context"
	"net"
	"net/http"
	"os"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/pageserver"
	"github.com/gohone/hone/internal/sameorigin"
	"github.com/gohone/hone/prof"
)

// Profile is what is shown below one path.
type Profile struct {
	Capture prof.Capture
	// Base is subtracted from it, after it was scaled to the same number of requests where
	// both are known; nil shows the capture itself.
	Base *prof.Capture
	// Sources finds the source of the program; nil shows line numbers only.
	Sources prof.Sources
}

// Kind is the capture's kind, or "profile" where that is none that Go programs have.
func (p Profile) Kind() string {
	if !knownKind(p.Capture.Kind) {
		return "profile" // a file may call itself what it likes
	}
	return p.Capture.Kind
}

// Path is where its pages are: /cpu/, and /diff/cpu/ of a difference.
func (p Profile) Path() string {
	if p.Base != nil {
		return "/diff/" + p.Kind() + "/"
	}
	return "/" + p.Kind() + "/"
}

// Site is the pages of some profiles and one that lists them.
type Site struct {
	title   string
	below   string
	mounted []*mounted
	mux     *http.ServeMux
}

// New makes the pages. Title and base say whose profiles these are; base is empty without
// differences. Errors are fail.BadInput, but for a user without a home directory, which
// pprof needs to know (fail.Environment).
func New(title, base string, profiles []Profile) (*Site, error) {
	return NewBelow("", title, base, profiles)
}

// NewBelow is New for a site that is a part of another: all its addresses begin with below, such as /pprof/0a1b2c3d.
func NewBelow(below, title, base string, profiles []Profile) (*Site, error) {
	if _, err := os.UserConfigDir(); err != nil {
		return nil, fail.New(fail.Environment, "serve profiles: pprof looks for its settings: %w", err)
	}
	s := &Site{title: title, below: below, mux: http.NewServeMux()}
	taken := map[string]bool{}
	for _, p := range profiles {
		if taken[p.Path()] {
			return nil, fail.New(fail.BadInput, "serve profiles: two are called %s", p.Path())
		}
		taken[p.Path()] = true
		m, err := mount(below, p)
		if err != nil {
			return nil, fail.New(fail.BadInput, "serve the %s profile of %s: %w", p.Kind(), title, err)
		}
		s.mounted = append(s.mounted, m)
		m.register(s.mux)
	}
	s.mux.Handle(below+"/{$}", s.index(base))
	return s, nil
}

// Handler answers requests that came for a server at address and are the user's own; host
// is the name under which the address was asked for, or empty.
func (s *Site) Handler(address net.Addr, host string) http.Handler {
	return s.Guarded(sameorigin.Hosts(address, host))
}

// Guarded is Handler for a server whose names ours knows, those in a Host header without their port.
func (s *Site) Guarded(ours func(host string) bool) http.Handler { return guarded(s.mux, ours) }

// Serve answers until the context ends, and closes the listener. Requests then have a
// moment to end. Those from other machines need the token. The error is nil if it was the
// context that ended it.
func (s *Site) Serve(ctx context.Context, ln net.Listener, host string, token sameorigin.Token) error {
	return pageserver.Serve(ctx, ln, token.Required(s.Handler(ln.Addr(), host)), nil)
}
