package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
)

// limited has limiters of several kinds, and what looks like one.
const limited = `package m

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

type client struct {
	limit  *rate.Limiter
	tick   *time.Ticker
	tokens chan struct{}
	slots  chan struct{}
	every  time.Duration
	next   time.Time
	mu     sync.Mutex
}

func newClient(perSecond int, every time.Duration) *client {
	c := &client{limit: rate.NewLimiter(rate.Limit(perSecond), 10), tick: time.NewTicker(every), every: every} // made
	c.tokens, c.slots = make(chan struct{}, 5), make(chan struct{}, 5)
	for range 5 {
		c.tokens <- struct{}{}
	}
	go c.fill(every)
	return c
}

var one = newClient(500, 2*time.Millisecond) // start

func (c *client) fill(every time.Duration) {
	t := time.NewTicker(every)
	for range t.C {
		select {
		case c.tokens <- struct{}{}: // token
		default:
		}
	}
}

func (c *client) get(ctx context.Context) {
	c.limit.Wait(ctx) // first
	c.send(ctx)
}

func (c *client) send(ctx context.Context) {
	c.limit.Wait(ctx) // second
}

func (c *client) turn() {
	<-c.tick.C // tick
}

func (c *client) take() {
	<-c.tokens // take
}

func (c *client) slot() {
	<-c.slots // slot
	defer func() { c.slots <- struct{}{} }()
}

func (c *client) pace() {
	c.mu.Lock() // lock
	defer c.mu.Unlock()
	c.next = c.next.Add(c.every)
	time.Sleep(time.Until(c.next)) // until
}

func (c *client) poll() {
	for !c.done() {
		time.Sleep(time.Millisecond) // poll
	}
}

type batch struct{ done chan int }

func (b *batch) append() {
	<-b.done // answer
}

func (b *batch) write() {
	for range time.Tick(time.Millisecond) { // batch
		b.done <- count()
	}
}

func handle(c *client) { c.take() } // handle

func routes(c *client) {
	limited := middleware(c, handle)
	add(limited, func() { c.take() }) // other
}

func middleware(c *client, next func(*client)) func() {
	return func() {
		c.take() // middleware
		next(c)
	}
}
`

// A wait for what keeps a rate is named with the limiter, and with what it is made of; how much can be gained is asked.
// A pool, polling, and an answer that a loop with a clock gives, are no limiters.
func TestWaitsForALimiter(t *testing.T) {
	call := func(function, mark string, state walltime.State, outer string) walltime.Call {
		return walltime.Call{State: state, Library: outer, Outer: outer, Function: user + "." + function, File: "/src/a.go",
			Line: int(lineOf(t, limited, mark))}
	}
	const wait = "golang.org/x/time/rate.(*Limiter).Wait"
	until := call("(*client).pace", "until", walltime.Sleep, "time.Sleep")
	token := call("(*client).fill", "token", walltime.Channel, "")
	slot := call("handle", "handle", walltime.Network, "net/http.Get")
	batch := call("(*batch).write", "batch", walltime.Channel, "")
	for name, c := range map[string]struct {
		own    walltime.Call
		behind *walltime.Call
		rule   string
		title  string
		says   []string
	}{
		"of a library, twice": {call("(*client).get", "first", walltime.Sleep, wait), nil, "rate-limited",
			"each request waits twice for the same rate limiter: c.limit",
			[]string{"its rate: rate.NewLimiter(rate.Limit(perSecond), 10), a.go:" + mark(t, "made"),
				"called or set by newClient(500, 2 * time.Millisecond), a.go:" + mark(t, "start"),
				"a.go:" + mark(t, "first") + " and a.go:" + mark(t, "second")}},
		"a ticker": {call("(*client).turn", "tick", walltime.Sleep, ""), nil, "rate-limited",
			"requests wait for a rate limiter: c.tick.C", []string{"its rate: time.NewTicker(every), a.go:" + mark(t, "made")}},
		"tokens": {call("(*client).take", "take", walltime.Channel, ""), &token, "rate-limited",
			"requests wait for a rate limiter: c.tokens", []string{"its rate: time.NewTicker(every)",
				"called or set by newClient(500, 2 * time.Millisecond)",
				"a.go:" + mark(t, "handle") + " and a.go:" + mark(t, "other") + " and a.go:" + mark(t, "middleware") +
					": a request that comes by several of them"}},
		"a sleep until a time": {until, nil, "rate-limited", "requests wait for a rate limiter",
			[]string{"its rate: every, a.go:" + mark(t, "made"), "newClient(500, 2 * time.Millisecond)"}},
		"a lock around it": {call("(*client).pace", "lock", walltime.Lock, "sync.(*Mutex).Lock"), &until, "rate-limited",
			"requests wait for a rate limiter", nil},
		"slots":   {call("(*client).slot", "slot", walltime.Channel, ""), &slot, "small-pool", "", nil},
		"polling": {call("(*client).poll", "poll", walltime.Sleep, "time.Sleep"), nil, "sleep-in-path", "", nil},
		"a batch": {call("(*batch).append", "answer", walltime.Channel, ""), &batch, "small-pool", "", nil},
	} {
		v := waitView(0.6, c.own, c.behind)
		named := cpuView(t, map[string]string{"a.go": limited},
			map[string]int64{user + ".handle@/src/a.go:" + mark(t, "handle"): 10, "runtime.mcall": 990})
		v.Code, v.Captures, v.Source = named.Code, named.Captures, named.Source
		v.Siblings = named.Siblings
		all := find(t, v).Findings
		if len(all) != 1 || all[0].Rule != c.rule || !strings.HasPrefix(all[0].Title, c.title) || all[0].Gain > 0 &&
			c.rule == "rate-limited" {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		for _, text := range c.says {
			if !slices.ContainsFunc(all[0].Evidence, func(e Evidence) bool { return strings.Contains(e.Text, text) }) {
				t.Errorf("%s: %+v, want %q", name, all[0].Evidence, text)
			}
		}
	}
}

// Two lines that wait for one limiter are one finding with one sum.
func TestWaitsForOneLimiterAreOneFinding(t *testing.T) {
	of := func(function, mark string) walltime.Call {
		const wait = "golang.org/x/time/rate.(*Limiter).Wait"
		return walltime.Call{State: walltime.Sleep, Library: wait, Outer: wait, Function: user + "." + function,
			File: "/src/a.go", Line: int(lineOf(t, limited, mark))}
	}
	v := waitView(0.5, of("(*client).get", "first"), nil)
	v.ReadFrom(map[string][]byte{"/src/a.go": []byte(limited)})
	c := &v.Waits.Cohorts[0]
	c.Parts = append(c.Parts, walltime.Part{Label: walltime.Label{Call: of("(*client).send", "second")}, Nanos: 4e5})
	all := find(t, v).Findings
	if len(all) != 1 || all[0].Cost < 0.89 || all[0].GainWord != Ask {
		t.Errorf("%+v", all)
	}
}

func mark(t *testing.T, name string) string { return fmt.Sprint(lineOf(t, limited, name)) }
