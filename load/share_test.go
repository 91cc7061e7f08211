package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// dealOut makes shares of all classes, each of which goes to one of n generators.
func dealOut(r *rapid.T, of, n int) []Share {
	all := make([]Share, n)
	for class := range of {
		i := rapid.IntRange(0, n-1).Draw(r, "generator")
		all[i].Of, all[i].Classes = of, append(all[i].Classes, class)
	}
	return slices.DeleteFunc(all, func(s Share) bool { return len(s.Classes) == 0 })
}

func anySchedule(r *rapid.T) (s Schedule) {
	if rapid.Bool().Draw(r, "replay") {
		at := time.Duration(0)
		for range rapid.IntRange(1, 300).Draw(r, "moments") {
			at += time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(r, "gap"))
			s.Replay = append(s.Replay, at)
		}
	} else {
		for range rapid.IntRange(1, 4).Draw(r, "stages") {
			s.Stages = append(s.Stages, Stage{
				From: rapid.Float64Range(0, 2000).Draw(r, "from"), To: rapid.Float64Range(0, 2000).Draw(r, "to"),
				For: time.Duration(rapid.Int64Range(1, int64(time.Second)).Draw(r, "for")),
			})
		}
	}
	s.Requests = rapid.Uint64Range(0, 2000).Draw(r, "requests")
	return s
}

// The shares of several generators, each with workers of its own, are together the schedule of one: the same moments,
// each once.
func TestSharesAreTogetherTheSchedule(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := anySchedule(r)
		one, _ := moments(s, 1)
		var all []time.Duration
		of := rapid.IntRange(1, 40).Draw(r, "of")
		for _, share := range dealOut(r, of, rapid.IntRange(1, 5).Draw(r, "generators")) {
			part := s
			part.Share = share
			if err := part.Validate(); err != nil {
				r.Fatal(err)
			}
			mine, n := moments(part, rapid.IntRange(1, 4).Draw(r, "workers"))
			all = append(all, slices.Concat(mine...)...)
			if own := part.Own(); len(own.Replay) > 0 && s.Requests == 0 && len(own.Replay) != n {
				r.Errorf("%d moments of its own, %d sent", len(own.Replay), n)
			}
		}
		slices.Sort(all)
		if !slices.Equal(all, one[0]) {
			r.Fatalf("%d moments together, %d by one generator", len(all), len(one[0]))
		}
	})
}

// No generator sends a burst: between two of its requests lie all others' of the same turn.
func TestSharesHaveNoBursts(t *testing.T) {
	s := OpenLoop(1000, 10*time.Second)
	s.Share = Share{Of: 3, Classes: []int{1}}
	mine, n := moments(s, 1)
	if n != 3333 {
		t.Fatalf("%d requests, want 3333", n)
	}
	for i, at := range mine[0] {
		if want := time.Duration(3*i+1) * time.Millisecond; (at - want).Abs() > 1 {
			t.Fatalf("request %d is due at %v, want %v", i, at, want)
		}
	}
}

// Poisson processes of shares are different ones, of their part of the rate.
func TestSharesOfAPoissonProcess(t *testing.T) {
	s := OpenLoop(1000, 100*time.Second)
	s.Arrivals, s.Seed = Poisson, 7
	var before []time.Duration
	for _, share := range []Share{{Of: 4, Classes: []int{0}}, {Of: 4, Classes: []int{1, 2, 3}}} {
		s.Share = share
		mine, n := moments(s, 2)
		want := 100_000 * float64(len(share.Classes)) / 4
		if math.Abs(float64(n)-want) > 5*math.Sqrt(want) {
			t.Errorf("%v: %d requests, want about %.0f", share.Classes, n, want)
		}
		if slices.Equal(before, mine[0][:10]) {
			t.Error("two shares have the same moments")
		}
		before = mine[0][:10]
	}
}

// What each sends by itself adds up.
func TestOwnSchedulesAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := anySchedule(r)
		var requests uint64
		var moments int
		rate := 0.0
		for _, share := range dealOut(r, rapid.IntRange(1, 40).Draw(r, "of"), 3) {
			s.Share = share
			own := s.Own()
			requests += own.Requests
			moments += len(own.Replay)
			if len(own.Stages) > 0 {
				rate += own.Stages[0].From
			}
		}
		if requests != s.Requests || moments != len(s.Replay) ||
			len(s.Stages) > 0 && math.Abs(rate-s.Stages[0].From) > 1e-6 {
			r.Fatalf("%d requests, %d moments, %g/s together of %d, %d, %v", requests, moments, rate, s.Requests,
				len(s.Replay), s.Stages)
		}
	})
}

func TestBadShares(t *testing.T) {
	for _, share := range []Share{
		{Of: 2}, {Of: -1, Classes: []int{0}}, {Classes: []int{0}}, {Of: 2, Classes: []int{2}},
		{Of: 2, Classes: []int{-1}},
		{Of: 3, Classes: []int{1, 0}}, {Of: 3, Classes: []int{1, 1}}, {Of: maxClasses + 1, Classes: []int{0}},
	} {
		s := OpenLoop(1, time.Second)
		s.Share = share
		if s.Validate() == nil {
			t.Errorf("%+v is accepted", share)
		}
	}
	closed := ClosedLoop(time.Second)
	closed.Share = Share{Of: 2, Classes: []int{0}}
	if closed.Validate() == nil {
		t.Error("a closed loop has a share")
	}
}
