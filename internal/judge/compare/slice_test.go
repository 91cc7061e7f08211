package compare

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// at are slices by the places where they were taken, numbered in the order of time.
func at(places ...Place) []Slice {
	all := make([]Slice, len(places))
	for i, p := range places {
		all[i] = Slice{Place: p, Sample: judge.Sample{measure.CPU.Key: float64(i)}}
	}
	return all
}

func placeOf(s Slice) Place { return s.Place }

func TestRoundsHoldEverySliceOnceAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var places []Place
		for block, rounds := range rapid.SliceOfN(rapid.IntRange(1, 5), 0, 5).Draw(t, "rounds") {
			for round := range rounds {
				n := rapid.IntRange(1, 4).Draw(t, "slices")
				places = append(places, slices.Repeat([]Place{{block, round}}, n)...)
			}
		}
		all, n := at(places...), 0
		seen := map[Place]bool{}
		for round := range Rounds(all, placeOf) {
			if seen[round[0].Place] {
				t.Fatalf("%v comes twice", round[0].Place)
			}
			seen[round[0].Place] = true
			for _, s := range round {
				if s.Place != round[0].Place || s.Sample[measure.CPU.Key] != float64(n) {
					t.Fatalf("slice %d is %+v in the round at %v", n, s, round[0].Place)
				}
				n++
			}
		}
		if n != len(all) {
			t.Fatalf("%d of %d slices", n, len(all))
		}
	})
}

// A loop over rounds may end early.
func TestRoundsEndEarly(t *testing.T) {
	n := 0
	for range Rounds(at(Place{0, 0}, Place{0, 1}, Place{0, 2}), placeOf) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d rounds", n)
	}
}

func TestPairsAreOfOnePlace(t *testing.T) {
	a := at(Place{0, 0}, Place{0, 1}, Place{1, 0}, Place{2, 0})
	b := at(Place{0, 1}, Place{1, 0}, Place{1, 1}, Place{3, 0})
	pairs := PairUp(a, b)
	if got := slices.Sorted(maps.Keys(pairs)); !slices.Equal(got, []int{0, 1}) {
		t.Fatalf("starts %v, want 0 and 1: the others have no partner", got)
	}
	for start, want := range map[int]struct{ a, b float64 }{0: {1, 0}, 1: {2, 1}} {
		p := pairs[start]
		if len(p) != 1 || p[0].A[measure.CPU.Key] != want.a || p[0].B[measure.CPU.Key] != want.b {
			t.Errorf("start %d: %+v, want slice %v of A and %v of B", start, p, want.a, want.b)
		}
	}
}
