// Package finder finds out how a program is loaded that was just started: its port or socket, the protocol and the
// path, as the user names them, or as its listeners answer. What the command after a start answers fills requests.
package finder

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/vary"
)

// Program is a program that was started, and what was asked of it.
type Program struct {
	Spec    *spec.Parts
	Command spec.Line // that asked for it, for the commands in errors
	Binary  *build.Binary
	Process *subject.Process // nil before it is started
	Dir     string           // where it runs
	// AfterStart runs the command after this start, once, and returns what it answered.
	AfterStart func() (Values, error)
	Compared   bool // there are others beside it
	// LikeOthers says that its requests do not show hone.
	LikeOthers bool
	// Found is where an earlier start was loaded; nil without one, and if the target is named.
	Found *Place
}

// Target is where a program is loaded, and how.
type Target struct {
	schemes.Target
	URL     string // that it was read from, with Options
	Options wire.Options
	// Shown is the URL as it is stored and printed: with the port, but without the path of a socket in a directory of
	// hone's, which is another one each time.
	Shown string
	// Place is where it was found; nil if it was named. Assumption says then what was assumed; it is empty where an
	// earlier start has said so.
	Place      *Place
	Assumption string
}

// Place is where a variant is loaded, as its first start showed: what the later ones begin with, without asking again.
type Place struct {
	at  string // the port, or the path of the socket, as found at the last start: see keyOf
	url string // with templates.Port or templates.Socket for it
	// told says that it is what the program was told; moves that it was another one at
	// the next start, so that it is found again each time.
	told, moves bool
	// woke says that it answered for a while that it was not ready: each start waits for that.
	woke bool
	// Others are the same target on the other ports that speak this protocol, those that suit it best first.
	Others []string
	// options are those of the request, and what the port needs besides them.
	options wire.Options
}

// mustBeFound says that hone has to find the port or socket: the user has named no target, or has written a template
// for them there that stands nowhere in the arguments or the environment of the program.
func (p *Program) mustBeFound() bool {
	v := p.Binary.Variant
	missing := func(template string) bool {
		return strings.Contains(p.Spec.Target, template) &&
			!templates.StandIn(template, v.Args, v.Env, v.RunEnv, p.Spec.Args)
	}
	return p.Spec.Target == "" || missing(templates.Port) || missing(templates.Socket)
}

// PlannedAddress is the target's host:port, with the port template if it has one, or the path of its Unix socket, with
// that template; empty if it has to be found, and so is the network if there is no target.
func (p *Program) PlannedAddress() (network, address string, err error) {
	switch {
	case p.Spec.Protocol.HTTP3 && p.mustBeFound():
		return "", "", fail.New(fail.BadInput,
			"where a program speaks HTTP/3 has to be named: hone finds ports of TCP only").
			WithHint("name it: --target https://127.0.0.1:8443/ --set http3; or let hone choose the port: write " +
				"{port} in the program's arguments and in the target")
	case p.Spec.Target == "":
		return "", "", nil
	case p.mustBeFound() && schemes.OverUnix(p.Spec.Target):
		return "unix", "", nil
	case p.mustBeFound():
		return "tcp", "", nil
	}
	target, err := Parse(p.Spec.Target, p.Spec.Protocol, p.Binary.Variant)
	if err != nil {
		return "", "", err
	}
	return target.Network, target.Address, nil
}

// Find returns the target of this start: the named one with its port filled in, or what a look at the listeners of the
// program finds. Its place is there beside an error, too, if it was found.
func (p *Program) Find(ctx context.Context) (t Target, err error) {
	at := Place{url: p.Spec.Target, options: p.Spec.Protocol}
	if p.mustBeFound() {
		f := newFinder(p)
		if at, err = f.find(ctx); err != nil {
			return t, err
		}
		found := at
		t.Place, t.Assumption = &found, f.assumption
	}
	url, err := p.fillAddress(at.url)
	if err != nil {
		return t, err
	}
	values, err := p.AfterStart()
	if err != nil {
		return t, err
	}
	t.Shown = p.shown(url)
	t.URL = p.Process.Fill(url)
	if at.options.IsMix() {
		if at.options.Requests, err = p.fillMix(at.options.Requests); err != nil {
			return t, err
		}
	}
	t.Options = ownTLS(t.URL, values.fill(t.URL, at.options))
	if p.LikeOthers {
		t.Options = vary.LikeOthers(t.URL, t.Options)
	}
	t.Target, err = schemes.Parse(t.URL, t.Options)
	return t, err
}

// shown is a text with the template instead of a path that is another one at each start.
func (p *Program) shown(text string) string {
	if socket := p.Process.TemplateSocket(); socket != "" {
		return strings.ReplaceAll(text, socket, templates.Socket)
	}
	return text
}

// fillAddress puts what is under load in the place of its template.
func (p *Program) fillAddress(url string) (string, error) {
	address := p.Process.Address()
	if p.Process.Network() == "unix" {
		return strings.ReplaceAll(url, templates.Socket, address), nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("read address of the program: %w", err)
	}
	return strings.ReplaceAll(url, templates.Port, port), nil
}

// fillMix is a mix of targets with what is under load in the place of its templates.
func (p *Program) fillMix(mix []wire.Request) ([]wire.Request, error) {
	filled := slices.Clone(mix)
	for i := range filled {
		url, err := p.fillAddress(filled[i].Path)
		if err != nil {
			return nil, err
		}
		filled[i].Path = p.Process.Fill(url)
	}
	return filled, nil
}

// repeated is the command line with other flags: see spec.Line.Repeated.
func (p *Program) repeated(flags ...string) string {
	return p.Command.Repeated(p.Spec.Target, flags...)
}

// ownTLS leaves out the check of the certificate: it is that of a program that hone itself has
// started, and whose sockets it has looked up. A user who names an authority or a name gets
// the check.
func ownTLS(target string, o wire.Options) wire.Options {
	if (strings.HasPrefix(target, "https") || strings.HasPrefix(target, "grpcs") || strings.HasPrefix(target, "wss")) &&
		!o.TLS.NamesServer() {
		o.TLS.Insecure = true
	}
	return o
}
