package fleet

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// site is a broker with agents and a coordinator, as on several machines.
type site struct {
	t      *testing.T
	dir    string
	keys   Keys
	broker *natslink.Broker
	url    string   // of another broker; empty: of this one
	ends   []func() // end agents
	links  []*natslink.Link
	logs   chan string
	// keepGoing is that of its coordinators.
	keepGoing bool
}

func newSite(t *testing.T, agents ...*Agent) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir(), logs: make(chan string, 1000)}
	var err error
	if s.keys, err = KeysIn(filepath.Join(s.dir, "keys")); err != nil {
		t.Fatal(err)
	}
	if s.broker, err = natslink.Serve("127.0.0.1:0", s.keys.Token); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.broker.Close() })
	for i, a := range agents {
		if a.Name == "" {
			a.Name = fmt.Sprint("a", i)
		}
		s.serve(a)
	}
	return s
}

// link connects to the broker.
func (s *site) link() *natslink.Link {
	s.t.Helper()
	l, err := natslink.Connect(natslink.Options{URL: cmp.Or(s.url, s.broker.URL()), Token: s.keys.Token, Patient: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return l
}

// serve lets an agent serve until the test ends.
func (s *site) serve(a *Agent) {
	a.Version, a.Dir = "test", filepath.Join(s.dir, "agents")
	a.Log = func(line string) { s.logs <- a.Name + ": " + line }
	if a.Trust == nil {
		a.Trust = []string{s.keys.Signer.Key()}
	}
	if a.Allow == nil {
		a.Allow = Loopback
	}
	if a.CapacityHz == 0 {
		a.CapacityHz = 1000
	}
	link := s.link()
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- a.Serve(ctx, link) }()
	var ended atomic.Bool
	stop := func() {
		if ended.Swap(true) {
			return
		}
		end()
		if err := <-done; err != nil {
			s.t.Errorf("agent %s: %v", a.Name, err)
		}
		link.Close()
	}
	s.ends, s.links = append(s.ends, stop), append(s.links, link)
	s.t.Cleanup(stop)
}

// await waits until agents have logged so many lines with a text.
func (s *site) await(lines int, text string) {
	s.t.Helper()
	for end := time.After(time.Minute); lines > 0; {
		select {
		case line := <-s.logs:
			if strings.Contains(line, text) {
				lines--
			}
		case <-end:
			s.t.Fatalf("%d lines with %q are missing", lines, text)
		}
	}
}

// coordinator is a hone with a ledger in the site's directory, and its coordinator at the other end of a pipe, which
// change changes.
func (s *site) coordinator(count int, change ...func(*Coordinator)) *agents.Coordinator {
	s.t.Helper()
	dir := filepath.Join(s.dir, "ledger")
	setup := agents.Setup{Version: "test", Dir: dir}
	begin := func(setup agents.Setup) (*Coordinator, func(), error) {
		c := &Coordinator{
			Version: setup.Version, Link: s.link(), Signer: s.keys.Signer, Choice: cluster.Choice{Count: count},
			Wait: 500 * time.Millisecond,
			Dir:  setup.Dir, KeepGoing: setup.Link.KeepGoing,
		}
		for _, do := range change {
			do(c)
		}
		return c, c.Link.Close, nil
	}
	setup.Link.KeepGoing = s.keepGoing
	calls, hone := io.Pipe()
	heard, answers := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- Serve(context.Background(), agents.NewLines(calls, answers), begin)
		answers.Close()
	}()
	s.t.Cleanup(func() {
		hone.Close()
		if err := <-served; err != nil {
			s.t.Errorf("the coordinator: %v", err)
		}
	})
	tester := &loadtest.Tester{Version: "test", Progress: quiet{},
		Ledger: func() (*ledger.Ledger, error) { return ledger.Open(dir) }}
	c, err := agents.Connect(s.t.Context(), agents.NewLines(heard, hone), setup, tester)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// spools is where the coordinator keeps what its agents have recorded.
func (s *site) spools() string { return filepath.Join(s.dir, "ledger", "agents") }

// counted serves HTTP and counts requests by path.
func counted(t *testing.T, handle func(path string)) (url string, count *atomic.Int64) {
	t.Helper()
	count = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		if handle != nil {
			handle(r.URL.Path)
		}
		fmt.Fprint(w, "hello")
	}))
	t.Cleanup(server.Close)
	return server.URL, count
}

// Its connections have room for what comes due while the server pauses: nothing is left unsent at the end.
func request(url string, s load.Schedule) loadtest.Task {
	return loadtest.Task{
		Load: spec.Load{
			Target: url + "/", Plan: load.Plan{Connections: 7, Depth: 16, Timeout: 5 * time.Second, RequestTimeout: 5 * time.Second},
		},
		Sending: spec.Sending{Schedule: s, Drain: time.Second},
	}
}

// Three agents of different capacity send together what one generator would: each request of the schedule, once.
func TestAgentsTogetherAreOneGenerator(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{CapacityHz: 1000}, &Agent{CapacityHz: 2000}, &Agent{CapacityHz: 5000})
	url, count := counted(t, nil)
	c := s.coordinator(3)
	output := filepath.Join(s.dir, "whole.jsonl")
	r := request(url, load.OpenLoop(400, 2*time.Second))
	r.File = output
	out, err := c.Run(t.Context(), t.Context(), r)
	if out == nil || err != nil && fail.KindOf(err) != fail.Invalid { // a busy machine may be late
		t.Fatal(out, err)
	}
	got := out.Recording.Final.Counts
	if got.Scheduled != 800 || got.Answered != 800 || count.Load() != 800 || got.Balance() != nil {
		t.Errorf("%+v, the server saw %d, want 800 each", got, count.Load())
	}
	if tally := out.Recording.Tally(); tally.Response.TotalCount() != 800 || tally.Answered != 800 {
		t.Errorf("%d answers in the slices, %d in their histogram", tally.Answered, tally.Response.TotalCount())
	}
	if p := out.Recording.Header; p.Plan.Connections != 7 || len(p.Parts) != 3 || p.Schedule.Stages[0].From != 400 {
		t.Errorf("%d connections, %d parts, %v", p.Plan.Connections, len(p.Parts), p.Schedule.Stages)
	}
	notes := strings.Join(out.Recording.Final.Notes, "\n")
	for _, want := range []string{"agent a2 (", "connections: 4, answered: 488 of 488", "the agents began "} { // 39 of 64 classes
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	if _, err := os.Stat(output); err != nil || out.Run == "" {
		t.Errorf("run %q, output: %v", out.Run, err)
	}
	s.await(3, ": ended")
	for _, dir := range []string{filepath.Join(s.dir, "agents"), s.spools()} { // nothing is left of what was on its way
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s holds %v, %v", dir, left, err)
		}
	}
}

// A closed loop has its connections and requests dealt out, and each row of a feed belongs to one agent.
func TestAgentsShareAFeed(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{}, &Agent{})
	rows := make([]atomic.Int64, 10)
	url, count := counted(t, func(path string) {
		var n int
		if _, err := fmt.Sscanf(path, "/items/%d", &n); err == nil {
			rows[n].Add(1)
		}
	})
	r := request(url, load.Schedule{Requests: 100})
	r.Target = url + "/items/{n}"
	r.Protocol.Feed = &wire.Feed{Names: []string{"n"}}
	for i := range rows {
		r.Protocol.Feed.Rows = append(r.Protocol.Feed.Rows, []string{fmt.Sprint(i)})
	}
	out, err := s.coordinator(2).Run(t.Context(), t.Context(), r)
	if out == nil || out.Recording.Final.Counts.Answered != 100 || count.Load() != 100 {
		t.Fatalf("%v, the server saw %d", err, count.Load())
	}
	even := int64(0)
	for i := 0; i < len(rows); i += 2 {
		even += rows[i].Load()
	}
	if even != 50 {
		t.Errorf("%d requests with rows of the first agent, want 50", even)
	}
}

// What an agent's user does not allow is refused by the agent, and the reason reaches the coordinator's user.
func TestAgentsRefuse(t *testing.T) {
	t.Parallel() // it mostly waits
	url, count := counted(t, nil)
	only, err := ParseAllow("192.0.2.0/24")
	if err != nil {
		t.Fatal(err)
	}
	open := load.OpenLoop(100, time.Second)
	for want, c := range map[string]struct {
		agent  *Agent
		target string
		s      load.Schedule
		kind   fail.Kind
	}{
		"this agent may not load 127.0.0.1:": {&Agent{Allow: []Allow{only}}, url, open, fail.BadInput},
		"more than this agent allows (50)":   {&Agent{MaxRateHz: 50}, url, open, fail.BadInput},
		"a closed loop has no rate": {&Agent{MaxRateHz: 50}, url, load.ClosedLoop(time.Second),
			fail.BadInput},
		"7 connections are more than this agent": {&Agent{MaxConnections: 6}, url, open, fail.BadInput},
		"connection refused":                     {&Agent{}, "http://127.0.0.1:1", open, fail.Subject},
		"the run needs 1 agents, and 0 are free": {&Agent{Trust: []string{"UXYZ"},
			Labels: map[string]string{"no": "such"}}, url, open, fail.Environment},
		// it takes no orders of this key
		"agent a0 was lost: nothing was heard of": {&Agent{Trust: []string{"UXYZ"}}, url, open, fail.Invalid},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, c.agent)
			co := s.coordinator(1, func(c *Coordinator) {
				if strings.HasPrefix(want, "the run needs") {
					c.Choice.Labels = map[string]string{"zone": "a"}
				}
			})
			out, err := co.Run(t.Context(), t.Context(), request(c.target, c.s))
			if out != nil || err == nil || !strings.Contains(err.Error(), want) || fail.KindOf(err) != c.kind {
				t.Errorf("%v (kind %v), want %q (kind %v)", err, fail.KindOf(err), want, c.kind)
			}
		})
	}
	t.Cleanup(func() { // behind all of them
		if count.Load() > 0 {
			t.Errorf("%d requests were sent", count.Load())
		}
	})
}

// A broker that dies for a moment is no fault: what was lost is said again. One that stays away is, and the load ends.
func TestTheBrokerDies(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, comesBack := range []bool{true, false} {
		t.Run(fmt.Sprint("comes back: ", comesBack), func(t *testing.T) {
			t.Parallel() // it mostly waits
			s := newSite(t, &Agent{}, &Agent{})
			address := strings.TrimPrefix(s.broker.URL(), "nats://")
			var first atomic.Bool
			begun := make(chan struct{})
			url, count := counted(t, func(string) {
				if !first.Swap(true) {
					close(begun)
				}
			})
			var died time.Time
			var away time.Duration
			broken := make(chan error, 1)
			go func() {
				<-begun
				died = time.Now()
				s.broker.Close()
				var err error
				if comesBack {
					s.broker, err = natslink.Serve(address, s.keys.Token)
				}
				away = time.Since(died)
				broken <- err
			}()
			out, err := s.coordinator(2).Run(t.Context(), t.Context(), request(url, load.OpenLoop(100, 4*time.Second)))
			if broken := <-broken; broken != nil {
				t.Fatal(broken)
			}
			if comesBack {
				if away > cluster.LeaseFor/3 {
					t.Skipf("the machine took %v to start the broker again", away)
				}
				if out == nil || out.Recording.Final.Counts.Answered != 400 || count.Load() != 400 {
					t.Fatalf("%v, the server saw %d, want 400", err, count.Load())
				}
				return
			}
			if took := time.Since(died); fail.KindOf(err) != fail.Invalid || took > 20*time.Second { // 5 s where the machine is not busy: cluster's simulation
				t.Errorf("%v after %v, want an invalid measurement", err, took)
			}
			s.await(2, "the load was stopped")
			ended := count.Load()
			time.Sleep(300 * time.Millisecond)
			if now := count.Load(); now != ended {
				t.Errorf("the load goes on without a broker: %d, then %d requests", ended, now)
			}
		})
	}
}

// An agent that is lost in mid-run makes the test invalid, or partial with KeepGoing, and the others' results are kept.
// One whose user ends it says so.
func TestAnAgentIsLost(t *testing.T) {
	t.Parallel() // it mostly waits
	for name, c := range map[string]struct {
		keepGoing bool
		lose      func(s *site)
		text      string
		seen      time.Duration
	}{
		"cut off": {false, func(s *site) { s.links[1].Close() },
			"agent a1 was lost: nothing was heard of it for 3s", 20 * time.Second},
		"cut off, keep going": {true, func(s *site) { s.links[1].Close() },
			"agent a1 was lost: nothing was heard of it for 3s", 0},
		"ended by its user": {false, func(s *site) { s.ends[1]() }, "agent a1: its user ended it", 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, &Agent{}, &Agent{}, &Agent{})
			var first atomic.Bool
			begun := make(chan struct{})
			url, _ := counted(t, func(string) {
				if !first.Swap(true) {
					close(begun)
				}
			})
			var at time.Time
			lost := make(chan struct{})
			go func() {
				defer close(lost)
				<-begun
				at = time.Now()
				c.lose(s)
			}()
			s.keepGoing = c.keepGoing
			co := s.coordinator(3)
			out, err := co.Run(t.Context(), t.Context(), request(url, load.OpenLoop(300, 5*time.Second)))
			<-lost
			took := time.Since(at)
			if out == nil {
				t.Fatal(err)
			}
			d := load.Invalid(out.Recording.Final.Doubts)
			switch doubt := out.Recording.Final.Doubts[0]; {
			case doubt.Name != load.DoubtLost || doubt.Text != c.text:
				t.Errorf("doubts %+v", out.Recording.Final.Doubts)
			case !c.keepGoing && (fail.KindOf(err) != fail.Invalid || d.Name != load.DoubtLost || took > c.seen):
				t.Errorf("%v after %v, %+v", err, took, d)
			case c.keepGoing && out.Recording.Final.Counts.Scheduled != 1008: // 43 of 64 classes of 1,500
				t.Errorf("%+v", out.Recording.Final.Counts)
			}
			if len(out.Recording.Header.Parts) != 2 {
				t.Errorf("%d parts, want those of the two that are left", len(out.Recording.Header.Parts))
			}
		})
	}
}

// The first Ctrl-C ends the sending, and the result covers what was sent.
func TestInterruptedRun(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{}, &Agent{})
	soft, stop := context.WithCancel(t.Context())
	var asked atomic.Int64
	url, count := counted(t, func(string) {
		if asked.Add(1) == 20 { // after 0.2 s: both agents have begun
			stop()
		}
	})
	out, err := s.coordinator(2).Run(soft, t.Context(), request(url, load.OpenLoop(100, time.Minute)))
	if out == nil || fail.KindOf(err) != fail.Interrupted || !out.Recording.Final.Interrupted {
		t.Fatalf("%v, want a result that was interrupted", err)
	}
	if got := out.Recording.Final.Counts; got.Answered == 0 || int64(got.Answered) != count.Load() {
		t.Errorf("%d answered, the server saw %d", got.Answered, count.Load())
	}
}
