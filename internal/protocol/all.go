// Package protocol holds the wire protocols that hone can load, each as a
// load.Protocol, and turns a target as the user writes it into one of them.
package protocol

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/load"
)

// All lists the protocols. A new one goes here and into a file of its name.
var All = []*Scheme{Framed, HTTP}

// Scheme is one protocol as a URL scheme.
type Scheme struct {
	// Name is the scheme of the target URL.
	Name string
	// Doc is one line for the command reference; Example a target.
	Doc, Example string
	// Port is the default port; empty: the target must name one.
	Port string
	// New builds the protocol for a target. Errors are *fail.Error of kind BadInput.
	New func(u *url.URL, o Options) (load.Protocol, error)
}

// Options shape the requests and say what a right answer is. The zero value is each
// protocol's default; an option that the protocol does not have is an error.
type Options struct {
	// PayloadBytes is the size of a framed submit's payload; 0 means 24, which makes
	// a frame of 37 bytes.
	PayloadBytes int `json:"payload_bytes,omitempty"`
	// Method is the HTTP method; empty means GET, or POST if there is a body.
	Method string `json:"method,omitempty"`
	// Headers are HTTP header lines, "Name: value".
	Headers []string `json:"headers,omitempty"`
	// Body is the HTTP request body, or the payload of a tcp:// request.
	Body []byte `json:"body,omitempty"`
	// Mix are further HTTP targets on the same host, by URL, that share the requests
	// with the first by weight. Empty: one target.
	Mix []Weighted `json:"mix,omitempty"`
	// Weight is the first target's weight in a mix; 0 means 1.
	Weight int `json:"weight,omitempty"`
	// Feed fills {name} in URLs, header values and bodies.
	Feed *Feed `json:"feed,omitempty"`
	// Expect says what a right answer is, beyond the protocol's own rules.
	Expect Expect `json:"expect,omitzero"`
	// HTTP2 speaks HTTP/2: over TLS by ALPN, else with prior knowledge (h2c).
	HTTP2 bool `json:"http2,omitempty"`
	// TLS is how https:// targets are spoken to.
	TLS TLS `json:"tls,omitzero"`
	// Frame describes the protocol of tcp:// targets.
	Frame Frame `json:"frame,omitzero"`
}

// Weighted is one more target of a mix.
type Weighted struct {
	URL    string `json:"url"`
	Weight int    `json:"weight"` // at least 1
}

// Feed is a table whose rows fill the templates of requests, a row for each request.
// Each connection walks the rows in order, from a row of its own.
type Feed struct {
	Names []string   `json:"names"`
	Rows  [][]string `json:"rows"` // each as long as Names
}

// Expect is the checks on an HTTP answer. An answer that fails one is wrong, never
// counted as served.
type Expect struct {
	// Status lists statuses, "200", or classes, "2xx"; empty accepts all below 400.
	Status []string `json:"status,omitempty"`
	// Length is the length of the body in bytes; nil accepts any.
	Length *int64 `json:"length,omitempty"`
	// Body is a text that the body must contain; empty accepts any.
	Body string `json:"body,omitempty"`
	// JSON is "PATH" (must exist) or "PATH=VALUE", in the syntax of tidwall/gjson;
	// empty accepts any.
	JSON string `json:"json,omitempty"`
}

// TLS is a client's side of TLS.
type TLS struct {
	// Insecure accepts any certificate.
	Insecure bool `json:"insecure,omitempty"`
	// NoResumption makes every connection a full handshake.
	NoResumption bool `json:"no_resumption,omitempty"`
	// ServerName overrides the host name of the target for SNI and verification.
	ServerName string `json:"server_name,omitempty"`
	// CAs is a file of certificates (PEM) to trust in place of the system's.
	CAs string `json:"cas,omitempty"`
}

// Frame describes a length-prefixed protocol.
type Frame struct {
	// Offset is where the length field begins in a frame, Width its size in bytes: 1,
	// 2, 4 or 8 (0 means 4).
	Offset int `json:"offset,omitempty"`
	Width  int `json:"width,omitempty"`
	// Little says that integers are little-endian; the default is big-endian.
	Little bool `json:"little,omitempty"`
	// Counts is what the length field counts: "rest", all that comes behind it (the
	// default), "all", the whole frame, or "body", what comes behind HeaderBytes.
	Counts string `json:"counts,omitempty"`
	// HeaderBytes is the size of the header for Counts "body".
	HeaderBytes int `json:"header_bytes,omitempty"`
	// IDOffset and IDWidth place an integer that an answer repeats from its request;
	// IDWidth 0 means that answers come in order (FIFO).
	IDOffset int `json:"id_offset,omitempty"`
	IDWidth  int `json:"id_width,omitempty"`
	// ExpectBytes must stand at offset ExpectAt of an answer's frame; empty accepts any.
	ExpectAt    int    `json:"expect_at,omitempty"`
	ExpectBytes []byte `json:"expect_bytes,omitempty"`
	// ExpectLength is the length of an answer's whole frame in bytes; 0 accepts any.
	ExpectLength int `json:"expect_length,omitempty"`
}

// Target is what to load and how to speak to it.
type Target struct {
	load.Protocol
	// Scheme is the protocol's name; Network and Address are for net.Dial. Address
	// is host:port, where the port may still be PortTemplate.
	Scheme, Network, Address string
}

// PortTemplate stands for a port that is not known yet: the free one that a subject
// gets at its start. Parse accepts it, so that a target can be checked before; for
// the load, replace it in the target and Parse again.
const PortTemplate = "{port}"

// Parse reads a target such as framed://127.0.0.1:8888 or http://localhost:{port}/x.
// Errors are *fail.Error of kind BadInput.
func Parse(target string, o Options) (Target, error) {
	scheme, err := schemeOf(target)
	if err != nil {
		return Target{}, err
	}
	// url.Parse takes digits only for a port: let 0 stand for the template.
	u, err := url.Parse(strings.ReplaceAll(target, ":"+PortTemplate, ":0"))
	if err != nil {
		return Target{}, fail.New(fail.BadInput, "parse target %q: %w", target, err).
			WithHint("write it like %s", scheme.Example)
	}
	if u.User != nil {
		return Target{}, fail.New(fail.BadInput, "parse target: it holds a user name or password").
			WithHint("send credentials as a header: -H 'Authorization: ...'")
	}
	address, err := addressOf(u, target, scheme)
	if err != nil {
		return Target{}, err
	}
	u.Host = address
	p, err := scheme.New(u, o)
	if err != nil {
		return Target{}, err
	}
	return Target{Protocol: p, Scheme: scheme.Name, Network: "tcp", Address: address}, nil
}

// schemeOf finds the scheme of a target, or says which it might have meant.
func schemeOf(target string) (*Scheme, error) {
	name, _, ok := strings.Cut(target, "://")
	if !ok {
		return nil, fail.New(fail.BadInput, "target %q names no protocol", target).
			WithHint("write it like %s", examples())
	}
	for _, s := range All {
		if strings.EqualFold(s.Name, name) {
			return s, nil
		}
	}
	err := fail.New(fail.BadInput, "unknown protocol %q in target %q", name, target)
	if name == "https" {
		return nil, err.WithHint("TLS is not supported yet; known are %s", names())
	}
	if near := nearest(strings.ToLower(name)); near != "" {
		return nil, err.WithHint("did you mean %q? known are %s", near, names())
	}
	return nil, err.WithHint("known are %s", names())
}

// addressOf is host:port of a parsed target, with the template put back.
func addressOf(u *url.URL, target string, s *Scheme) (string, error) {
	host, port := u.Hostname(), u.Port()
	if host == "" {
		return "", fail.New(fail.BadInput, "target %q names no host", target).
			WithHint("write it like %s", s.Example)
	}
	authority, _, _ := strings.Cut(strings.SplitN(target, "://", 2)[1], "/")
	if strings.Contains(authority, ":"+PortTemplate) {
		return bracket(host) + ":" + PortTemplate, nil
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

// bracket is net.JoinHostPort's form of the host.
func bracket(host string) string {
	return strings.TrimSuffix(net.JoinHostPort(host, ""), ":")
}

func names() string {
	var all []string
	for _, s := range All {
		all = append(all, s.Name)
	}
	return strings.Join(all, ", ")
}

func examples() string {
	var all []string
	for _, s := range All {
		all = append(all, s.Example)
	}
	return strings.Join(all, " or ")
}
