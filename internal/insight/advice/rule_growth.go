package advice

import (
	"cmp"
	"fmt"
	"math"
	"path"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
)

// What rises with every request, and what is held while nothing happens. The evidence is the timeline of the run, and
// the goroutine and heap profiles at its end.

var goroutineLeak = &Rule{
	Name: "goroutine-leak", Title: "goroutines that do not end",
	Looks: "a number of goroutines that rises with the requests, and where most of them wait",
	Thresholds: []Threshold{
		{Name: "per request", Value: 0.005,
			Reason: "one in two hundred requests: a handler that leaks on a rare path still shows, and the pool of a runtime " +
				"does not"},
		{Name: "goroutines", Value: 50, Reason: "connections that come and go move the number by a few tens"},
	},
	Remedy: Remedy{
		Change: "Each goroutine needs an end: a channel that is closed, a context that is cancelled, a buffered channel " +
			"for the one answer that nothing may wait for any more. Stop tickers when their owner ends.",
		Before: "ch := make(chan result)\ngo func() { ch <- work() }()\n" +
			"select { case r := <-ch: ...; case <-ctx.Done(): return }",
		After: "ch := make(chan result, 1) // the sender ends also when nothing receives",
	},
	Find: func(v *search, r *Rule) []*found {
		g := v.Numbers.Growth
		if g.Goroutines < r.threshold("per request") || g.Goroutines*float64(g.Requests)*float64(max(1,
			g.Starts)) < r.threshold("goroutines") {
			return nil
		}
		waiting := v.Groups("goroutine", "goroutine")
		for _, u := range waiting {
			if u.Place.Function == "" {
				continue
			}
			f := &found{Finding: Finding{
				Title: fmt.Sprintf("%s goroutines per request do not end", units.Digits(g.Goroutines)), Place: u.Place,
				Via: facts.Short(u.Via), Costs: Costs{Measure: Growing, Cost: min(1, g.Goroutines), Gain: min(1, g.Goroutines)},
				Evidence: []Evidence{
					{Source: "timeline", Text: fmt.Sprintf("%s more after %s",
						units.Plural(int(math.Round(g.Goroutines*float64(g.Requests))), "goroutine"), g.Over())},
					{Source: "goroutine", Text: fmt.Sprintf("%s of them wait in line %d of %s",
						units.Count(uint64(u.Value)), u.Place.Line, facts.Short(u.Place.Function)), Stack: u.Stack},
				},
			}}
			f.Endless = true
			if at, ok := v.StartedAt(u.Root); ok {
				f.Place = at
			}
			return []*found{f}
		}
		return nil
	},
}

var unboundedGrowth = &Rule{
	Name: "unbounded-growth", Title: "memory that grows with every request",
	Looks: "a live heap that rises from collection to collection while the load stays the same, and what holds it",
	Thresholds: []Threshold{
		{Name: "bytes", Value: 16, Reason: "per request; smaller than one entry of a map or list"},
		{Name: "gained", Value: 4 << 20,
			Reason: "bytes in all starts; the smallest heap that the runtime collects, in which what is live moves from cycle " +
				"to cycle"},
		{Name: "ratio", Value: 1.25, Reason: "of the end to the beginning; caches and pools fill by some percent"},
		{Name: "timers", Value: 64 << 20,
			Reason: "bytes; timers go when they fire, so that they hold no more than rate times delay"},
	},
	Remedy: Remedy{
		Change: "Bound what is kept: drop entries by age or number (an LRU cache, a ring), delete what belongs to a " +
			"request when it ends, and do not keep a slice of a large buffer where a copy of a few bytes is meant.",
		Before: "kept = append(kept, entry) // and nothing takes one out",
		After: "if len(kept) == limit { kept = append(kept[:0], kept[1:]...) } // the oldest goes\n" +
			"kept = append(kept, entry)",
	},
	Find: func(v *search, r *Rule) []*found {
		g := v.Numbers.Growth
		gained := g.HeapBytes * float64(g.Requests)
		if g.HeapBytes < r.threshold("bytes") || gained*float64(max(1, g.Starts)) < r.threshold("gained") {
			return nil
		}
		if from := float64(g.FromHeap); from > 0 && from+gained < from*r.threshold("ratio") {
			return nil
		}
		for _, by := range v.found {
			if by.rule.Name == "goroutine-leak" { // what a goroutine keeps goes when it ends
				by.Evidence = append(by.Evidence, Evidence{Source: "consequence",
					Text: fmt.Sprintf("the live heap gains %s per request", units.Bytes(g.HeapBytes))})
				return nil
			}
		}
		for _, u := range v.Groups("heap", "inuse_space") {
			if u.Place.Function == "" {
				continue
			}
			if held := v.heldByTimers(u, g); held > 0 {
				return v.ofTimers(r, u, held)
			}
			f := &found{Finding: Finding{
				Place: u.Place, Via: facts.Short(u.Via), Costs: Costs{Measure: Growing, Cost: u.Share, Gain: u.Share},
				Evidence: []Evidence{
					{Source: "timeline", Text: fmt.Sprintf("%s more are live after %s", units.Bytes(gained), g.Over())},
					{Source: "heap", Text: fmt.Sprintf("%s of the live heap was allocated here", units.Share(u.Share)),
						Stack: u.Stack},
				},
			}}
			if !v.nameHolder(f, u, g) {
				return nil
			}
			return []*found{f}
		}
		return nil
	},
}

// timers fire once, and the runtime lets go of each when its delay is over.
var timers = []string{"time.NewTimer", "time.After", "time.AfterFunc"}

// heldByTimers is what timers hold of the live heap, in bytes, if that is most of what was gained; 0 else, and if the
// program itself holds them.
func (v *search) heldByTimers(u *facts.Group, g facts.Growth) float64 {
	if h := v.Holder; h != nil && !h.OfTimers() && v.Owns(code.Place{Function: cmp.Or(h.Function, h.Name), File: h.File,
		Line: int64(h.Line)}) {
		return 0
	}
	held := v.HeldBy(timers...) * float64(max(g.ToHeap, v.Numbers.HeapLive))
	if u.Sample.Find(func(f *facts.Frame) bool { return f.Is(timers...) }) < 0 ||
		2*held < g.HeapBytes*float64(g.Requests) {
		return 0
	}
	return held
}

// ofTimers is a finding where timers that are not stopped hold much memory until they fire; nil where they hold less.
func (v *search) ofTimers(r *Rule, u *facts.Group, held float64) []*found {
	if held < r.threshold("timers") {
		return nil
	}
	share := min(1, held/max(float64(v.Numbers.Resident), held))
	return []*found{{Finding: Finding{
		Title: fmt.Sprintf("timers that are not stopped hold %s until they fire", units.Bytes(held)), Place: u.Place,
		Via: facts.Short(u.Via), Costs: Costs{Measure: Memory, Cost: share, Gain: share},
		Evidence: []Evidence{
			{Source: "heap", Text: fmt.Sprintf("%s of the live heap was allocated here", units.Share(u.Share)),
				Stack: u.Stack},
			{Source: "open", Text: "each goes when its delay is over: they hold no more than rate times delay"},
		},
		Remedy: Remedy{
			Change: "Stop each timer when what it guards is done: time.NewTimer with a deferred Stop instead of " +
				"time.After. From Go 1.23 on the runtime frees a timer that nothing refers to, if go.mod says go 1.23 or " +
				"later. Where a library makes it, a shorter timeout holds less.",
			Before: "select {\ncase x := <-answers:\n\tuse(x)\ncase <-time.After(timeout):\n}",
			After: "late := time.NewTimer(timeout)\ndefer late.Stop()\nselect {\ncase x := <-answers:\n\tuse(x)\n" +
				"case <-late.C:\n}",
		},
	}}}
}

// nameHolder says what holds the memory that grows, puts the finding where that is filled, if it is the user's, and
// says what the source knows of its end. It is false where the source has a limit that the run has not reached:
// that is a cache that still fills.
func (v *search) nameHolder(f *found, u *facts.Group, g facts.Growth) bool {
	filled := v.Fillings(u.Sample)
	if h := v.Holder; h != nil {
		f.Evidence = append(f.Evidence, Evidence{Source: "holders", Text: fmt.Sprintf("%s are held by %s",
			units.Bytes(float64(h.Bytes)), h)})
		if declared := (code.Place{Function: cmp.Or(h.Function, h.Name), File: h.File,
			Line: int64(h.Line)}); v.Owns(declared) {
			if of := v.FillingsOf(declared); len(of) > 0 {
				filled = of
			} else {
				v.moveTo(f, declared, u)
				filled = nil
			}
		}
	}
	title := "the live heap grows so far, by %s per request"
	if len(filled) > 0 {
		v.moveTo(f, filled[0].Place, u)
		limit := filled[0].Limit
		where := fmt.Sprintf("%s (%s:%d)", limit.Text, path.Base(limit.File), limit.Line)
		switch {
		case limit.Entries > 0 && g.Requests < 2*limit.Entries:
			return false
		case limit.Entries > 0:
			f.Evidence = append(f.Evidence, Evidence{Source: "source",
				Text: "it grows on after as many requests as its limit: " + where})
		case limit.Text != "":
			f.Evidence = append(f.Evidence, Evidence{Source: "source", Text: "something may limit it: " + where})
		case filled[0].Appends:
			title, f.Endless = "the live heap grows without end, by %s per request", true
			f.Evidence = append(f.Evidence, Evidence{Source: "source",
				Text: "each request adds one, and nothing in the package takes one out"})
		default:
			f.Evidence = append(f.Evidence, Evidence{Source: "source",
				Text: "nothing in the package takes an entry out: it has one for each key that came"})
		}
	}
	if !f.Endless {
		f.Evidence = append(f.Evidence, Evidence{Source: "open",
			Text: fmt.Sprintf("what has room for more than %s looks the same%s", units.Count(g.Requests),
				after(": a longer run tells, ", g.Longer))})
	}
	f.Title = fmt.Sprintf(title, units.Bytes(g.HeapBytes))
	return true
}

// after is a text with what comes before it; empty for an empty text.
func after(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// moveTo puts a finding of memory at another place than where that was allocated.
func (v *search) moveTo(f *found, to code.Place, u *facts.Group) {
	if to == u.Place {
		return
	}
	f.Evidence[1].Text = fmt.Sprintf("%s of the live heap was allocated at %s", units.Share(u.Share), u.Place)
	f.Place, f.Via = to, ""
}

var idleMemory = &Rule{
	Name: "idle-memory", Title: "memory that idle connections hold",
	Looks: "the live heap in relation to the number of connections, where these have little to do",
	Thresholds: []Threshold{
		{Name: "connections", Value: 100, Reason: "with fewer the program's own data is larger"},
		{Name: "bytes", Value: 8 << 10,
			Reason: "per connection: a goroutine with its stack and a small buffer take about as much"},
		{Name: "share", Value: 0.10, Reason: "of the memory that is resident"},
	},
	Remedy: Remedy{
		Change: "A connection that waits needs no buffers. Take them from a pool when bytes have come and give them back " +
			"when the answer is sent; for very many connections wait without a goroutine each (epoll).",
		Before: "c := &conn{r: bufio.NewReaderSize(nc, 64<<10), w: bufio.NewWriterSize(nc, 64<<10)}",
		After: "r := readers.Get().(*bufio.Reader) // when the first byte of a request is there\nr.Reset(nc)\n" +
			"defer readers.Put(r)",
	},
	Find: func(v *search, r *Rule) []*found {
		n := v.Numbers
		if float64(n.Connections) < r.threshold("connections") || n.Resident == 0 || !v.mostlyIdle() {
			return nil
		}
		var all []*found
		for _, u := range v.Groups("heap", "inuse_space") {
			if n.HeapLive > 0 { // the runtime counts what the profile estimates
				u.Value = u.Share * float64(n.HeapLive)
			}
			each := u.Value / float64(n.Connections)
			share := min(1, u.Value/float64(n.Resident))
			if each < r.threshold("bytes") || share < r.threshold("share") || u.Place.Function == "" {
				continue
			}
			all = append(all, &found{Finding: Finding{
				Title: fmt.Sprintf("each of %d connections holds %s", n.Connections, units.Bytes(each)), Place: u.Place,
				Via: facts.Short(u.Via), Costs: Costs{Measure: Memory, Cost: share, Gain: share},
				Evidence: []Evidence{
					{Source: "heap", Text: fmt.Sprintf("%s of the live heap, %s in all", units.Share(u.Share),
						units.Bytes(u.Value)), Stack: u.Stack},
					{Source: "counters",
						Text: fmt.Sprintf("%s resident with %d connections, each with %s requests per second",
							units.Bytes(float64(n.Resident)), n.Connections, units.Digits(n.RateHz/float64(n.Connections)))},
				},
			}})
		}
		return all
	},
}

// idleRate is how many requests per second a connection may have and still be idle most of the time.
const idleRate = 5

func (v *search) mostlyIdle() bool {
	return v.Numbers.RateHz/float64(max(v.Numbers.Connections, 1)) <= idleRate
}
