package schemes_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// slowAfter is how long /slow takes at least.
const slowAfter = 20 * time.Millisecond

// serveTargets serves /fast, /slow, /bad, which fails, and /gone, which ends the connection without an answer.
func serveTargets(t *testing.T) string {
	t.Helper()
	return serveBoth(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			time.Sleep(slowAfter)
		case "/bad":
			w.WriteHeader(http.StatusInternalServerError)
		case "/gone":
			panic(http.ErrAbortHandler)
		}
		fmt.Fprint(w, "hello")
	})
}

// Results tell targets apart: each has its own answers, failures and latencies, and together they are the whole.
func TestTargetsAreToldApart(t *testing.T) {
	url := serveTargets(t)
	mix := []wire.Request{{Weight: 4}, {Path: "/slow?a=1", Weight: 1}, {Path: "/slow?a=2", Weight: 1},
		{Path: "/bad", Weight: 1}, {Path: "/gone", Weight: 1}}
	for engine, wrap := range engines {
		for _, http2 := range []bool{false, true} {
			for _, rate := range []float64{0, 400} {
				t.Run(fmt.Sprintf("%s, HTTP/2 %v, rate %v", engine, http2, rate), func(t *testing.T) {
					t.Parallel() // it mostly waits
					o := wire.Options{Requests: mix, HTTP2: http2}
					target := parse(t, url+"/fast", o)
					want := []string{"GET /fast", "GET /slow", "GET /bad", "GET /gone"}
					if got := load.TargetNames(target.Protocol); !slices.Equal(got, want) {
						t.Fatalf("the targets are %q, want %q", got, want)
					}
					s := open(t, url+"/fast", o, load.Plan{Connections: 3, Depth: 2, Timeout: 20 * time.Second}, wrap)
					schedule := load.Schedule{Requests: 400}
					if rate > 0 {
						schedule = load.OpenLoop(rate, time.Second)
					}
					var all load.Tally
					if err := s.Run(t.Context(), load.Stretch{Schedule: schedule, Drain: 20 * time.Second,
						Interval: 100 * time.Millisecond}, all.Add); err != nil {
						t.Fatal(err)
					}
					if _, err := s.Close(); err != nil {
						t.Fatal(err)
					}
					var sum load.TargetSlice
					counted := int64(0)
					for _, one := range all.Targets {
						sum.Answered += one.Answered
						sum.Failed += one.Failed
						if one.Latency != nil {
							counted += one.Latency.TotalCount()
						}
					}
					latency := all.Service
					if rate > 0 {
						latency = all.Response
					}
					if sum.Answered != all.Answered || sum.Failed != all.Failed || counted != latency.TotalCount() {
						t.Errorf("the targets have %d answered, %d failed, %d latencies; all %+v, %d", sum.Answered,
							sum.Failed, counted, all.Counts, latency.TotalCount())
					}
					fast, slow, bad, gone := all.Targets[0], all.Targets[1], all.Targets[2], all.Targets[3]
					if fast.Answered < slow.Answered || slow.Answered == 0 || bad.Answered+gone.Answered > 0 ||
						bad.Failed == 0 || gone.Failed == 0 {
						t.Errorf("%+v", all.Targets)
					}
					if least := time.Duration(slow.Latency.Min()); least < slowAfter {
						t.Errorf("/slow took %v", least)
					}
					if http2 && rate == 0 && time.Duration(fast.Latency.ValueAtQuantile(25)) >= slowAfter { // not after another answer; at a rate a busy machine's delay counts, too
						t.Errorf("/fast took %v", time.Duration(fast.Latency.ValueAtQuantile(50)))
					}
				})
			}
		}
	}
}

// A sequence has a row for each step, one target none.
func TestStepsAreTargets(t *testing.T) {
	url := serveTargets(t)
	o := wire.Options{Sequence: true,
		Requests: []wire.Request{{Name: "log in", Path: "/fast", Once: true}, {Path: "/slow"}}}
	all := fire(t, "event loop", url, o, 1, 30)
	if got := load.TargetNames(parse(t, url, o).Protocol); !slices.Equal(got, []string{"log in", "GET /slow"}) {
		t.Errorf("the targets are %q", got)
	}
	if all.Targets[0].Answered != 3 || all.Targets[1].Answered != 27 ||
		time.Duration(all.Targets[1].Latency.Min()) < slowAfter {
		t.Errorf("%+v, want the login of 3 connections and 27 others", all.Targets)
	}
	one := fire(t, "event loop", url, wire.Options{}, 1, 30)
	if one.Targets != nil || load.TargetNames(parse(t, url, wire.Options{}).Protocol) != nil {
		t.Errorf("one target has rows: %+v", one.Targets)
	}
}

// Of many targets the last row is all that are beyond.
func TestManyTargets(t *testing.T) {
	url := serveTargets(t)
	mix := make([]wire.Request, 1)
	for i := range 2 * load.MostTargets {
		mix = append(mix, wire.Request{Path: fmt.Sprintf("/items/%d", i), Weight: 1})
	}
	o := wire.Options{Requests: mix}
	names := load.TargetNames(parse(t, url, o).Protocol)
	if len(names) != load.MostTargets || names[load.MostTargets-1] != fmt.Sprintf("%d others",
		len(mix)-load.MostTargets+1) {
		t.Fatalf("%q", names)
	}
	all := fire(t, "event loop", url, o, 1, 650)
	if n := all.Targets[load.MostTargets-1].Answered; n < 300 || all.Targets[0].Answered < 8 ||
		all.Targets[0].Answered > 12 {
		t.Errorf("the others have %d of 650 answers, the first target %d", n, all.Targets[0].Answered)
	}
}
