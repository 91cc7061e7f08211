package protocol

import (
	"cmp"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/fail"
)

// httpMix is the requests of one or several targets and the order they take turns in.
type httpMix struct {
	// only is the request where there is one target and no column in it: nil otherwise.
	only     []byte
	requests []*httpRequest
	weights  []int
	// round is the order of the targets' turns, repeated for ever; it holds each as
	// often as its weight.
	round []httpTurn
	rows  [][]string
	// heads says of each target whether its method is HEAD; nil where they do not differ.
	heads []bool
	// labels are the rows that results tell the targets apart by, rowOf the row of each target.
	labels []string
	rowOf  []int
	// shared says that all connections take their turns from one walk.
	shared bool
	// numbered says that the number of the request is in one; number is that of the next.
	numbered bool
	number   atomic.Uint64

	mu    sync.Mutex
	walks []*httpWalk // by connection; nil where there was none
}

// httpTurn is one turn of a round.
type httpTurn struct {
	target int // number of the request
	prior  int // how often the target had its turn before in this round
}

// httpWalk is how far a connection is. It outlives the connection's dialogs: a server
// that closes after each answer would else get the first request for ever.
type httpWalk struct {
	turns atomic.Uint64 // taken; atomic because two sessions may share a protocol
	turn  uint64        // where in the round the connection began
	conn  uint64        // the connection
	row   uint64        // the row that it begins with; in a mix, each target near it
}

const (
	// maxTargets and maxRound bound the work of laying out a round, which is their
	// product: 0.1 s.
	maxTargets = 10_000
	maxRound   = 10_000
)

// newHTTPMix builds the requests for u and the further targets of o.
func newHTTPMix(method string, u *url.URL, o Options) (*httpMix, error) {
	m := &httpMix{rows: [][]string{nil}}
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

// layOut fills the round by smooth weighted round robin: each turn goes to the target
// that is owed most, which spreads every target's turns evenly.
func (m *httpMix) layOut() error {
	divisor, sum := 0, 0
	for _, w := range m.weights {
		divisor = gcd(w, divisor)
	}
	for i := range m.weights {
		m.weights[i] /= divisor
		if sum += m.weights[i]; sum > maxRound {
			return fail.New(fail.BadInput, "the weights of the mix add up to more than %d", maxRound).
				WithHint("round them: 1 in %d is the finest share there is", maxRound)
		}
	}
	owed, had := make([]int, len(m.weights)), make([]int, len(m.weights))
	for range sum {
		best := 0
		for i, w := range m.weights {
			if owed[i] += w; owed[i] > owed[best] {
				best = i
			}
		}
		owed[best] -= sum
		m.round = append(m.round, httpTurn{target: best, prior: had[best]})
		had[best]++
	}
	return nil
}

// walk returns how far connection conn is.
func (m *httpMix) walk(conn int) *httpWalk {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shared {
		conn = 0
	}
	for len(m.walks) <= conn {
		m.walks = append(m.walks, nil)
	}
	if m.walks[conn] == nil {
		w := &httpWalk{conn: uint64(conn), turn: spread(conn, len(m.round))}
		if len(m.rows) > 0 {
			w.row = spread(conn, len(m.rows))
		}
		m.walks[conn] = w
	}
	return m.walks[conn]
}

// next takes the next turn of a connection, and returns its number and what it is.
func (m *httpMix) next(w *httpWalk) (n uint64, turn httpTurn) {
	n = w.turn + w.turns.Add(1) - 1
	return n, m.round[n%uint64(len(m.round))]
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

// fill is what fills turn number n of a connection, and the number of its row.
func (m *httpMix) fill(w *httpWalk, n uint64, turn httpTurn) (row int, with fill) {
	row = m.row(w, n, turn)
	with = fill{conn: w.conn, turn: n, row: m.rows[row]}
	if m.numbered {
		with.number = m.number.Add(1) - 1
	}
	return row, with
}

// row is the number of the row of the feed for turn number n of a connection.
func (m *httpMix) row(w *httpWalk, n uint64, turn httpTurn) int {
	if m.shared {
		return int(n % uint64(len(m.rows)))
	}
	// Each target counts its own turns: counted together, two targets in turn would
	// meet only every other row each.
	used := n/uint64(len(m.round))*uint64(m.weights[turn.target]) + uint64(turn.prior)
	return int((w.row + used) % uint64(len(m.rows)))
}

// spread gives connection conn a place of 0 to n-1: all different for up to n
// connections, and those of any number of them far apart (steps of the golden ratio).
func spread(conn, n int) uint64 {
	step := int(float64(n) * 0.6180339887498949)
	for step = max(step, 1); gcd(step, n) != 1; step++ {
	}
	return uint64(conn) * uint64(step) % uint64(n)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
