package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// What is done once for each element of a loop, and could be done once for all of them.

// roundTrips are calls of which each asks something outside of the program: one that asks for many takes about as long.
var roundTrips = []string{
	"database/sql.(*DB).*", "database/sql.(*Tx).*", "database/sql.(*Conn).*", "database/sql.(*Stmt).*",
	"net/http.(*Client).*", "net/http.Get", "net/http.Post*", "net/http.Head",
	"os.Stat", "os.Lstat", "os.ReadFile", "os.Open*", "google.golang.org/grpc.(*ClientConn).Invoke",
}

var callInLoop = &Rule{
	Name: "call-in-loop", Title: "a query, request or file for each element of a loop",
	Looks: "time in queries of database/sql, in requests of net/http and gRPC as a client, and in looking at files, in " +
		"a loop over data; of the CPU, and of the wall time of a request; not writes in one transaction",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05, Reason: "of the CPU time; few elements cost less than that"},
		{Name: "latency", Value: leastWait,
			Reason: "parts under a tenth of the latency move by more than that from run to run"},
	},
	Remedy: Remedy{
		Change: "Ask once for all elements: WHERE id IN (...) or a join, an endpoint that takes many ids, os.ReadDir " +
			"instead of a Stat for each name. If no call takes several, send a limited number of calls at the " +
			"same time.",
		Before: "for _, id := range ids { row := db.QueryRow(\"SELECT name FROM users WHERE id = ?\", id) }",
		After:  "rows, err := db.Query(\"SELECT id, name FROM users WHERE id IN (\"+marks(len(ids))+\")\", args(ids)...)",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, v.inDataLoop(calls(oneOf(roundTrips...))), func(u *facts.Account) string {
			if v.batched(u.Via, u.Place.Function) {
				return ""
			}
			return fmt.Sprintf("%s runs for each element of a loop", facts.Short(u.Via))
		})
		for _, f := range all {
			v.addWaits(f)
		}
		waits := v.waits(r, func(w facts.Wait) string {
			f := facts.Frame{Function: w.Own.Outer}
			if !f.Is(roundTrips...) || w.Own.State == walltime.Lock || v.inStatement(w) ||
				v.batched(w.Own.Outer, w.Own.Function) {
				return ""
			}
			if _, yes := v.forEach(w.Place(false)); !yes {
				return ""
			}
			return fmt.Sprintf("%s runs for each element of a loop, one after the other", facts.Short(w.Own.Outer))
		})
		for _, f := range waits {
			f.Place, _ = v.forEach(f.Place)
		}
		return remedied(append(all, waits...), loopRemedies)
	},
}

// forEach is the line by which a place is executed for each element of data: itself, or a call of its function.
func (v *search) forEach(at code.Place) (by code.Place, yes bool) {
	if inLoop, overData := v.File(at.File).DataLoop(int(at.Line)); inLoop {
		return at, overData && !v.File(at.File).Chained(int(at.Line))
	}
	return v.File(at.File).CalledForEach(at)
}

var sameInLoop = &Rule{
	Name: "same-in-loop", Title: "the same thing computed for each element of a loop",
	Looks: "time and bytes under functions of the standard library whose result depends on their arguments only, in a " +
		"loop over data, where the source shows that the arguments come from outside of the loop",
	Remedy: Remedy{
		Change: "Call it once before the loop, and hand the result on to what is called in it.",
		Before: "for _, x := range xs { if x.color == r.URL.Query().Get(\"color\") { ... } }",
		After:  "color := r.URL.Query().Get(\"color\")\nfor _, x := range xs { if x.color == color { ... } }",
	},
	Find: func(v *search, r *Rule) []*found {
		depends := calls(dependsOnArguments)
		return v.spendsOn(r, func(s *facts.Stack) int {
			at := depends(s)
			if at < 0 || !v.SameInLoop(s, at, dependsOnArguments) {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("%s gets the same for each element of a loop%s", facts.Short(u.Via),
				perRequest(u, "allocations"))
		})
	},
}

// dependsOnArguments takes functions of the standard library that change nothing, and say the same of the same
// arguments.
func dependsOnArguments(f *facts.Frame) bool {
	if f.Origin != prof.Standard {
		return false
	}
	method := strings.HasPrefix(f.Name, "(*") || strings.Contains(f.Name, ".")
	switch f.Pkg {
	case "strings", "bytes", "strconv", "path", "path/filepath", "html", "mime", "unicode/utf8", "slices", "maps",
		"net/netip":
		return !method
	case "net/url", "regexp", "encoding/hex", "encoding/base64", "encoding/json":
		return !strings.Contains(f.Name, "coder)") && !strings.Contains(f.Name, "Buffer)")
	}
	return f.Is("context.value", "context.(*valueCtx).Value", "context.(*cancelCtx).Value", "context.(*timerCtx).Value",
		"os.Getenv", "os.LookupEnv", "os.Hostname", "time.LoadLocation*", "time.Parse*",
		"net/http.(*Request).Cookie*", "net/http.(*Request).FormValue", "net/http.(*Request).UserAgent",
		"net/http.(*Request).BasicAuth", "net/http.Header.Get", "net/http.Header.Values")
}

var timerInLoop = &Rule{
	Name: "timer-in-loop", Title: "a timer for each turn of a loop",
	Looks: "time and bytes under time.After, time.NewTimer, time.NewTicker and context.WithTimeout in a loop",
	Remedy: Remedy{
		Change: "Make one timer before the loop and Reset it. Where the loop takes from a channel that is rarely empty, " +
			"try without a timer first.",
		Before: "for { select { case x := <-in: use(x); case <-time.After(time.Second): return } }",
		After: "idle := time.NewTimer(time.Second)\nfor { select { case x := <-in: idle.Reset(time.Second); use(x); case " +
			"<-idle.C: return } }",
	},
	Find: func(v *search, r *Rule) []*found {
		makes := calls(oneOf("time.After", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.Tick",
			"context.WithTimeout*", "context.WithDeadline*"))
		return v.spendsOn(r, func(s *facts.Stack) int {
			at := makes(s)
			if at < 0 {
				return -1
			}
			if own := s.Own(at); own == len(s.Frames) ||
				!v.File(s.Frames[own].File).InLoop(int(s.Frames[own].Line)) && v.DataLoop(s, at) < 0 {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("%s makes a timer for each turn of a loop%s", facts.Short(u.Via), perRequest(u, "allocations"))
		})
	},
}

var itemByChannel = &Rule{
	Name: "item-by-channel", Title: "a channel that hands over one item at a time",
	Looks: "time in sending to a channel and taking from it, for each element of a loop over data, or over another " +
		"channel",
	Thresholds: []Threshold{
		{Name: "cost", Value: least, Reason: "of the CPU time; what the scheduler spends for it comes on top"},
	},
	Remedy: Remedy{
		Change: "Hand over slices of items, a few hundred at a time, or let each worker take a range of the data. A " +
			"channel is for handing over work that is far longer than the 100 to 300 ns that it takes.",
		Before: "for _, x := range xs { in <- x }",
		After:  "for part := range slices.Chunk(xs, 256) { in <- part }",
	},
	Find: func(v *search, r *Rule) []*found {
		// Where the goroutines of a pipeline wait for each other, most of the cost is the scheduler's, on stacks of its
		// own.
		scheduler := v.spent().Scheduler
		if scheduler < busyScheduler {
			scheduler = 0
		}
		moves := directly("runtime.chansend*", "runtime.chanrecv*", "runtime.selectgo*", "runtime.selectnb*")
		all := v.spendsTogether(r, func(s *facts.Stack) int {
			at := moves(s)
			if at < 0 {
				return -1
			}
			if own := &s.Frames[s.Own(at)]; v.File(own.File).OverItems(int(own.Line)) {
				return at
			}
			return v.DataLoop(s, at)
		}, func(*facts.Account) string {
			return "a channel hands over one item at a time"
		})
		for _, f := range all {
			if scheduler > 0 {
				f.Cost, f.Gain = f.Cost+scheduler, f.Gain+scheduler
				f.Evidence = append(f.Evidence, Evidence{Source: "cpu",
					Text: units.Share(scheduler) + " of the CPU time is the scheduler's, which starts and stops the goroutines"})
			}
		}
		return all
	},
}

// busyScheduler is the part of the CPU time from which on the scheduler's work is that of goroutines that hand over
// items: a server that only waits for its connections stays under it.
const busyScheduler = 0.2

var deferInLoop = &Rule{
	Name: "defer-in-loop", Title: "defer in a hot loop",
	Looks: "time in the runtime's deferproc and deferreturn for a line in a loop",
	Remedy: Remedy{
		Change: "A defer in a loop is kept in memory until the function returns, and so is what it will release. Put the " +
			"body of the loop into a function of its own, or release at its end.",
		Before: "for _, k := range keys { mu.Lock(); defer mu.Unlock(); n += m[k] }",
		After:  "for _, k := range keys { n += one(k) } // func one locks, defers and returns",
	},
	Find: func(v *search, r *Rule) []*found {
		match := directly("runtime.deferproc*", "runtime.newdefer", "runtime.deferreturn*", "runtime.freedefer*",
			"runtime.(*_panic).nextDefer*")
		return v.spendsOn(r, func(s *facts.Stack) int {
			at := match(s)
			if at >= 0 && v.File(s.Frames[s.Own(at)].File).DefersInLoop(int(s.Frames[s.Own(at)].Line)) {
				return at
			}
			at = s.Find(facts.Allocates) // the closure that is deferred
			if at < 0 {
				return -1
			}
			if own := s.Own(at); own == len(s.Frames) ||
				!v.File(s.Frames[own].File).DefersAt(int(s.Frames[own].Line)) {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return "a defer runs for each turn of a loop" + perRequest(u, "allocations")
		})
	},
}
