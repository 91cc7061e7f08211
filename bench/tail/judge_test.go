package tail

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/golden"
	"github.com/gohone/hone/bench/tail/marks"
	"github.com/gohone/hone/bench/tail/serving"
)

// stored reads a document of hone tail as testdata keeps it.
func stored(t *testing.T, name string) *digest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	d := new(digest)
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	if err := d.check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// planted are the marks of the stored documents' services, whose lines stand still here.
var planted = []marks.Mark{
	{Cause: 1, States: []string{"lock"}, Function: "main.(*store).count", File: "main.go", First: 41, Last: 41},
	{Behind: true, Function: "main.(*store).flush", File: "main.go", First: 51, Last: 51},
}

// stamped are stamps of a service whose slow requests wait 3 of 4 ms more for the first cause.
var stamped = serving.Truth{
	Schema: serving.Schema, Requests: 1000,
	Typical: serving.Cohort{Requests: 100, Handler: 1e6, Causes: [serving.Causes]float64{0.5e6}},
	Slow:    serving.Cohort{Requests: 10, Handler: 5e6, Causes: [serving.Causes]float64{3.5e6}},
}

func TestTheRightCauseWithItsShare(t *testing.T) {
	j := (&trial{}).judge(stored(t, "lock"), planted, stamped)
	if !j.Right || j.Why != "" || j.Behind == nil || !*j.Behind {
		t.Errorf("%+v: want right, and the holder named", j)
	}
	// The time for a processor at the same line counts, that at another line does not.
	if len(j.Shares) != 1 || j.Shares[0] != (share{Hone: 0.75, Truth: 0.75}) || !j.Shares[0].held() {
		t.Errorf("shares %+v, want 0.75 by hone and by the stamps", j.Shares)
	}
	if j.Unexplained != 0.04 {
		t.Errorf("%v not explained, want 0.04", j.Unexplained)
	}
}

// What is said about the right request must be right in all its parts.
func TestAWrongCauseIsWrong(t *testing.T) {
	change := func(f func(c *cause)) *digest {
		d := stored(t, "lock")
		f(&d.Causes[0])
		return d
	}
	for name, d := range map[string]*digest{
		"state":    change(func(c *cause) { c.State = "network" }),
		"line":     change(func(c *cause) { c.Line++ }),
		"function": change(func(c *cause) { c.Function = "main.(*store).flush" }),
		"file":     change(func(c *cause) { c.File = "store.go" }),
		"order":    change(func(c *cause) { *c = cause{place: place{State: "runnable"}, Share: 0.9} }),
	} {
		if j := (&trial{}).judge(d, planted, stamped); j.Right || j.Why == "" {
			t.Errorf("another %s is right: %+v", name, j)
		}
	}
	d := stored(t, "lock")
	d.Causes = nil
	if j := (&trial{}).judge(d, planted, stamped); j.Right || j.Why != "hone named no cause" {
		t.Errorf("no cause: %+v", j)
	}
	d = stored(t, "lock")
	d.Causes[0].Behind = nil
	if j := (&trial{}).judge(d, planted, stamped); !j.Right || j.Behind == nil || *j.Behind {
		t.Errorf("no holder: %+v", j)
	}
}

func TestTwoCausesHaveToBeTheFirstTwo(t *testing.T) {
	two := append([]marks.Mark{{Cause: 2, States: []string{"network"}, Function: "main.(*store).count", File: "main.go",
		First: 44, Last: 44}}, planted...)
	d := stored(t, "lock")
	if j := (&trial{}).judge(d, two, stamped); j.Right {
		t.Errorf("the second one is third: %+v", j)
	}
	d.Causes[1], d.Causes[2] = d.Causes[2], d.Causes[1]
	j := (&trial{}).judge(d, two, stamped)
	if !j.Right || len(j.Shares) != 2 || j.Shares[1] != (share{Hone: 0.1, Truth: 0}) {
		t.Errorf("%+v", j)
	}
}

// Time that the client saw and the handler did not is no cause's.
func TestTheSharesAreOfWhatTheClientSaw(t *testing.T) {
	d := stored(t, "lock")
	d.Cohorts[1].Latency += 2e6
	if j := (&trial{}).judge(d, planted, stamped); j.Shares[0].Truth != 0.5 {
		t.Errorf("%+v: want a true share of 3 of 6 ms", j.Shares)
	}
	d.Cohorts[1].Latency -= 4e6
	if j := (&trial{}).judge(d, planted, stamped); j.Shares[0].Truth != 0.75 {
		t.Errorf("%+v: want a true share of 3 of 4 ms, as the handler saw it", j.Shares)
	}
}

func TestAMachineThatStoodStillDisturbs(t *testing.T) {
	d := stored(t, "lock")
	if (&trial{}).disturbed(d, &stamped) {
		t.Error("the handler saw all 4 ms")
	}
	d.Cohorts[1].Latency += 2e6
	if !(&trial{}).disturbed(d, &stamped) {
		t.Error("the handler saw 4 of 6 ms only")
	}
	if (&trial{Shape: control}).disturbed(d, &stamped) || (&trial{Unstamped: beforeHandler}).disturbed(d, &stamped) {
		t.Error("the handler has nothing to see")
	}
}

// A processor that is taken counts by what has it, at any depth.
func TestACauseBehind(t *testing.T) {
	burner := []marks.Mark{{Cause: 1, Behind: true, States: []string{"before", "runnable"}, Function: "main.(*index).part",
		File: "main.go", First: 52, Last: 60}}
	tr := &trial{Unstamped: beforeHandler}
	d := stored(t, "burner")
	if j := tr.judge(d, burner, stamped); !j.Right || j.Shares != nil {
		t.Errorf("%+v", j)
	}
	d.Causes[0].Behind.Line = 70
	if j := tr.judge(d, burner, stamped); j.Right {
		t.Errorf("another line: %+v", j)
	}
}

func TestTheCollectorsWorkerHasNoLine(t *testing.T) {
	assist := []marks.Mark{{Cause: 1, States: []string{"collector"}, Function: "main.f", File: "main.go",
		First: 9, Last: 9}}
	for _, c := range []struct {
		first place
		right bool
	}{
		{place{State: "collector"}, true},
		{place{State: "collector", Function: "main.f", File: "main.go", Line: 9}, true},
		{place{State: "collector", Function: "main.g", File: "main.go", Line: 9}, false},
		{place{State: "runnable"}, false},
	} {
		d := stored(t, "lock")
		d.Causes[0] = cause{place: c.first, Share: 0.5}
		if j := (&trial{Unstamped: beforeHandler}).judge(d, assist, stamped); j.Right != c.right {
			t.Errorf("%v: right is %v", c.first, j.Right)
		}
	}
}

func TestTheTypicalRequestIsJudgedByItsParts(t *testing.T) {
	j := (&trial{Shape: allSlow}).judge(stored(t, "lock"), planted, stamped)
	if !j.Right || j.Shares[0] != (share{Hone: 0.6, Truth: 0.5}) || j.Unexplained != 0.1 {
		t.Errorf("%+v", j)
	}
}

func TestControlsHaveNoCause(t *testing.T) {
	tr := &trial{Shape: control}
	if j := tr.judge(stored(t, "lock"), nil, stamped); j.Right || j.Why == "" {
		t.Errorf("a lock in a control: %+v", j)
	}
	if j := tr.judge(stored(t, "burner"), nil, stamped); !j.Right {
		t.Errorf("a control may wait for the processor: %+v", j)
	}
}

// The document has everything that a reader needs to doubt it: misses with what hone said.
func TestDocument(t *testing.T) {
	at := time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC)
	session := &bed.Session{Schema: resultsSchema, Hone: "hone 1", Machine: []string{"go go1.26", "load 2.0"},
		Command: "go run ./tail"}
	all := []record{{At: at, Session: session}}
	add := func(name, pace string, d *digest, planted []marks.Mark, invalid bool) {
		for _, tr := range trials {
			if tr.name() == name {
				j := tr.judge(d, planted, stamped)
				all = append(all, record{At: at, Trial: name, Pace: pace, RateHz: 500, CapacityHz: 9000, Invalid: invalid,
					Truth: &stamped, Digest: d, Judgement: &j, Cost: &cost{
						RateHz: 500, Plain: percentiles{P50: 1e6, P99: 4e6}, Traced: percentiles{P50: 11e5, P99: 6e6},
						Length: 2e9, Bytes: 3e6, Requests: 1000, Reading: 5e7, Alloc: 7e6,
					}})
			}
		}
	}
	add("mutex-http", "low", stored(t, "burner"), planted, false)        // measured again below
	all = append(all, record{At: at.Add(time.Minute), Session: session}) // went on
	add("mutex-http", "low", stored(t, "lock"), planted, false)
	add("mutex-http", "high", stored(t, "burner"), planted, true)
	add("evensleep-tcp", "low", stored(t, "lock"), planted, false)
	add("plain-http", "low", stored(t, "burner"), nil, false)
	add("plain-http2", "low", stored(t, "lock"), nil, false)
	got := &bed.Result{}
	bed.Origin(got, all)
	write(got, all)
	golden.Check(t, "testdata/tail.txt", got.Text())
}

func TestTrialsAreChosenByServiceOrName(t *testing.T) {
	some, err := chosen([]string{"mutex", "plain-tcp", "burner-http-2p"})
	if err != nil || len(some) != 4 || some[1].name() != "mutex-tcp" || some[3].Procs != 2 {
		t.Errorf("%d trials, %v", len(some), err)
	}
	if _, err := chosen([]string{"mutexes"}); err == nil || !strings.Contains(err.Error(), `"mutexes"`) {
		t.Errorf("%v", err)
	}
	names := map[string]bool{}
	for _, tr := range trials {
		if names[tr.name()] {
			t.Errorf("two trials are named %s", tr.name())
		}
		names[tr.name()] = true
		if _, err := os.Stat(filepath.Join("services", tr.Service, "main.go")); err != nil {
			t.Error(err)
		}
	}
}

// A rate is measured again under another version of hone, and not under the same.
func TestResultsOfAnotherVersionDoNotCount(t *testing.T) {
	tr := trials[0]
	all := []record{{Session: &bed.Session{Hone: "old"}}, {Trial: tr.name(), Pace: "low"},
		{Session: &bed.Session{Hone: "new"}}, {Trial: tr.name(), Pace: "high"}}
	if has(all, tr, paces[0], "new") || !has(all, tr, paces[0], "old") || !has(all, tr, paces[1], "new") {
		t.Error("the version of a record is that of its session")
	}
}
