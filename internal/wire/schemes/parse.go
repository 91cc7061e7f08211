package schemes

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/http1"
	"github.com/gohone/hone/internal/wire/http2"
	"github.com/gohone/hone/internal/wire/http3"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/resp"
	"github.com/gohone/hone/internal/wire/tcp"
	"github.com/gohone/hone/internal/wire/ws"
)

// Parse reads a target such as framed://127.0.0.1:8888, http://localhost:{port}/x or
// unix:/run/app.sock:/x. Errors are *fail.Error of kind BadInput.
func Parse(target string, o wire.Options) (Target, error) {
	scheme, rest, isUnix, err := schemeOf(target)
	if err != nil {
		return Target{}, err
	}
	if err := checkOptions(scheme, o); err != nil {
		return Target{}, err
	}
	t := Target{Scheme: scheme.Name, Network: "tcp", connectionBytes: plainBytes}
	if scheme == http1.HTTPS {
		t.connectionBytes = statefulBytes
	}
	var u *url.URL
	if isUnix {
		t.Network = "unix"
		t.Address, u, err = unixTarget(target, rest, scheme)
	} else {
		t.Address, u, err = tcpTarget(target, scheme)
	}
	if err != nil {
		return Target{}, err
	}
	build := scheme.New
	switch { // checkOptions lets HTTP targets through only
	case o.HTTP3 && o.HTTP2:
		return Target{}, fail.New(fail.BadInput, "--http2 and --set http3 exclude each other").WithHint("leave one out")
	case o.HTTP3 && isUnix:
		return Target{}, fail.New(fail.BadInput,
			"HTTP/3 goes over UDP, and the target is a Unix socket").WithHint("leave out --set http3")
	case o.Sequence && (o.HTTP2 || o.HTTP3):
		return Target{}, fail.New(fail.BadInput, "steps go with HTTP/1.1 only").WithHint("leave out %s",
			httpmsg.VersionOf(o).Flag)
	case o.HTTP3:
		t.Network, build, t.connectionBytes = "udp", http3.New, quicBytes
	case o.HTTP2:
		build, t.connectionBytes = http2.New, statefulBytes
	}
	if err := o.Streams.Validate(); err != nil {
		return Target{}, err
	}
	if t.Protocol, err = build(u, o); err != nil {
		return Target{}, err
	}
	overHTTP2 := o.HTTP2 || scheme == http2.GRPC || scheme == http2.GRPCS
	t.Streams, t.Multiplexed = o.Streams, overHTTP2 || o.HTTP3
	if scheme == http1.HTTPS || scheme == http2.GRPCS || scheme == ws.WSS || scheme == resp.Rediss {
		if t.tls, err = newTLSClient(u.Hostname(), o.TLS); err != nil {
			return t, err
		}
		if overHTTP2 {
			t.tls.offerHTTP2()
		}
	}
	if scheme == resp.Rediss {
		t.tls.config.NextProtos = nil // Redis has no name in ALPN
	}
	return t, nil
}

// withScheme is a target without a scheme as HTTP, the likeliest one, where it names a port: of this machine, if it
// names no host.
func withScheme(target string) string {
	host, _, _ := strings.Cut(target, "/")
	name, port, err := net.SplitHostPort(host)
	if err != nil || port == "" || strings.Trim(port, "0123456789") != "" {
		return ""
	}
	if name == "" {
		target = "127.0.0.1" + target
	}
	return "http://" + target
}

// likely is what a target may mean that has neither a scheme nor a host with a port: a port, or a host.
func likely(target string) string {
	host, path, _ := strings.Cut(target, "/")
	switch _, notPort := strconv.ParseUint(host, 10, 16); {
	case notPort == nil:
		return "http://127.0.0.1:" + host + "/" + path
	case host != "" && host[0] != '.' && strings.Trim(strings.ToLower(host),
		"abcdefghijklmnopqrstuvwxyz0123456789.-") == "":
		return "http://" + host + ":8080/" + path
	}
	return "http://127.0.0.1:8080/path or unix:/run/app.sock:/path"
}

// schemeOf finds the scheme of a target, or says which it might have meant. rest is what
// stands after it: a socket's path if isUnix, else a part of a URL.
func schemeOf(target string) (s *wire.Scheme, rest string, isUnix bool, err error) {
	name, rest, isUnix := cutUnix(target)
	if !isUnix {
		var ok bool
		if name, rest, ok = strings.Cut(target, "://"); !ok {
			unknown := fail.New(fail.BadInput, "target %q names no protocol", target)
			if near := withScheme(target); near != "" {
				return nil, "", false, unknown.WithHint("did you mean %s? hone load --help-all lists the protocols",
					near)
			}
			return nil, "", false, unknown.WithHint("write it like %s; hone load --help-all lists the protocols",
				likely(target))
		}
	}
	for _, s := range All {
		// unix: stands for HTTP itself: there is no unix:// and no unix+unix.
		if strings.EqualFold(s.Name, name) && (s != http1.Unix || isUnix) {
			return s, rest, isUnix, nil
		}
	}
	unknown := fail.New(fail.BadInput, "unknown protocol %q in target %q", name, target)
	if near := fail.Nearest(strings.ToLower(name), schemeNames()); near != "" {
		return nil, "", false, unknown.WithHint("did you mean %q? known are %s", near, names())
	}
	return nil, "", false, unknown.WithHint("known are %s", names())
}

// tcpTarget reads a target of the form scheme://host:port/path. The URL it returns has
// the address as its host.
func tcpTarget(target string, scheme *wire.Scheme) (address string, u *url.URL, err error) {
	// url.Parse takes digits only for a port: let 0 stand for the template.
	u, err = url.Parse(strings.ReplaceAll(target, ":"+wire.PortTemplate, ":0"))
	if err != nil {
		return "", nil, badTarget(target, err, scheme)
	}
	if u.User != nil && !scheme.Login {
		return "", nil, fail.New(fail.BadInput, "parse target: it holds a user name or password").
			WithHint("send credentials as a header: -H 'Authorization: ...'")
	}
	if address, err = addressOf(u, target, scheme); err != nil {
		return "", nil, err
	}
	u.Host = address
	return address, u, nil
}

// badTarget is the error for a target that is not a URL. It leaves out the URL that
// err repeats.
func badTarget(target string, err error, scheme *wire.Scheme) error {
	if e, ok := err.(*url.Error); ok {
		err = e.Err
	}
	if scheme.Login && strings.Contains(target, "@") { // err may quote a part of the password
		return fail.New(fail.BadInput, "parse target: user, password or address cannot be read").
			WithHint("percent-encode what is not a letter or a digit in user and password: @ is %%40, / is %%2F, : is %%3A")
	}
	return fail.New(fail.BadInput, "parse target %q: %w", target, err).
		WithHint("write it like %s", scheme.Example)
}

// addressOf is host:port of a parsed target, with the template put back.
func addressOf(u *url.URL, target string, s *wire.Scheme) (string, error) {
	host, port := u.Hostname(), u.Port()
	if host == "" {
		return "", fail.New(fail.BadInput, "target %q names no host", target).
			WithHint("write it like %s", s.Example)
	}
	authority, _, _ := strings.Cut(strings.SplitN(target, "://", 2)[1], "/")
	if strings.Contains(authority, ":"+wire.PortTemplate) {
		return wire.Bracket(host) + ":" + wire.PortTemplate, nil
	}
	if port == "" {
		port = s.Port
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", fail.New(fail.BadInput, "target %q: port %q is not between 1 and 65535", target, port).
			WithHint("write it like %s", s.Example)
	}
	return net.JoinHostPort(host, port), nil
}

func names() string { return strings.Join(schemeNames(), ", ") }

func schemeNames() (all []string) {
	for _, s := range All {
		all = append(all, s.Name)
	}
	return all
}

// All lists the protocols. A new one goes here, into a file of its name, and with the
// options it takes into the list beside checkOptions.
var All = []*wire.Scheme{http1.HTTP, http1.HTTPS, http1.Unix, http2.GRPC, http2.GRPCS, ws.WS, ws.WSS, resp.Redis,
	resp.Rediss, tcp.Framed, tcp.TCP, tcp.Chat, tcp.RPC}
