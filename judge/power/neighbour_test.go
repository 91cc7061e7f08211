package power_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
)

// neighbour simulates comparisons beside another program that is busy for half of the time, in stretches of some pairs.
// It disturbs one slice of a pair then, and makes it some 20 % dearer: B's with the probability onB.
type neighbour struct {
	onB, factor float64
	seen        bool // disturbances are noticed
}

func (n neighbour) draw(rng *rand.Rand, starts int) []judge.Block {
	blocks := bench{pairs: 8, noise: 0.01, spread: 0.006, factor: n.factor}.draw(rng, starts)
	busy, left := false, 0
	for i := range blocks {
		for j := range blocks[i].Pairs {
			if left--; left <= 0 {
				busy, left = !busy, 4+rng.IntN(16)
			}
			if !busy {
				continue
			}
			p := &blocks[i].Pairs[j]
			p.Disturbed = n.seen
			hit := &p.A
			if rng.Float64() < n.onB {
				hit = &p.B
			}
			(*hit)["cpu"] *= math.Exp(0.2 + 0.1*rng.NormFloat64())
		}
	}
	return blocks
}

// differences counts first stages and whole comparisons that call the variants different.
func (n neighbour) differences(t *testing.T, rng *rand.Rand, rounds, room int) (first, both int) {
	t.Helper()
	for range rounds {
		p, err := power.Play(cpu, n.draw(rng, 2*room), room, judge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.First.Word.Different() {
			first++
		}
		if p.Final.Word.Different() {
			both++
		}
	}
	return first, both
}

// A neighbour that is busy more often while B is measured makes no alarm, as long as some of the time is calm; one that
// takes no side makes none anyway; and neither hides what is there.
func TestANeighbourMakesNoAlarm(t *testing.T) {
	const rounds, room = 30, 20
	rng := rand.New(rand.NewPCG(39, 11))
	for _, c := range []struct {
		name        string
		n           neighbour
		least, most int // differences of both stages
	}{
		{"no side", neighbour{onB: 0.5, factor: 1, seen: true}, 0, 1},
		{"B's side, and not noticed", neighbour{onB: 0.9, factor: 1}, 10, rounds},
		{"B's side", neighbour{onB: 0.9, factor: 1, seen: true}, 0, 1},
		{"no side, and B 10 % slower", neighbour{onB: 0.5, factor: 1.1, seen: true}, 24, rounds},
	} {
		first, both := c.n.differences(t, rng, rounds, room)
		t.Logf("%s: of %d comparisons the first stage calls %d different, and both %d", c.name, rounds, first, both)
		if both < c.least || both > c.most {
			t.Errorf("%s: %d of %d are called different, want %d to %d", c.name, both, rounds, c.least, c.most)
		}
	}
}
