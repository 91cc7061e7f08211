package compare

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBatchSize(t *testing.T) {
	for _, c := range []struct {
		answered uint64
		slices   int
		want     int
	}{
		{1e6, 400, 1},   // 2,500 in each
		{40000, 400, 1}, // just enough
		{20000, 400, 2}, // 50 in each
		{167, 40, 5},    // 60 ms each, 10 s: eight batches
		{0, 40, 5},
		{5, 4, 1},
		{0, 0, 1},
	} {
		if got := BatchSize(c.answered, c.slices); got != c.want {
			t.Errorf("%d answers in %d slices: batches of %d, want %d", c.answered, c.slices, got, c.want)
		}
	}
}

// Every slice is in one batch, whatever their number.
func TestBatchesHoldEverySliceOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, size := rapid.IntRange(0, 300).Draw(t, "slices"), rapid.IntRange(1, 60).Draw(t, "size")
		next := 0
		Batches(n, size, func(from, to int) {
			if from != next || to <= from || to-from < min(size, n) || to-from >= 2*size {
				t.Fatalf("batch %d to %d of %d, size %d, after %d", from, to, n, size, next)
			}
			next = to
		})
		if next != n {
			t.Fatalf("batches end at %d of %d", next, n)
		}
	})
}
