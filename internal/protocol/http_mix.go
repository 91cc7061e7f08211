package protocol

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// httpMix is the requests of one or several targets and the order they take turns in.
type httpMix struct {
	turnsMix
	// only is the request where there is one target and no column in it: nil otherwise.
	only     []byte
	requests []*httpRequest
	// heads says of each target whether its method is HEAD; nil where they do not differ.
	heads []bool
	// labels are the rows that results tell the targets apart by, rowOf the row of each target.
	labels []string
	rowOf  []int
}

// maxTargets bounds the work of laying out a round, see maxRound.
const maxTargets = 10_000

// newHTTPMix builds the requests for u and the further targets of o.
func newHTTPMix(method string, u *url.URL, o Options) (*httpMix, error) {
	m := &httpMix{turnsMix: turnsMix{rows: [][]string{nil}}}
	if o.Feed != nil {
		m.rows = o.Feed.Rows
	}
	targets, err := httpTargets(method, u, o)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if err := m.add(t.method, t.url, t.weight, t.options); err != nil {
			return nil, err
		}
	}
	m.label(targets)
	if _, mixed := methodOfAll(method, o.Requests); mixed {
		for _, t := range targets {
			m.heads = append(m.heads, t.method == "HEAD")
		}
	}
	if len(o.Order) > 0 {
		return m, m.inOrder(o.Order)
	}
	if len(m.requests) == 1 {
		m.only = m.requests[0].fixed
	}
	return m, m.layOut()
}

// label gives a row to each method and path: queries that differ are one target.
func (m *httpMix) label(targets []httpTarget) {
	known := map[string]int{}
	for _, t := range targets {
		name := t.method + " " + cmp.Or(t.url.Path, "/")
		row, ok := known[name]
		if !ok {
			row = len(m.labels)
			known[name] = row
			m.labels = append(m.labels, name)
		}
		m.rowOf = append(m.rowOf, row)
	}
}

func (m *httpMix) add(method string, u *url.URL, weight int, o Options) error {
	r, err := newHTTPRequest(method, u, o)
	if err == nil {
		m.numbered = m.numbered || r.head.numbered() || r.body.numbered()
	}
	if err == nil && r.fixed != nil {
		r.head, r.body = nil, nil // a list may have many
	}
	m.requests, m.weights = append(m.requests, r), append(m.weights, weight)
	return err
}

// mixURL reads a further target: a URL on the host of the first, or the path of one.
func mixURL(first *url.URL, text string) (*url.URL, error) {
	u, err := url.Parse(strings.ReplaceAll(text, ":"+PortTemplate, ":0"))
	if err != nil {
		return nil, fail.New(fail.BadInput, "parse target %q: %w", text, err).
			WithHint("write it like %s, or the path alone", httpExample)
	}
	if u.Scheme == "" && u.Host == "" && strings.HasPrefix(text, "/") {
		u.Scheme, u.Host = first.Scheme, first.Host
		return u, nil
	}
	host, port := u.Hostname(), u.Port()
	switch {
	case strings.Contains(u.Host+"/", ":0/") && strings.Contains(text, ":"+PortTemplate):
		port = PortTemplate
	case port == "":
		port = defaultPort(u.Scheme)
	}
	if !strings.EqualFold(u.Scheme, first.Scheme) || u.User != nil ||
		!strings.EqualFold(bracket(host)+":"+port, first.Host) {
		return nil, fail.New(fail.BadInput, "target %q of the mix is not on %s://%s, where the connections lead",
			text, first.Scheme, first.Host).
			WithHint("give the path alone, like /items; load another server with a run of its own")
	}
	u.Host = first.Host
	return u, nil
}

// append appends the request whose turn it is to dst, and returns which it was. It takes no
// more memory than that.
func (m *httpMix) append(dst []byte, w *httpWalk) (all []byte, target int) {
	n, turn := m.next(w)
	r := m.requests[turn.target]
	if r.fixed != nil {
		return append(dst, r.fixed...), turn.target
	}
	_, with := m.fill(w, n, turn)
	return r.append(dst, with), turn.target
}
