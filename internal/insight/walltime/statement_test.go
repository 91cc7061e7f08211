package walltime

import (
	"bytes"
	"context"
	"fmt"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/sqltrace"
)

// call does in a trace what a statement does in a program that hone built, for so long; its rows are at an address.
func call(kind, text string, took time.Duration, rows string) {
	defer trace.StartRegion(context.Background(), kind+text).End()
	time.Sleep(took)
	if rows != "" {
		trace.Log(context.Background(), sqltrace.Rows, rows)
	}
}

// nextRow reads a row, slowly; count is how many there were, of the last one.
func nextRow(rows string, took time.Duration, count int) {
	began := time.Now()
	time.Sleep(took)
	trace.Log(context.Background(), sqltrace.Next, fmt.Sprintf("%s %d %d", rows, time.Since(began), count))
}

// traced is the history of what do does.
func traced(t *testing.T, do func()) *history {
	t.Helper()
	var to bytes.Buffer
	if err := trace.Start(&to); err != nil {
		t.Skip(err) // of a test run that is traced itself
	}
	do()
	trace.Stop()
	h, err := read(&to)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ofOneRequest are the statements of a request that the goroutine of the test is, and what it waits for.
func ofOneRequest(t *testing.T, h *history) []Statement {
	t.Helper()
	me := none
	for i := range h.goroutines {
		if len(h.goroutines[i].worked) > 2 {
			me = place(i)
		}
	}
	if me == none {
		t.Fatal("no goroutine works on statements")
	}
	l := &labeller{walker: newWalker(h), calls: map[callKey]Call{}, lengths: h.callLengths(),
		module: "github.com/gohone/hone/internal/insight/walltime"}
	on := newStatements(l)
	one := seen{Request: Request{Sent: h.from, Answered: h.to}, window: window{by: me, start: h.from, end: h.to}}
	on.request(l.request(&one), l.walker.calls)
	return on.perRequest()
}

// A request is what the goroutine of the test does, and what it waits for. Calls are counted, also those of goroutines
// that it started; rows count for the statement that they are of, in whichever order rows of two statements are read.
func TestStatementsOfARequest(t *testing.T) {
	const ms = time.Millisecond
	h := traced(t, func() {
		call(sqltrace.Prepare, "SELECT a FROM outer", ms, "")
		call(sqltrace.Call, "SELECT a FROM outer", 2*ms, "o")
		for range 3 {
			nextRow("o", 4*ms, 0)
			call(sqltrace.Call, "SELECT b FROM inner", ms, "i")
			nextRow("i", ms, 0)
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { call(sqltrace.Call, "SELECT c FROM child", 20*ms, "") })
		}
		both.Wait()
		nextRow("unknown", ms, 0)
	})
	got := map[string]Statement{}
	for _, s := range ofOneRequest(t, h) {
		got[s.Text] = s
		if s.Line == 0 || s.Queued > s.Nanos {
			t.Errorf("%+v", s)
		}
	}
	for text, want := range map[string]struct {
		calls int
		least time.Duration // sleeps last at least as long as they are told
		quick time.Duration
	}{
		"PREPARE SELECT a FROM outer": {1, ms, ms}, "SELECT a FROM outer": {1, 14 * ms, 14 * ms},
		"SELECT b FROM inner": {3, 6 * ms, 2 * ms},
		"SELECT c FROM child": {2, 20 * ms, 20 * ms},
	} {
		s := got[text]
		if s.Most != want.calls || s.Calls != float64(want.calls) || s.Nanos < float64(want.least) ||
			s.Quick < float64(want.quick) {
			t.Errorf("%s: %+v, want %d calls and %s or more", text, s, want.calls, want.least)
		}
	}
	if len(got) != 4 || got["SELECT c FROM child"].Nanos > float64(h.to-h.from)/2+float64(20*ms) {
		t.Errorf("%+v", got)
	}
}

// What many rows take at most when an index finds them does not count for a call: what is left is the work for them.
func TestManyRowsAreNotASlowCall(t *testing.T) {
	const ms = time.Millisecond
	h := traced(t, func() {
		call(sqltrace.Call, "SELECT page", ms, "p")
		nextRow("p", 9*ms, 1_000_000)
		call(sqltrace.Call, "SELECT sorted", ms, "s")
		nextRow("s", 9*ms, 20)
	})
	lengths := h.callLengths()
	page, sorted := lengths[1], lengths[2]
	if len(page) != 1 || page[0] != 0 || len(sorted) != 1 || sorted[0] < int64(10*ms)-20*perRow {
		t.Errorf("%v %v", page, sorted)
	}
}

// Of a request that waits most of its time for a processor, the share of a statement is that of the rest.
func TestShareOfABusyProgram(t *testing.T) {
	c := Cohort{LatencyNanos: 100, Parts: []Part{{Label: Label{Call: Call{State: Runnable}}, Nanos: 80}}}
	s := Statement{Nanos: 50, Queued: 40}
	if got := c.Share(&s); !c.Busy() || got != 0.5 {
		t.Errorf("share %v", got)
	}
	c.Parts[0].Nanos = 20
	if got := c.Share(&s); c.Busy() || got != 0.5 {
		t.Errorf("share %v", got)
	}
	if got := c.Share(&Statement{Nanos: 25}); got != 0.25 {
		t.Errorf("share %v", got)
	}
}

// Regions of programs that hone did not build, and malformed messages, are ignored.
func TestOtherRegionsAreNoStatements(t *testing.T) {
	h := traced(t, func() {
		call("", "SELECT a", time.Millisecond, "o")
		trace.Log(context.Background(), sqltrace.Next, "o x")
		trace.Log(context.Background(), sqltrace.Next, "o 1")
		trace.Log(context.Background(), sqltrace.Next, "o 1 -1")
		trace.Log(context.Background(), sqltrace.Next, "")
		trace.Log(context.Background(), sqltrace.Pool, "-1")
		trace.Log(context.Background(), sqltrace.Rows, "o")
	})
	if len(h.works.all) != 1 || len(h.works.rows) != 0 || len(h.works.limits) != 0 {
		t.Errorf("%+v", h.works)
	}
}

// stackOf is a stack of these functions, the innermost first.
func stackOf(s *stacks, functions ...string) stackID {
	var frames []int32
	for _, name := range functions {
		frames = append(frames, int32(len(s.frames)))
		s.frames = append(s.frames, Frame{Function: name, Line: len(s.frames)}) // lines differ
	}
	return s.add(frames, fmt.Sprint(len(s.all)))
}

// Rows that are read without a wait are those of the call that the same function made, also where a function that it
// calls asked for something meanwhile.
func TestRowsOfQuickReads(t *testing.T) {
	h := &history{stacks: newStacks(), works: newWorks()}
	list := h.works.intern(work{"list", stackOf(h.stacks, "database/sql.(*DB).QueryContext", "main.list",
		"main.serve")})
	name := h.works.intern(work{"name", stackOf(h.stacks, "database/sql.(*DB).QueryRowContext", "main.name",
		"main.list", "main.serve")})
	w := newWalker(h)
	g := &goroutine{worked: []worked{{from: 1, to: 2, on: list}, {from: 3, to: 4, on: name},
		{from: 9, to: 10, on: name}}}
	for _, c := range []struct {
		at   stackID
		t    int64
		want workID
	}{
		{stackOf(h.stacks, "database/sql.(*Rows).Next", "main.list", "main.serve", "runtime.goexit"), 5, list},
		{stackOf(h.stacks, "database/sql.(*Rows).Next", "database/sql.(*Row).Scan", "main.name", "main.list",
			"main.serve", "runtime.goexit"), 5, name},
		{stackOf(h.stacks, "database/sql.(*Rows).Next", "main.other", "runtime.goexit"), 5, 0},
		{stackOf(h.stacks, "database/sql.(*Rows).Next", "main.list", "main.serve"), 1, 0},
	} {
		if !h.stacks.all[c.at].rows {
			t.Errorf("%v reads no rows", h.stacks.framesOf(c.at))
		}
		if got := w.rowsOf(g, c.at, c.t); got != c.want {
			t.Errorf("%v: statement %d, want %d", h.stacks.framesOf(c.at), got, c.want)
		}
	}
}
