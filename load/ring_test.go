package load

import (
	"testing"

	"pgregory.net/rapid"
)

// The ring against a map: numbers go out in order and come back in any order, some
// twice, some never sent.
func TestRingRemembersWhatIsOutstanding(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		depth := rapid.IntRange(1, 9).Draw(r, "depth")
		var g ring
		g.reset(depth)
		model := map[uint64]int64{}
		head, clock := uint64(0), int64(1)
		r.Repeat(map[string]func(*rapid.T){
			"send": func(r *rapid.T) {
				n := min(rapid.IntRange(0, depth).Draw(r, "n"), g.room())
				clock++
				g.push(n, clock)
				for range n {
					model[head] = clock
					head++
				}
			},
			"answer": func(r *rapid.T) {
				seq := rapid.Uint64Range(0, head+2).Draw(r, "seq")
				want, known := model[seq]
				if got, ok := g.take(seq); ok != known || got != want {
					r.Fatalf("take %d: got %d, %v, want %d, %v", seq, got, ok, want, known)
				}
				delete(model, seq)
			},
			"answer the oldest": func(r *rapid.T) {
				if g.n == 0 {
					return
				}
				want := model[g.tail]
				delete(model, g.tail)
				if got := g.takeOldest(); got != want || want == 0 {
					r.Fatalf("oldest: got %d, want %d", got, want)
				}
			},
			"grow": func(*rapid.T) { g.grow(64) },
			"": func(r *rapid.T) {
				if g.n != len(model) || g.room() < 0 {
					r.Fatalf("%d outstanding, want %d; room %d", g.n, len(model), g.room())
				}
				for seq := range model {
					if seq < g.tail {
						r.Fatalf("tail %d is past %d", g.tail, seq)
					}
				}
			},
		})
	})
}

func TestBackoffGrowsToItsBound(t *testing.T) {
	d := nextBackoff(0)
	if d != backoffMin {
		t.Errorf("first wait %v", d)
	}
	for range 20 {
		if n := nextBackoff(d); n < d || n > backoffMax {
			t.Fatalf("after %v comes %v", d, n)
		} else {
			d = n
		}
	}
	if d != backoffMax {
		t.Errorf("last wait %v", d)
	}
}
