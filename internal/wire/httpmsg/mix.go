package httpmsg

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/turns"
)

// Mix is the requests of one or several targets and the order they take turns in.
type Mix struct {
	turns.Mix
	// Only is the request where there is one target and no column in it: nil otherwise.
	Only     []byte
	requests []*Request
	// Heads says of each target whether its method is HEAD; nil where they do not differ.
	Heads []bool
	// Labels are the rows that results tell the targets apart by, rowOf the row of each target.
	Labels []string
	RowOf  []int
}

// MaxTargets bounds the work of laying out a round, see turns.MaxRound.
const MaxTargets = 10_000

// NewMix builds the requests for u and the further targets of o.
func NewMix(method string, u *url.URL, o wire.Options) (*Mix, error) {
	m := &Mix{Mix: turns.Mix{Rows: [][]string{nil}}}
	if o.Feed != nil {
		m.Rows = o.Feed.Rows
	}
	targets, err := targetsOf(method, u, o)
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
			m.Heads = append(m.Heads, t.method == "HEAD")
		}
	}
	if len(o.Order) > 0 {
		return m, m.inOrder(o.Order)
	}
	if len(m.requests) == 1 {
		m.Only = m.requests[0].fixed
	}
	return m, m.LayOut()
}

// label gives a row to each method and path: queries that differ are one target.
func (m *Mix) label(targets []target) {
	known := map[string]int{}
	for _, t := range targets {
		name := t.method + " " + cmp.Or(t.url.Path, "/")
		row, ok := known[name]
		if !ok {
			row = len(m.Labels)
			known[name] = row
			m.Labels = append(m.Labels, name)
		}
		m.RowOf = append(m.RowOf, row)
	}
}

func (m *Mix) add(method string, u *url.URL, weight int, o wire.Options) error {
	r, err := NewRequest(method, u, o)
	if err == nil {
		m.Numbered = m.Numbered || r.Head.Numbered() || r.Body.Numbered()
	}
	if err == nil && r.fixed != nil {
		r.Head, r.Body = nil, nil // a list may have many
	}
	m.requests, m.Weights = append(m.requests, r), append(m.Weights, weight)
	return err
}

// mixURL reads a further target: a URL on the host of the first, or the path of one.
func mixURL(first *url.URL, text string) (*url.URL, error) {
	u, err := url.Parse(strings.ReplaceAll(text, ":"+wire.PortTemplate, ":0"))
	if err != nil {
		return nil, fail.New(fail.BadInput, "parse target %q: %w", text, err).
			WithHint("write it like %s, or the path alone", Example)
	}
	if u.Scheme == "" && u.Host == "" && strings.HasPrefix(text, "/") {
		u.Scheme, u.Host = first.Scheme, first.Host
		return u, nil
	}
	host, port := u.Hostname(), u.Port()
	switch {
	case strings.Contains(u.Host+"/", ":0/") && strings.Contains(text, ":"+wire.PortTemplate):
		port = wire.PortTemplate
	case port == "":
		port = defaultPort(u.Scheme)
	}
	if !strings.EqualFold(u.Scheme, first.Scheme) || u.User != nil ||
		!strings.EqualFold(wire.Bracket(host)+":"+port, first.Host) {
		return nil, fail.New(fail.BadInput, "target %q of the mix is not on %s://%s, where the connections lead",
			text, first.Scheme, first.Host).
			WithHint("give the path alone, like /items; load another server with a run of its own")
	}
	u.Host = first.Host
	return u, nil
}

// Append appends the request whose turn it is to dst, and returns which it was. It takes no
// more memory than that.
func (m *Mix) Append(dst []byte, w *turns.Walk) (all []byte, target int) {
	n, turn := m.Next(w)
	r := m.requests[turn.Target]
	if r.fixed != nil {
		return append(dst, r.fixed...), turn.Target
	}
	_, with := m.Fill(w, n, turn)
	return r.Append(dst, with), turn.Target
}
