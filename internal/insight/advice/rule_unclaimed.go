package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// What is large and no other rule explains. These rules know no remedy: they name the line, and ask.

// large is the part of the CPU time, or of a latency, about which hone is not silent.
const large = 0.25

// onlyAsks says whether a rule only asks. Such a rule does not know a cause, so it does not explain a difference.
func onlyAsks(rule string) bool { return rule == heavyCall.Name || rule == longWait.Name }

var heavyCall = &Rule{
	Name: "heavy-call", Title: "a library that takes much of the CPU time, for a reason that no other rule knows",
	Looks: "one function of the user's that calls one function of a library, whose time no other finding explains",
	Thresholds: []Threshold{
		{Name: "cost", Value: large, Reason: "less is often the work that the program is there for"},
		{Name: "gain", Value: 0, Reason: "what can be gained is not known before the questions are answered"},
	},
	Remedy: Remedy{
		Change: "Three questions: Does it get the same arguments again and again, so that the result can be kept? Does it " +
			"run in a loop, so that one call could do the work of many? Is all of what it does needed for the answer?",
		Before: "sum := library.Expensive(input) // in each request",
		After:  "sum, ok := results.get(input) // if the same input comes again",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, v.unclaimedCalls(), func(u *facts.Account) string {
			return fmt.Sprintf("%s takes %s of the CPU time%s", facts.Short(u.Via), units.Share(u.Cost),
				perRequest(u, "allocations"))
		})
		for _, f := range all {
			f.Gain, f.Mechanical = 0, false
		}
		return all
	},
}

// unclaimedCalls matches the library's function that the user's code calls on a stack which no finding explains. System
// calls that read and write connections and files belong to what is read and written, and middleware is the reason for
// nothing that the handler does.
func (v *search) unclaimedCalls() func(*facts.Stack) int {
	claimed := map[*facts.Stack]bool{}
	for i := range v.claimed {
		claimed[&v.Stacks[i]] = true
	}
	return func(s *facts.Stack) int {
		own := s.Own(0)
		if own == 0 || own == len(s.Frames) || s.Kernel() && (s.Find(transfers) >= 0 || bareCall(&s.Frames[own-1])) ||
			s.HandsOn(own) || claimed[s] {
			return -1
		}
		if f := &s.Frames[own-1]; f.Origin == prof.Standard || f.Origin == prof.Dependency {
			return own - 1
		}
		return -1
	}
}

// bareCall takes the functions of system calls themselves.
func bareCall(f *facts.Frame) bool { return f.Pkg == "syscall" || f.Pkg == "golang.org/x/sys/unix" }

// transfers takes what reads and writes connections and files.
func transfers(f *facts.Frame) bool {
	return f.Is("internal/poll.(*FD).*", "net.(*netFD).*", "net.(*conn).*", "net.(*TCPConn).*", "os.(*File).*")
}

var longWait = &Rule{
	Name: "long-wait", Title: "a wait that takes much of a request, for a reason that no other rule knows",
	Looks: "waits for a backend, a channel, a lock, a timer or a system call that no other finding explains",
	Thresholds: []Threshold{
		{Name: "latency", Value: large, Reason: "less is often the work that the program is there for"},
		{Name: "gain", Value: 0, Reason: "as for the CPU time"},
	},
	Remedy: Remedy{
		Change: "Three questions: Can it be asked for earlier, or at the same time as something else? Is it asked for " +
			"several times where once would do? Is the answer needed before the request can go on?",
		Before: "a := fetch(x)\nb := fetch(y) // after the first answer",
		After:  "g.Go(func() error { a = fetch(x) })\ng.Go(func() error { b = fetch(y) })",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.waits(r, func(w facts.Wait) string {
			if v.waitFound(w) {
				return ""
			}
			switch w.Own.State {
			case walltime.Network, walltime.Channel, walltime.Lock, walltime.Sleep, walltime.Syscall:
				return fmt.Sprintf("%s wait for %s: %s", w.Who(), ofTheirTime(w), callText(w.Own))
			}
			return ""
		})
		for _, f := range all {
			f.Gain, f.Mechanical = 0, false
		}
		return all
	},
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
