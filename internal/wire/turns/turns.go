package turns

import (
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// Mix is the order that requests take turns in, by weight, and the rows of a feed that fill them.
type Mix struct {
	Weights []int
	// Round is the order of the turns, repeated for ever; it holds each request as often as its weight.
	Round []Turn
	Rows  [][]string
	// Ordered says that each connection begins with the first turn.
	Ordered bool
	// Shared says that all connections take their turns from one walk.
	Shared bool
	// Numbered says that the number of the request is in one; number is that of the next.
	Numbered bool
	number   atomic.Uint64

	mu    sync.Mutex
	walks []*Walk // by connection; nil where there was none
}

// MaxRound bounds the work of laying out a round, together with the number of requests: their product takes 0.1 s.
const MaxRound = 10_000

// Turn is one turn of a round.
type Turn struct {
	Target int // number of the request
	Prior  int // how often the target had its turn before in this round
}

// Walk is how far a connection is. It outlives the connection's dialogs: a server
// that closes after each answer would else get the first request for ever.
type Walk struct {
	Turns atomic.Uint64 // taken; atomic because two sessions may share a protocol
	turn  uint64        // where in the round the connection began
	Conn  uint64        // the connection
	Row   uint64        // the row that it begins with; in a mix, each target near it
}

// LayOut fills the round by smooth weighted round robin: each turn goes to the target
// that is owed most, which spreads every target's turns evenly.
func (m *Mix) LayOut() error {
	divisor, sum := 0, 0
	for _, w := range m.Weights {
		divisor = gcd(w, divisor)
	}
	for i := range m.Weights {
		m.Weights[i] /= divisor
		if sum += m.Weights[i]; sum > MaxRound {
			return fail.New(fail.BadInput, "the weights of the mix add up to more than %d", MaxRound).
				WithHint("round them: 1 in %d is the smallest possible share", MaxRound)
		}
	}
	owed, had := make([]int, len(m.Weights)), make([]int, len(m.Weights))
	for range sum {
		best := 0
		for i, w := range m.Weights {
			if owed[i] += w; owed[i] > owed[best] {
				best = i
			}
		}
		owed[best] -= sum
		m.Round = append(m.Round, Turn{Target: best, Prior: had[best]})
		had[best]++
	}
	return nil
}

// Walk returns how far connection conn is.
func (m *Mix) Walk(conn int) *Walk {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Shared {
		conn = 0
	}
	for len(m.walks) <= conn {
		m.walks = append(m.walks, nil)
	}
	if m.walks[conn] == nil {
		w := &Walk{Conn: uint64(conn)}
		if !m.Ordered {
			w.turn = spread(conn, len(m.Round))
		}
		if len(m.Rows) > 0 {
			w.Row = spread(conn, len(m.Rows))
		}
		m.walks[conn] = w
	}
	return m.walks[conn]
}

// Next takes the next turn of a connection, and returns its number and what it is.
func (m *Mix) Next(w *Walk) (n uint64, turn Turn) {
	n = w.turn + w.Turns.Add(1) - 1
	return n, m.Round[n%uint64(len(m.Round))]
}

// Fill is what fills turn number n of a connection, and the number of its row.
func (m *Mix) Fill(w *Walk, n uint64, turn Turn) (row int, with wire.Fill) {
	row = m.Row(w, n, turn)
	with = wire.Fill{Conn: w.Conn, Turn: n, Row: m.Rows[row]}
	if m.Numbered {
		with.Number = m.number.Add(1) - 1
	}
	return row, with
}

// Row is the number of the row of the feed for turn number n of a connection.
func (m *Mix) Row(w *Walk, n uint64, turn Turn) int {
	if m.Shared {
		return int(n % uint64(len(m.Rows)))
	}
	// Each target counts its own turns: counted together, two targets in turn would
	// meet only every other row each.
	used := n/uint64(len(m.Round))*uint64(m.Weights[turn.Target]) + uint64(turn.Prior)
	return int((w.Row + used) % uint64(len(m.Rows)))
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
