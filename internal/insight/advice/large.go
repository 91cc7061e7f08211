package advice

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// Large is what takes much of a run, and of which no finding says that it is too much: it may well be the work that the
// program is there for. So it has no advice and no number.
type Large struct {
	// Place is the user's line; What is the library's function that it calls, or what it waits for. What is empty for
	// the time of the user's own code.
	Place code.Place `json:"place"`
	What  string     `json:"what,omitempty"`
	// Share is the part, 0 to 1, of Measure and of the requests that Of names, as in Costs.
	Measure Measure `json:"measure"`
	Of      string  `json:"of,omitempty"`
	Share   float64 `json:"share"`
	// Routes are as in Costs.
	Routes []facts.Route `json:"routes,omitempty"`
}

// Whole names what Share is a part of.
func (l *Large) Whole() string {
	if l.Measure == CPU {
		return "the CPU time"
	}
	return strings.TrimSpace(string(l.Measure) + " " + l.Of)
}

const (
	// large is the part of the CPU time, or of a latency, from which on a line is in the list.
	large = 0.10
	// mostLarge is how many lines the list has for each measure.
	mostLarge = 5
)

// largest lists what is large and in no finding: of CPU time, then of the latency of typical requests, then of slow
// ones. Of the line of a finding of CPU time the finding itself says what it takes in all.
func (v *search) largest(findings []Finding) (all []Large) {
	named := map[facts.LineKey]bool{}
	for _, f := range findings {
		if f.Measure == CPU {
			named[facts.LineKey{Function: f.Place.Function, Line: f.Place.Line}] = true
		}
	}
	claimed := map[*facts.Stack]bool{}
	for i := range v.claimed {
		claimed[&v.Stacks[i]] = true
	}
	for _, match := range []func(*facts.Stack) int{libraryCall, ownTime} {
		for _, u := range v.Accounts(func(s *facts.Stack) int {
			if own := s.Own(0); claimed[s] || own < len(s.Frames) &&
				named[facts.LineKey{Function: s.Frames[own].Function, Line: s.Frames[own].Line}] {
				return -1
			}
			return match(s)
		}) {
			if v.Seen(u) >= large {
				all = append(all, Large{Place: u.Place, What: facts.Short(u.Via), Measure: CPU, Share: u.Cost,
					Routes: v.RoutesOf(u.Stacks)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Large) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), code.ComparePlaces(a.Place, b.Place))
	})
	all = all[:min(len(all), mostLarge)]
	return append(append(all, v.largestWaits(false)...), v.largestWaits(true)...)
}

// libraryCall matches the library's function that the user's code calls. System calls that read and write connections
// and files belong to what is read and written, and middleware is the reason for nothing that the handler does.
func libraryCall(s *facts.Stack) int {
	own := s.Own(0)
	if own == 0 || own == len(s.Frames) || s.Kernel() && (s.Find(transfers) >= 0 || bareCall(&s.Frames[own-1])) ||
		s.HandsOn(own) {
		return -1
	}
	if f := &s.Frames[own-1]; f.Origin == prof.Standard || f.Origin == prof.Dependency {
		return own - 1
	}
	return -1
}

// ownTime matches the user's code where it works itself, with what the compiler calls for it.
func ownTime(s *facts.Stack) int {
	own := s.Own(0)
	if own == len(s.Frames) || s.Kernel() || own > 0 && s.Frames[own-1].Origin != prof.Runtime {
		return -1
	}
	return own
}

// bareCall takes the functions of system calls themselves.
func bareCall(f *facts.Frame) bool { return f.Pkg == "syscall" || f.Pkg == "golang.org/x/sys/unix" }

// transfers takes what reads and writes connections and files.
func transfers(f *facts.Frame) bool {
	return f.Is("internal/poll.(*FD).*", "net.(*netFD).*", "net.(*conn).*", "net.(*TCPConn).*", "os.(*File).*")
}

// largestWaits are the waits, of slow requests or of typical ones, that no finding is about.
func (v *search) largestWaits(slow bool) (all []Large) {
	for _, w := range v.EachWait() {
		if w.Slow != slow || w.Share < large || slow && w.Share < leastTail || len(all) == mostLarge {
			continue
		}
		switch w.Own.State {
		case walltime.Network, walltime.Channel, walltime.Lock, walltime.Sleep, walltime.Syscall:
		default:
			continue
		}
		p := w.Place(false)
		if p.Function == "" || v.waitFound(w) ||
			slices.ContainsFunc(all, func(l Large) bool { return l.Place == p && l.Of == w.Requests() }) {
			continue
		}
		what := string(w.Own.State)
		if w.Own.Library != "" {
			what += " " + facts.Short(w.Own.Library)
		}
		if w.Own.State == walltime.Channel && w.Own.Library == "" {
			what += ", " + facts.BehindText(w.Behind)
		}
		all = append(all, Large{Place: p, What: what, Measure: measureOf(w.Latency), Of: w.Requests(), Share: w.Share,
			Routes: v.RouteNamed(w.Requests())})
	}
	return all
}

// waitFound says whether a finding of waiting stands in the function of a wait, or in that of the goroutine that it
// waits for.
func (v *search) waitFound(w facts.Wait) bool {
	for _, f := range v.found {
		if f.Measure != Latency && f.Measure != Tail {
			continue
		}
		if f.Place.Function == w.Own.Function || w.Behind != nil && f.Place.Function == w.Behind.Function ||
			v.leadsTo(f, w.Own.Function) {
			return true
		}
	}
	return false
}
