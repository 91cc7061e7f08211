// Package league keeps what players did.
package league

import "fmt"

// Rounds is how many are kept of each player.
const Rounds = 200

type player struct {
	name   string
	points [Rounds]int32
	lost   [Rounds]int32
	next   int
}

// score adds up the last rounds.
func score(p player, rounds int) (sum int) {
	for i := range rounds {
		at := (p.next - 1 - i + Rounds) % Rounds
		sum += int(p.points[at] - p.lost[at])
	}
	return sum
}

// League is all players.
type League struct{ players []player }

// New makes a league that played already.
func New(n int) *League {
	l := &League{players: make([]player, n)}
	for i := range l.players {
		p := &l.players[i]
		p.name = fmt.Sprintf("player%d", i)
		for r := range p.points {
			p.points[r] = int32((i*31 + r*17) % 101)
			p.lost[r] = int32((i*13 + r*29) % 37)
		}
		p.next = i % Rounds
	}
	return l
}

// Best is the player who leads.
func (l *League) Best(rounds int) (name string, most int) {
	most = -1 << 31
	for _, p := range l.players { // want: big-copy
		if s := score(p, rounds); s > most {
			name, most = p.name, s
		}
	}
	return name, most
}

// Mean is what the players have on average.
func (l *League) Mean(rounds int) int {
	sum := 0
	for _, p := range l.players { // want: big-copy
		sum += score(p, rounds)
	}
	return sum / len(l.players)
}
