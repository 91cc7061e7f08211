package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/view/model"
)

func label(own walltime.Call, behind *walltime.Call) walltime.Label {
	return walltime.Label{Call: own, Behind: behind}
}

func at(state walltime.State, library, function string, line int) walltime.Call {
	c := walltime.Call{State: state, Library: library, Function: function}
	if function != "" {
		c.File, c.Line = "/src/main.go", line
	}
	return c
}

func TestTailText(t *testing.T) {
	sleep := at(walltime.Sleep, "time.Sleep", "main.load", 43)
	lock := label(at(walltime.Lock, "sync.(*Mutex).Lock", "main.get", 41), &sleep)
	others, burn := walltime.Call{State: walltime.Requests}, at(walltime.Running, "", "example.com/shop/main.burn", 60)
	backend := at(walltime.Network, "net/http.(*persistConn).roundTrip", "main.get", 50)
	backend.Outer = "net/http.(*Client).Get"
	ready, other := at(walltime.Runnable, "net/http.(*persistConn).roundTrip", "main.get", 50),
		at(walltime.Lock, "sync.(*Mutex).Lock", "main.log", 70)
	twice := label(lock.Call, &sleep)
	twice.Holder = &other
	for text, l := range map[string]walltime.Label{
		"lock sync.(*Mutex).Lock main.go:41, held across http.(*persistConn).roundTrip main.go:50, " +
			"where the holder waited to run": label(lock.Call, &ready),
		"lock sync.(*Mutex).Lock main.go:41, held across a wait in sync.(*Mutex).Lock main.go:70, " +
			"behind time.Sleep main.go:43": twice,
		"lock sync.(*Mutex).Lock main.go:41, held across time.Sleep main.go:43": lock,
		"lock sync.(*Mutex).Lock main.go:41, whose holder waited to run":        label(lock.Call, &others),
		"waiting to run behind main.burn main.go:60":                            label(walltime.Call{State: walltime.Runnable}, &burn),
		"waiting to run behind other requests":                                  label(walltime.Call{State: walltime.Runnable}, &others),
		"waiting to run":                                                        label(walltime.Call{State: walltime.Runnable}, nil),
		"backend http.(*Client).Get main.go:50":                                 label(backend, nil),
		"garbage collector":                                                     label(walltime.Call{State: walltime.Collector}, nil),
		"waiting in main.get main.go:7, behind time.Sleep main.go:43": label(at(walltime.Channel, "",
			"main.get", 7), &sleep),
		"system call os.(*File).Sync main.go:9": label(at(walltime.Syscall,
			"os.(*File).Sync", "main.save", 9), nil),
		"network and kernel before the program": label(walltime.Call{State: walltime.Before}, nil),
	} {
		if got := facts.PartText(l); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}

// Shares are of a difference. Where a cause is more than all of it, since others got shorter, times are said; and of
// too few requests for a percentile the slowest one is.
func TestTailOfFewRequests(t *testing.T) {
	sleep, lock := label(at(walltime.Sleep, "time.Sleep", "main.load", 43), nil),
		label(at(walltime.Lock, "sync.(*Mutex).Lock", "main.get", 41), nil)
	typical := walltime.Cohort{Name: walltime.TypicalName, From: 45, To: 55, Requests: 1, LatencyNanos: 8e6,
		Parts: []walltime.Part{{Label: lock, Nanos: 7e6}, {Label: sleep, Nanos: 1e6}}}
	slow := walltime.Cohort{Name: walltime.SlowName, From: 99, To: 100, Requests: 1, LatencyNanos: 1e7,
		Parts: []walltime.Part{{Label: sleep, Nanos: 93e5}, {Label: lock, Nanos: 7e5}}}
	d := &walltime.Digest{Requests: 8}
	d.Causes, d.Outside = walltime.Causes(&typical, &slow)
	const want = "slowest - p50 = 2.00 ms: 8.30 ms more sleep time.Sleep main.go:43; other parts take 6.30 ms less (8 requests seen, 1 slow)"
	if got := (Traced{}).tailSentence(d, &typical, &slow, tailCauses); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := model.CohortTitle(&slow); got != "the slowest" {
		t.Error(got)
	}
}

// What a closed loop waits for the processor is said after what the program does.
func TestTimeOfALoopThatFillsTheProcessor(t *testing.T) {
	others := walltime.Call{State: walltime.Requests}
	c := walltime.Cohort{LatencyNanos: 1e6, Parts: []walltime.Part{
		{Label: label(walltime.Call{State: walltime.Runnable}, &others), Nanos: 8e5},
		{Label: label(at(walltime.Running, "", "main.get", 40), nil), Nanos: 15e4},
		{Label: label(walltime.Call{State: walltime.After}, nil), Nanos: 5e4},
	}}
	const want = "p50 1.00 ms = 20 % without a wait for a processor (75 % running main.get main.go:40, 25 % network, kernel and client after it), " +
		"and 80 % waiting to run behind other requests: the load keeps the processors busy"
	if got := (Traced{}).typicalSentence(&c); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestTail(t *testing.T) {
	sleep := at(walltime.Sleep, "time.Sleep", "main.load", 43)
	lock := label(at(walltime.Lock, "sync.(*Mutex).Lock", "main.get", 41), &sleep)
	run := label(at(walltime.Running, "", "main.get", 40), nil)
	after := label(walltime.Call{State: walltime.After}, nil)
	d := &walltime.Digest{
		Schema: walltime.Schema, Method: walltime.Connections, Requests: 1204, Joined: 1200, TraceNanos: 4e8,
		Cohorts: []walltime.Cohort{
			{Name: walltime.TypicalName, From: 45, To: 55, Requests: 120, LatencyNanos: 1e6, Parts: []walltime.Part{
				{Label: run, Nanos: 8e5}, {Label: after, Nanos: 2e5},
			}},
			{Name: walltime.SlowName, From: 99, To: 100, Requests: 12, LatencyNanos: 9e6, Parts: []walltime.Part{
				{Label: lock, Nanos: 8e6}, {Label: run, Nanos: 8e5}, {Label: after, Nanos: 2e5},
			}},
		},
		Slowest: []walltime.TimeLine{{LatencyNanos: 9e6, Steps: []walltime.Step{
			{Label: run, At: 0, Nanos: 8e5}, {Label: lock, At: 8e5, Nanos: 8e6}, {Label: after, At: 88e5, Nanos: 2e5},
		}}},
	}
	d.Causes, d.Outside = walltime.Causes(&d.Cohorts[0], &d.Cohorts[1])
	b := &strings.Builder{}
	if err := Tail(b, d, &d.Cohorts[1], Traced{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/tail.txt", b.String())
	for _, line := range (Traced{}).waitLines(d) {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("a run says %q, hone tail does not", line)
		}
	}
}

// What the trace does not show of slow requests is told as that, not as a remainder without an explanation.
func TestTailSaysWhatTheTraceDoesNotShow(t *testing.T) {
	run := label(at(walltime.Running, "", "main.get", 40), nil)
	unknown := label(walltime.Call{State: walltime.Unexplained}, nil)
	d := &walltime.Digest{
		Requests: 1000, Joined: 990, CutSlow: 3,
		Cohorts: []walltime.Cohort{
			{Name: walltime.TypicalName, From: 45, To: 55, Requests: 100, LatencyNanos: 1e6,
				Parts: []walltime.Part{{Label: run, Nanos: 1e6}}},
			{Name: walltime.SlowName, From: 99, To: 100, Requests: 10, LatencyNanos: 11e6, Unjoined: 4,
				UnjoinedNanos: 4e6, Unexplained: 5e6,
				Parts: []walltime.Part{{Label: run, Nanos: 6e6}, {Label: unknown, Nanos: 5e6}}},
		},
	}
	d.Causes, d.Outside = walltime.Causes(&d.Cohorts[0], &d.Cohorts[1])
	want := "tail: p99 - p50 = 10.0 ms: 50 % running main.get main.go:40; 40 % of requests that are not found in the trace; 10 % in smaller parts or not explained" +
		" (1,000 requests seen, 10 slow, 4 of them not found in the trace; 23 % of the slow requests began before the trace or ended after it and are left out)"
	if got := (Traced{}).waitLines(d)[1]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := model.StateSum(&d.Cohorts[1], walltime.Unexplained); got != 1e6 {
		t.Errorf("%v ns are not explained, want 1e6", got)
	}
	if _, parts, _ := model.TimesOf(d, nil); len(parts) != 3 || parts[1].Share != 0.4 {
		t.Errorf("a page shows %+v", parts)
	}
}
