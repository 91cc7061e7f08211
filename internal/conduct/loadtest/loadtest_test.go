package loadtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/load"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// silent hears everything and says nothing.
type silent struct{}

func (silent) Phase(string, time.Duration) {}
func (silent) Tick(progress.Tick)          {}
func (silent) Warn(string)                 {}

func tester() *loadtest.Tester { return &loadtest.Tester{Version: "test", Progress: silent{}} }

// short is a short load of a server's address.
func short(url string, s load.Schedule) loadtest.Task {
	return loadtest.Task{
		Load: spec.Load{
			Target: url, Plan: load.Plan{Connections: 4, Depth: 1, Timeout: 10 * time.Second,
				RequestTimeout: 10 * time.Second},
		},
		Sending: spec.Sending{Schedule: s, Drain: 5 * time.Second, Interval: 50 * time.Millisecond},
	}
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/"
}

func ok(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }

// Fault 20: the time of day is set forward and back by an hour in mid-test. It is
// flagged, and no duration is the worse for it.
func TestASteppedClockIsFlagged(t *testing.T) {
	for _, step := range []time.Duration{time.Hour, -time.Hour} {
		asked := 0
		l := tester()
		l.Wall = func() time.Time {
			asked++
			if asked > 1 {
				return time.Now().Add(step)
			}
			return time.Now()
		}
		out, err := l.Run(t.Context(), t.Context(), short(serve(t, ok), load.Schedule{Requests: 200}))
		if err != nil && fail.ExitCode(err) != int(fail.Invalid) { // the generator of a busy machine may be late
			t.Fatal(err)
		}
		notes := strings.Join(out.Recording.Final.Notes, "; ")
		if !strings.Contains(notes, "time of day was changed by "+step.String()) {
			t.Errorf("step of %v: notes %q", step, notes)
		}
		for _, s := range out.Recording.Slices {
			if got := s.Unpack(); got.Duration < 0 || got.Duration > time.Minute || got.Offset < 0 {
				t.Errorf("step of %v: a slice of %v at %v", step, got.Duration, got.Offset)
			}
		}
	}
}

// The account of the window knows nothing of the warm-up, which has one of its own.
func TestTheWarmUpIsNotCounted(t *testing.T) {
	r := short(serve(t, ok), load.Schedule{Requests: 100})
	r.WarmUp = 50 * time.Millisecond
	out, err := tester().Run(t.Context(), t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	w := out.Recording.Header.WarmUp
	if w == nil || w.For != r.WarmUp || w.Answered == 0 || w.Sent != w.Answered+w.Failed+w.Unanswered {
		t.Errorf("warm-up %+v, want what was sent in it", w)
	}
	if c := out.Recording.Final.Counts; c.Scheduled != 100 || c.Answered != 100 {
		t.Errorf("account %+v, want 100 requests", c)
	}
}

// What the warm-up left without an answer counts in the window, so that the account of each adds up.
func TestWhatTheWarmUpLeavesOpenIsCounted(t *testing.T) {
	never := make(chan struct{})
	url := serve(t, func(http.ResponseWriter, *http.Request) { <-never })
	defer close(never)
	r := short(url, load.ClosedLoop(20*time.Millisecond))
	r.WarmUp, r.Drain = 20*time.Millisecond, 20*time.Millisecond
	out, err := tester().Run(t.Context(), t.Context(), r)
	if fail.ExitCode(err) != int(fail.Invalid) {
		t.Errorf("a server without answers: %v", err)
	}
	c := out.Recording.Final.Counts
	if err := c.Balance(); err != nil || c.Sent != 4 || c.Unanswered != 4 {
		t.Errorf("%+v: %v", c, err)
	}
}

// A service that takes 1 ms for each request in turn can hold a second's p99 under 50 ms
// up to 1,000/s and no further.
func TestFindMaxFindsTheCapacity(t *testing.T) {
	turn := make(chan struct{}, 1)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		turn <- struct{}{}
		time.Sleep(time.Millisecond)
		<-turn
	})
	kept, err := limit.ParseThreshold("p99<5s")
	if err != nil {
		t.Fatal(err)
	}
	r := short(url, load.ClosedLoop(time.Second))
	r.FindMax, r.Duration = []limit.Threshold{kept}, time.Second
	out, err := tester().FindMax(t.Context(), t.Context(), r)
	if out == nil {
		t.Fatal(err)
	}
	// On a busy machine a sleep of 1 ms may take long: there is no lower bound to claim.
	if s := out.Search; s.BestHz > 1100 || len(s.Probes) == 0 {
		t.Errorf("found %v/s after %d probes, and no more than 1,000/s can be served", s.BestHz, len(s.Probes))
	}
	if _, err := json.Marshal(out.Search); err != nil {
		t.Error(err)
	}
}

func TestAServerWithoutAnswersEndsASearch(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	r := short(url, load.ClosedLoop(time.Second))
	r.Plan.RequestTimeout = 100 * time.Millisecond
	kept, err := limit.ParseThreshold("p99<5s")
	if err != nil {
		t.Fatal(err)
	}
	r.FindMax, r.Duration = []limit.Threshold{kept}, time.Second
	_, err = tester().FindMax(t.Context(), t.Context(), r)
	if fail.ExitCode(err) != int(fail.Invalid) {
		t.Errorf("error %v, want an invalid measurement", err)
	}
}

// The generator measures itself: a ceiling, a floor and a lag.
func TestCalibration(t *testing.T) {
	for _, scheme := range []string{"http", "framed"} {
		plan := load.Plan{Connections: 4, Depth: 1, Workers: 1, Timeout: 10 * time.Second}
		c, err := tester().Calibrate(t.Context(), scheme, plan, 0)
		if err != nil {
			t.Fatal(err)
		}
		if c.CeilingHz <= 0 || c.FloorP50 <= 0 || c.FloorP99 < c.FloorP50 || c.CPUPerRequest <= 0 ||
			c.LagP99 < c.LagP50 {
			t.Errorf("%s: %+v", scheme, c)
		}
	}
}

func TestInterruptedBeforeTheFirstRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := tester().Run(ctx, t.Context(), short(serve(t, ok), load.ClosedLoop(time.Second)))
	if fail.ExitCode(err) != int(fail.Interrupted) {
		t.Errorf("error %v, want interrupted", err)
	}
}

// A stream of events ends the test early, with its name, in the warm-up and without one.
func TestAStreamOfEventsEndsTheTest(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	for _, warmUp := range []time.Duration{0, 50 * time.Millisecond} {
		r := short(url, load.ClosedLoop(time.Hour))
		r.WarmUp, r.Plan.StreamTimeout = warmUp, 200*time.Millisecond
		_, err := tester().Run(t.Context(), t.Context(), r)
		if fail.ExitCode(err) != int(fail.Invalid) ||
			!strings.Contains(err.Error(), "streams of events that went on after 200ms") ||
			!strings.Contains(fail.HintOf(err), "--timeout") {
			t.Errorf("warm-up %v: %v, hint %q", warmUp, err, fail.HintOf(err))
		}
	}
}
