package serving

import (
	"context"
	"io"
	"math"
	"runtime/trace"
	"testing"
	"testing/synctest"
	"time"
)

// Of 1,000 requests 20 wait 4 ms for the second cause; all work for 1 ms and wait 1 ms for the first.
func TestTruthSeparatesTypicalAndSlow(t *testing.T) {
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer trace.Stop()
	synctest.Test(t, func(t *testing.T) {
		s := newStamps()
		number := 0
		serve := s.stamped(func(_ context.Context, r *Request) error {
			time.Sleep(time.Millisecond)
			began := time.Now()
			time.Sleep(time.Millisecond)
			r.Waited(1, began)
			if number++; number%50 == 0 {
				began = time.Now()
				time.Sleep(4 * time.Millisecond)
				r.Waited(2, began)
			}
			return nil
		})
		for range 1000 {
			if err := serve(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		truth := s.truth()
		want := Truth{Schema: Schema, Requests: 1000,
			Typical: Cohort{Requests: 100, Handler: 2e6, Causes: [Causes]float64{1e6, 0}},
			Slow:    Cohort{Requests: 10, Handler: 6e6, Causes: [Causes]float64{1e6, 4e6}}}
		same(t, truth.Typical, want.Typical)
		same(t, truth.Slow, want.Slow)
		if truth.Requests != want.Requests || truth.Lost != 0 {
			t.Errorf("%d requests and %d lost, want %d and none", truth.Requests, truth.Lost, want.Requests)
		}
	})
}

// same compares means up to what adding in floating point leaves.
func same(t *testing.T, got, want Cohort) {
	t.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) < 1 }
	if got.Requests != want.Requests || !near(got.Handler, want.Handler) ||
		!near(got.Causes[0], want.Causes[0]) || !near(got.Causes[1], want.Causes[1]) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What does not fit is counted, and overwrites nothing.
func TestStampsBeyondTheRoomAreCounted(t *testing.T) {
	s := &stamps{all: make([]stamp, 3)}
	for i := range 5 {
		s.add(stamp{handler: int64(i), traced: true})
	}
	if truth := s.truth(); truth.Requests != 3 || truth.Lost != 2 || truth.Slow.Handler != 2 {
		t.Errorf("%+v", truth)
	}
}

// Requests outside of the trace do not count: hone's digest does not have them either.
func TestRequestsOutsideOfTheTraceDoNotCount(t *testing.T) {
	s := &stamps{all: make([]stamp, 4)}
	s.add(stamp{handler: 9})
	s.add(stamp{handler: 2, traced: true})
	if truth := s.truth(); truth.Requests != 1 || truth.Untraced != 1 || truth.Slow.Handler != 2 {
		t.Errorf("%+v", truth)
	}
}
