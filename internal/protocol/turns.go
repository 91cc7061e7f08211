package protocol

import (
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/fail"
)

// turnsMix is the order that requests take turns in, by weight, and the rows of a feed that fill them.
type turnsMix struct {
	weights []int
	// round is the order of the turns, repeated for ever; it holds each request as often as its weight.
	round []httpTurn
	rows  [][]string
	// shared says that all connections take their turns from one walk.
	shared bool
	// numbered says that the number of the request is in one; number is that of the next.
	numbered bool
	number   atomic.Uint64

	mu    sync.Mutex
	walks []*httpWalk // by connection; nil where there was none
}

// maxRound bounds the work of laying out a round, together with the number of requests: their product takes 0.1 s.
const maxRound = 10_000

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

// layOut fills the round by smooth weighted round robin: each turn goes to the target
// that is owed most, which spreads every target's turns evenly.
func (m *turnsMix) layOut() error {
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
func (m *turnsMix) walk(conn int) *httpWalk {
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
func (m *turnsMix) next(w *httpWalk) (n uint64, turn httpTurn) {
	n = w.turn + w.turns.Add(1) - 1
	return n, m.round[n%uint64(len(m.round))]
}

// fill is what fills turn number n of a connection, and the number of its row.
func (m *turnsMix) fill(w *httpWalk, n uint64, turn httpTurn) (row int, with fill) {
	row = m.row(w, n, turn)
	with = fill{conn: w.conn, turn: n, row: m.rows[row]}
	if m.numbered {
		with.number = m.number.Add(1) - 1
	}
	return row, with
}

// row is the number of the row of the feed for turn number n of a connection.
func (m *turnsMix) row(w *httpWalk, n uint64, turn httpTurn) int {
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
