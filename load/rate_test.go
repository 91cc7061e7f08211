package load

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// oneCPU is the tally of a target that takes cost of its only CPU for each request, in
// turn, and of a drain to the last answer with some silence behind it. due are the moments
// of the requests of an open loop; a closed loop of some connections sends until length.
func oneCPU(cost, length, silence time.Duration, connections int, due []time.Duration) Tally {
	s := Slice{}
	free := time.Duration(0)
	answer := func(at time.Duration) {
		free = max(free, at) + cost
		s.Answered++
	}
	if due == nil {
		for range connections { // all at once, and the next at each answer before length
			answer(0)
		}
		for k := 1; time.Duration(k)*cost < length; k++ {
			answer(0)
		}
	}
	for _, at := range due {
		answer(at)
		s.Response = recordNew(s.Response, int64(free-at))
	}
	s.Draining = max(0, free-length) + silence
	s.Silent = silence
	s.Duration = max(length, free) + silence
	var t Tally
	t.Add(s)
	return t
}

// A target that takes 60 ms of its only CPU for each request gives 16.7 answers a second at
// most, however short the load is, and not fewer if it is busy all the time.
func TestASlowTargetIsNoFasterThanItsCPU(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cost := time.Duration(rapid.IntRange(1, 2000).Draw(t, "cost")) * time.Millisecond
		length := time.Duration(rapid.IntRange(1, 10000).Draw(t, "length")) * time.Millisecond
		silence := time.Duration(rapid.IntRange(0, 2000).Draw(t, "silence")) * time.Millisecond
		connections := rapid.IntRange(1, 50).Draw(t, "connections")
		most := 1 / cost.Seconds()
		closed := oneCPU(cost, length, silence, connections, nil)
		if got := closed.AnsweredHz(); got > most*1.0001 ||
			connections > 1 && closed.Draining > silence && got < most*0.9999 {
			t.Fatalf("closed loop: %v answers/s, want %v", got, most)
		}
		rate := most * rapid.Float64Range(0.1, 5).Draw(t, "overload")
		var due []time.Duration
		for at := time.Duration(0); at < length; at = time.Duration(float64(len(due)) / rate * 1e9) {
			due = append(due, at)
		}
		open := oneCPU(cost, length, silence, 0, due)
		// The first answer of an open loop is not waited for.
		n := float64(len(due))
		if got := open.AnsweredHz(); n > 1 && got > max(most, n/length.Seconds())*n/(n-1)*1.001 ||
			n > 1 && rate > most && got > most*n/(n-1)*1.001 {
			t.Fatalf("open loop of %v/s: %v answers/s of %d in %v, want %v at most", rate, got, len(due), open.Duration,
				most)
		}
	})
}

func TestTheRateOfNothing(t *testing.T) {
	if got := (&Tally{}).AnsweredHz(); got != 0 {
		t.Errorf("%v answers/s", got)
	}
}
