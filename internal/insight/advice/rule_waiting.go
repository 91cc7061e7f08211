package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/walltime"
)

// What requests wait for. The evidence is the execution trace.

var latencyThreshold = []Threshold{{Name: "latency", Value: leastWait,
	Reason: "parts under a tenth of the latency move by more than that from run to run"}}

var sleepInPath = &Rule{
	Name: "sleep-in-path", Title: "sleeping or polling in the path of a request",
	Looks: "time that requests, or those that they wait for, sleep or wait for a timer", Thresholds: latencyThreshold,
	Change: "Wait for the event and not for the clock: a channel, a condition variable or a callback wakes up the " +
		"moment that the work is there. A retry needs a pause only after a failure.",
	Before: "for !job.done() { time.Sleep(time.Millisecond) }",
	After:  "<-job.finished",
	Find: func(v *View, r *Rule) []*found {
		return v.waitsAt(r, true, func(w wait) string {
			if v.inStatement(w) || w.own.State == walltime.Lock ||
				w.own.State != walltime.Sleep && (w.behind == nil || w.behind.State != walltime.Sleep) {
				return ""
			}
			return fmt.Sprintf("%s sleep for %s", w.who(), w.ofTheirTime())
		})
	},
}

var lockHeld = &Rule{
	Name: "lock-held", Title: "a lock held across slow work",
	Looks: "time that requests wait for a mutex, and what the goroutine that holds it does during that time; CPU time " +
		"spent under a mutex that several processors would wait for",
	Thresholds: append([]Threshold{{Name: "under", Value: large,
		Reason: "of the CPU time under one mutex: four processors and more can all work at less"}},
		latencyThreshold...),
	Change: "Do the slow work before the lock or after it, and hold the lock only for reading and writing what it " +
		"protects. If the work needs a stable view, copy what it needs under the lock.",
	Before: "mu.Lock()\njson.NewEncoder(w).Encode(state)\nmu.Unlock()",
	After:  "mu.Lock()\ncopy := state.clone()\nmu.Unlock()\njson.NewEncoder(w).Encode(copy)",
	Find: func(v *View, r *Rule) []*found {
		all := v.waitsAt(r, false, func(w wait) string {
			if w.own.State != walltime.Lock || w.behind == nil || v.onlyReads(w) || syncs(w) {
				return ""
			}
			return fmt.Sprintf("requests wait for a lock while its holder is in %s", holderText(*w.behind))
		})
		locks := v.underLocks()
		heldAcross(all, locks)
		return append(all, v.contended(r, all, locks)...)
	},
}

func holderText(c walltime.Call) string {
	switch c.State {
	case walltime.Sleep:
		return "a sleep"
	case walltime.Network:
		return "a call to a backend"
	}
	if name := c.Outer; name != "" {
		return short(name)
	}
	if c.Function != "" {
		return short(c.Function)
	}
	return "state " + string(c.State)
}

var readLock = &Rule{
	Name: "read-lock", Title: "data that is mostly read under a mutex",
	Looks:      "time that requests wait for a sync.Mutex in functions that only read what it protects",
	Thresholds: latencyThreshold,
	Change: "Readers do not disturb each other: take a sync.RWMutex and RLock where nothing is written. For a map " +
		"that changes rarely, an atomic.Pointer to a map that is copied on each change needs no lock to read.",
	Before: "mu.Lock()\nv := table[key]\nmu.Unlock()",
	After:  "mu.RLock() // mu sync.RWMutex\nv := table[key]\nmu.RUnlock()", Mechanical: true,
	Find: func(v *View, r *Rule) []*found {
		return v.waitsAt(r, false, func(w wait) string {
			if w.own.State != walltime.Lock || !v.onlyReads(w) {
				return ""
			}
			return "readers wait for each other at a mutex"
		})
	},
}

// onlyReads says whether the function that waits for a lock only reads while it holds it, as far as its source says.
func (v *View) onlyReads(w wait) bool {
	p := w.place(false)
	return p.File != "" && strings.Contains(w.own.Library+w.own.Outer, "sync.(*Mutex)") &&
		v.source(p.File).readsUnderLock(int(p.Line))
}

// longTurn is from which wait on, in nanoseconds, work is said to hold a processor for milliseconds.
const longTurn = 1e6

var processorHeld = &Rule{
	Name: "processor-held", Title: "work that holds a processor while requests wait for one",
	Looks: "time that slow requests wait for a processor, and which line of the user's has it: of the background or, in " +
		"an open loop, of other requests; not where other programs had the processors, too",
	Thresholds: append([]Threshold{
		{Name: "wait", Value: longTurn,
			Reason: "nanoseconds of a slow request: where there is more to do than there are " +
				"processors, all wait for shorter turns"},
	}, latencyThreshold...),
	Change: "Work that takes a processor for milliseconds delays each request that comes meanwhile. Make it cheaper, or " +
		"let fewer goroutines do it at the same time than there are processors.",
	Before: "for _, item := range all { go rebuild(item) }",
	After: "free := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)) // one processor is left for requests\n" +
		"for _, item := range all {\n\tfree <- struct{}{}\n\tgo func() { rebuild(item); <-free }()\n}",
	Find: func(v *View, r *Rule) []*found {
		if v.Numbers.Disturbed {
			v.missing = append(v.missing, "who has the processors that requests wait for: other programs had them, too")
			return nil
		}
		return v.waitsAt(r, true, func(w wait) string {
			if w.nanos < longTurn {
				return ""
			}
			if w.measure != Tail || w.own.State != walltime.Runnable || w.behind == nil || w.behind.Function == "" ||
				v.foundIn(w.behind.Function, "") {
				return "" // or another finding names the line
			}
			if w.behind.State == walltime.Requests && !v.Numbers.OpenLoop {
				// where each answer is followed by the next request, requests wait for each other, whatever they do
				return ""
			}
			return fmt.Sprintf("slow requests wait for a processor that %s has", short(w.behind.Function))
		})
	},
}

var smallPool = &Rule{
	Name: "small-pool", Title: "a pool of connections or workers that is too small",
	Looks: "time that requests wait for a connection of database/sql or net/http, or for a slot or a worker, while " +
		"others have them", Thresholds: latencyThreshold,
	Change: "Let as many be in use as requests come at the same time and what is behind them takes: the length of the " +
		"semaphore, the number of workers. If what is behind them is the limit, a queue in front of it is right, and then " +
		"its length is to be bounded.",
	Before: "slots := make(chan struct{}, 2)",
	After:  "slots := make(chan struct{}, 32)",
	Find: func(v *View, r *Rule) []*found {
		all := v.waitsAt(r, false, func(w wait) string {
			if !v.queues(w) || v.foundIn(w.own.Function, "client-per-call") {
				return ""
			}
			text := "requests wait for " + poolOf(w).what
			if w.own.Limit > 0 {
				text += fmt.Sprintf(" (MaxOpenConns is %d)", w.own.Limit)
			}
			if b := w.behind; b != nil && poolOf(w).in == "database/sql" && b.Function != "" &&
				!strings.HasPrefix(b.Outer, "database/sql.") {
				text += ", which is held across " + short(b.Function)
			}
			return text
		})
		for _, f := range all {
			for _, p := range pools {
				if strings.HasPrefix(f.Title, "requests wait for "+p.what) && p.change != "" {
					f.Change, f.Before, f.After = p.change, p.before, p.after
				}
			}
		}
		return all
	},
}

// pool is a kind of pool, by the package whose functions wait for it.
type pool struct{ in, what, change, before, after string }

var pools = []pool{
	{
		in: "database/sql", what: "a connection of the pool of database/sql",
		change: "Let as many be in use as requests come at the same time and the database takes, and keep them: " +
			"db.SetMaxOpenConns and SetMaxIdleConns. Do other work, such as a call of another service, before a transaction " +
			"or after it: meanwhile it holds its connection. A database that is a file, such as SQLite, takes one writer at a " +
			"time: shorter transactions help there, and a pool of its own for readers.",
		before: "db.SetMaxOpenConns(2)", after: "db.SetMaxOpenConns(32)\ndb.SetMaxIdleConns(32)",
	},
	{
		in: "net/http.(*", what: "a connection of net/http's transport",
		change: "Let as many be in use as requests come at the same time and the backend takes, and keep them: " +
			"MaxConnsPerHost (0 means any number) and MaxIdleConnsPerHost of the http.Transport.",
		before: "&http.Transport{MaxConnsPerHost: 2}",
		after:  "&http.Transport{MaxConnsPerHost: 64, MaxIdleConnsPerHost: 64}",
	},
	{what: "a free slot"},
}

func poolOf(w wait) pool {
	for _, p := range pools {
		if strings.Contains(w.own.Library+" "+w.own.Outer, p.in) {
			return p
		}
	}
	return pools[len(pools)-1]
}

// foundIn says whether a rule, or any if it is empty, has found something in a function already.
func (v *View) foundIn(function, rule string) bool {
	return slices.ContainsFunc(v.found, func(f *found) bool {
		return (rule == "" || f.rule.Name == rule) && f.Place.Function == function
	})
}

// queues says whether a wait is for something that other requests have: a channel or a condition of the user's, or a
// pool of a library, while the other goroutine works for another request. A channel that the request itself made is for
// an answer.
func (v *View) queues(w wait) bool {
	if w.own.State != walltime.Channel || w.own.Function == "" {
		return false
	}
	if poolOf(w).in != "" {
		return true
	}
	if w.behind == nil || strings.Contains(w.own.Library+w.own.Outer, "singleflight") ||
		v.source(w.own.File).waitsForReply(w.own.Line) {
		return false
	}
	switch w.behind.State {
	case walltime.Network, walltime.Sleep, walltime.Channel:
		return w.behind.Function != w.own.Function || w.behind.Line != w.own.Line
	}
	return false
}
