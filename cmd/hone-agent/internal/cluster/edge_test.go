package cluster

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/load"
)

// hello and state are messages as an agent sends them.
const (
	hello = `{"id":"A1","version":"1","name":"host","labels":{"zone":"a"},"cpus":2,"machine":"m","capacity_hz":1000,"max_rate_hz":5,"max_connections":3,"allow":["10.0.0.9:80"],"clock_ns":5}`
	state = `{"run":"r1","agent":"A1","seq":3,"phase":"ended","reason":"x","hint":"y","kind":4,"written":12,"sha256":"` + aSum + `","turns":2,"started_ns":7,"skew_ns":1,"clock_ns":9}`
	aSum  = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

// A message is taken as agents send it, and refused if any field is not what an agent can have sent.
func TestMessagesAreChecked(t *testing.T) {
	long := strings.Repeat("x", maxReason+1)
	forged := map[string][]any{
		"id": {"", "../x", "a b", "a.b", "*", long}, "busy": {"../x", "a\nb"}, "name": {"", long}, "version": {long},
		"machine": {long},
		"cpus":    {0, -1, maxCPUs + 1}, "capacity_hz": {0, -1, -1e-300, 1e13, 1e308, -1e308},
		"max_rate_hz":     {-1, 1e308},
		"max_connections": {-1, int64(math.MaxInt64)}, "clock_ns": {-1, int64(math.MaxInt64), int64(math.MinInt64)},
		"allow":  {[]string{long}, make([]string, maxList+1)},
		"labels": {map[string]string{"a": long}, map[string]string{long: ""}},
		"run":    {"", "../x", "a>b"}, "agent": {"", "../x"}, "phase": {"", "done", "ENDED"}, "reason": {long},
		"hint": {long}, "kind": {-1, 256},
		"written": {-1, int64(math.MaxInt64)}, "sha256": {"x", strings.ToUpper(aSum), aSum + "0"},
		"turns":      {uint64(math.MaxUint64)},
		"started_ns": {-1, int64(math.MaxInt64)}, "skew_ns": {-1, int64(math.MaxInt64)},
	}
	seen := map[string]bool{}
	for name, m := range map[string]struct {
		whole string
		read  func([]byte) error
	}{
		"hello": {hello, func(raw []byte) error { _, err := ReadHello(raw); return err }},
		"state": {state, func(raw []byte) error { _, err := ReadState(raw); return err }},
	} {
		if err := m.read([]byte(m.whole)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var fields map[string]any
		if err := json.Unmarshal([]byte(m.whole), &fields); err != nil {
			t.Fatal(err)
		}
		for field, all := range forged {
			was, has := fields[field]
			if !has && field != "busy" || field == "busy" && name == "state" {
				continue
			}
			seen[field] = true
			for _, value := range all {
				fields[field] = value
				raw, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				if m.read(raw) == nil {
					t.Errorf("%s: %s may be %.60v", name, field, value)
				}
			}
			fields[field] = was
		}
	}
	if len(seen) != len(forged) {
		t.Errorf("fields that no message has: %v", forged)
	}
	for _, c := range []struct{ run, agent, offset string }{{"r", "../x", "0"}, {"r", "A1", "-1"},
		{"r", "A1", "9223372036854775808"}, {"r", "A1", ""}, {"", "A1", "0"}} {
		if _, err := ReadChunk(c.run, c.agent, c.offset, []byte("x")); err == nil {
			t.Errorf("a piece may be %+v", c)
		}
	}
	for _, data := range [][]byte{nil, make([]byte, MaxChunk+1)} {
		if _, err := ReadChunk("r", "A1", "0", data); err == nil {
			t.Errorf("a piece may have %d bytes", len(data))
		}
	}
}

// A trusted coordinator may be wrong, and its times are added up.
func TestOrdersAreChecked(t *testing.T) {
	s := newSigner(t)
	for _, o := range []Order{
		{Run: "../r"}, {Agent: "a b"}, {Group: "a\nb"}, {Received: -1}, {Received: math.MaxInt64},
		{Turn: math.MaxUint64},
		{Start: math.MaxInt64}, {Start: -1}, {Clock: math.MinInt64}, {Echo: math.MaxInt64}, {Held: math.MinInt64},
	} {
		if o.Run == "" {
			o.Run = "r"
		}
		if o.Agent == "" {
			o.Agent = "a"
		}
		message, err := s.Sign(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(message, []string{s.Key()}); err == nil {
			t.Errorf("an agent takes %+v", o)
		}
	}
}

// Texts of agents stand in lines of a report: each is one.
func TestTextsOfMessagesAreOneLine(t *testing.T) {
	text := "x\nnext: rm -rf\r\u2028\u202e\x1b[2J"
	quoted, _ := json.Marshal(text)
	for _, m := range []string{
		strings.Replace(hello, `"host"`, string(quoted), 1),
		strings.Replace(hello, `"zone":"a"`, fmt.Sprintf(`%s:%[1]s`, quoted), 1),
		strings.Replace(hello, `"10.0.0.9:80"`, string(quoted), 1),
	} {
		h, err := ReadHello([]byte(m))
		if said := fmt.Sprintf("%s", []any{h.Name, h.Labels, h.Allow}); err != nil ||
			strings.ContainsAny(said, "\n\r\u2028\u202e\x1b") {
			t.Errorf("%v, %q", err, said)
		}
	}
	s, err := ReadState([]byte(strings.NewReplacer(`"x"`, string(quoted), `"y"`, string(quoted)).Replace(state)))
	if said := s.Reason + s.Hint; err != nil || strings.ContainsAny(said, "\n\r\u2028\u202e\x1b") {
		t.Errorf("%v, %q", err, said)
	}
}

// However weights are forged, each agent gets a part, and all parts together are the whole.
func TestForgedWeightsAreDealt(t *testing.T) {
	odd := []float64{0, -1, 1, 1000, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1),
		math.Inf(-1), math.NaN(), 1e-300, 1e300}
	for _, a := range odd {
		for _, b := range odd {
			for _, c := range odd {
				plans, _, err := Split(load.Plan{Connections: 100}, load.Schedule{}, []float64{a, b, c})
				sum := 0
				for _, p := range plans {
					sum += p.Connections
					if p.Connections < 1 {
						t.Errorf("%v: %d connections", []float64{a, b, c}, p.Connections)
					}
				}
				if err != nil || sum != 100 {
					t.Errorf("%v: %d connections, %v", []float64{a, b, c}, sum, err)
				}
			}
		}
	}
}

// idle is an Engine that does nothing.
type idle struct{ Engine }

func (idle) Prepare(json.RawMessage)                {}
func (idle) StartAt(time.Duration, json.RawMessage) {}
func (idle) Abandon()                               {}

// The lease counts from what the agent has sent. An order that answers what it can only send later, because a client
// forged a state, makes the lease no longer, and tells nothing about the clocks.
func TestALeaseIsNotMadeLonger(t *testing.T) {
	first := Order{Run: "r", Agent: "a", Seq: 1, Job: []byte(`{}`), Echo: time.Second, Clock: time.Hour}
	w := NewWorker(first, idle{}, func(any) {}, time.Second)
	now := time.Second
	for seq := uint64(2); seq < 20 && !w.Over(); seq++ {
		now += Every
		w.Hear(Order{Run: "r", Agent: "a", Seq: seq, Echo: now + time.Duration(seq)*time.Hour, Clock: time.Hour}, now)
		w.Tick(now)
	}
	if !w.Over() || now > time.Second+LeaseFor+Every {
		t.Errorf("after %v the agent is over: %v; its lease is %v", now, w.Over(), LeaseFor)
	}
	if late := NewWorker(Order{Run: "r", Agent: "a", Seq: 1, Job: []byte(`{}`), Echo: time.Hour}, idle{}, func(any) {},
		time.Second); !late.Over() {
		t.Error("a run begins that answers what was never said")
	}
}

// An agent that was told of a turn is told of no other before it has begun: an engine has room for one.
func TestATurnIsOrderedOnce(t *testing.T) {
	e := &counted{}
	w := NewWorker(Order{Run: "r", Agent: "a", Seq: 1, Job: []byte(`{}`), Echo: time.Second, Clock: time.Second}, e,
		func(any) {}, time.Second)
	w.Prepared(nil, time.Second)
	for turn := uint64(1); turn < 9; turn++ {
		w.Hear(Order{Run: "r", Agent: "a", Seq: 1 + turn, Turn: turn, Start: 5 * time.Second, Stretch: []byte(`1`),
			Echo: time.Second, Clock: time.Second}, time.Second)
	}
	if e.starts != 1 {
		t.Errorf("%d starts wait for an engine that has room for one", e.starts)
	}
}

type counted struct {
	idle
	starts int
}

func (c *counted) StartAt(time.Duration, json.RawMessage) { c.starts++ }

// A coordinator ends when an agent contradicts itself: it does not wait for what cannot come.
func TestAContradictionEndsARun(t *testing.T) {
	c := NewCoordinator("r", []Part{{Hello: Hello{ID: "a", Name: "a"}}}, forgetful{}, 1, 1)
	c.Send = func(Order) {}
	c.HearState(State{Run: "r", Agent: "a", Seq: 1, Phase: Running}, 2)
	c.HearChunk(Chunk{Run: "r", Agent: "a", Data: []byte("0123456789")}, 3)
	c.HearState(State{Run: "r", Agent: "a", Seq: 2, Phase: Running, Turns: 7}, 4)
	if got := c.Members()[0].State.Turns; got != 0 {
		t.Errorf("the agent carried out %d turns, and none was begun", got)
	}
	c.HearState(State{Run: "r", Agent: "a", Seq: 3, Phase: Ended, Written: 5, SHA256: aSum}, 5)
	if !c.Over() || c.Err() == nil || !strings.Contains(c.Err().Error(), "10 bytes") {
		t.Errorf("over: %v, %v", c.Over(), c.Err())
	}
}

type forgetful struct{}

func (forgetful) Keep(string, int64, []byte) error { return nil }

// Whatever comes from the network, neither side panics, and what passes the edge is within its bounds.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(hello), []byte(state), "0", int64(5), int64(1))
	f.Add([]byte(strings.Replace(hello, "1000", "1e308", 1)), []byte(strings.Replace(state, "9}", "-9}", 1)), "-1",
		int64(math.MaxInt64), int64(-1))
	f.Fuzz(func(t *testing.T, rawHello, rawState []byte, offset string, echo, received int64) {
		h, err := ReadHello(rawHello)
		if err == nil && (!(h.CapacityHz > 0) || !IsName(h.ID) || strings.ContainsAny(h.Name, "\n\r\x1b")) {
			t.Fatalf("%+v", h)
		}
		if err != nil {
			h = Hello{ID: "A1", Name: "host", CapacityHz: 1}
		}
		if _, _, err := Split(load.Plan{Connections: 9}, load.Schedule{},
			[]float64{h.CapacityHz, 1, 1e12}); err != nil {
			t.Fatal(err)
		}
		c := NewCoordinator("r1", []Part{{Hello: h}, {Hello: Hello{ID: "B", Name: "b"}}}, forgetful{}, 1, 1)
		c.Send = func(Order) {}
		if k, err := ReadChunk("r1", h.ID, offset, rawState); err == nil {
			c.HearChunk(k, 2)
		}
		if s, err := ReadState(rawState); err == nil {
			c.HearState(s, 3)
			c.HearState(s, 4)
		}
		c.Skew()
		c.Tick(5)
		o := Order{Run: "r1", Agent: h.ID, Seq: 1, Echo: time.Duration(echo), Received: received,
			Clock: time.Duration(echo)}
		if o.check() != nil {
			return
		}
		w := NewWorker(o, idle{}, func(any) {}, time.Minute)
		o.Seq++
		w.Hear(o, time.Minute)
		if w.leased > time.Minute+LeaseFor {
			t.Fatalf("leased until %v", w.leased)
		}
	})
}
