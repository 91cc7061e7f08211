package walltime

import (
	"testing"

	"github.com/gohone/hone/internal/program/sqltrace"
)

// Two endpoints take turns: one calls a statement three times, the other calls another one once. Each has figures of
// its own, and the requests of both together say how many of them call a statement.
func TestStatementsOfTwoEndpoints(t *testing.T) {
	const rounds = 50
	h := traced(t, func() {
		for range rounds {
			for range 3 {
				call(sqltrace.Call, "SELECT a", 0, "")
			}
			call(sqltrace.Call, "SELECT b", 0, "")
		}
	})
	var all []seen
	for at := range h.goroutines {
		g := h.goroutines[at].worked
		for i := 0; i+3 < len(g); i += 4 {
			for target, ends := range [][2]worked{{g[i], g[i+2]}, {g[i+3], g[i+3]}} {
				from, to := ends[0].from, ends[1].to
				w := window{by: place(at), start: from, end: to}
				all = append(all, seen{Request: Request{Target: target, Sent: from, Answered: to}, window: w})
			}
		}
	}
	if len(all) != 2*rounds {
		t.Fatalf("%d requests, want %d", len(all), 2*rounds)
	}
	d := &Digest{}
	l := &labeller{walker: newWalker(h), calls: map[callKey]Call{}, lengths: h.callLengths()}
	d.digest(l, all, Options{Endpoints: []string{"GET /a", "GET /b", "GET /rare"}, From: 1})
	if len(d.Endpoints) != 2 {
		t.Fatalf("endpoints %+v", d.Endpoints)
	}
	for _, e := range d.Endpoints {
		text, calls := "SELECT a", 3.0
		if e.Name == "GET /b" {
			text, calls = "SELECT b", 1
		}
		s := e.Typical.Statements
		if len(s) != 1 {
			t.Fatalf("%s: %+v", e.Name, e)
		}
		if e.Requests != rounds || s[0].Text != text || e.Typical.CallsEach(&s[0]) != calls ||
			!e.Typical.AllCall(&s[0]) {
			t.Errorf("%s: %+v", e.Name, e)
		}
		if e.Typical.Repeats(&s[0]) {
			t.Errorf("%s: %v calls are many", e.Name, calls)
		}
	}
	for _, s := range d.Cohort(SlowName).Statements {
		c, calls := d.Cohort(SlowName), 3.0
		if s.Text == "SELECT b" {
			calls = 1
		}
		if got := c.CallsEach(&s); got < calls-1e-9 || got > calls+1e-9 || c.AllCall(&s) {
			t.Errorf("%s: %v calls in %v of the requests, want %v", s.Text, got, c.Callers(&s), calls)
		}
		if got := c.Callers(&s) * c.CallsEach(&s) * s.PerCall(s.Nanos); got < 0.999*s.Nanos || got > 1.001*s.Nanos {
			t.Errorf("%s: callers, calls and the time of each make %v ns, want %v", s.Text, got, s.Nanos)
		}
	}
	if brief := d.Brief(); len(brief.Endpoints) != 2 || brief.Endpoints[0].Name != d.Endpoints[0].Name {
		t.Errorf("brief: %+v", brief.Endpoints)
	}
}

// A digest of an earlier hone does not say how many requests call a statement: its means are taken for those of all.
func TestCallersThatAreNotKnown(t *testing.T) {
	c, s := Cohort{Requests: 10}, Statement{Calls: 6.76, Nanos: 1e6}
	if c.Callers(&s) != 1 || c.CallsEach(&s) != 6.76 {
		t.Errorf("%v of the requests, %v calls", c.Callers(&s), c.CallsEach(&s))
	}
}
