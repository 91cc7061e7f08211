package advice

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gohone/hone/prof"
)

// fewestTicks is how many samples of the CPU profile a finding needs that rests on CPU time alone: a site that is
// never hot has three by chance in a profile of 150.
const fewestTicks = 5

// spendsOn makes a finding of each of the user's functions that spends more on what match takes than the rule's
// threshold "cost". say is the finding's title.
func (v *View) spendsOn(r *Rule, match func(*stack) int, say func(*use) string) []*found {
	var all []*found
	for _, u := range v.uses(match) {
		if u.cost < r.threshold("cost") {
			break
		}
		if v.seen(u.ticks, u.drawn, u.cpu, u.cost-u.cpu) < r.threshold("cost") {
			continue
		}
		if title := say(u); title != "" {
			all = append(all, v.finding(u, title))
		}
	}
	return all
}

// seen is the part of a cost that rests on enough samples: of CPU time on those of the CPU profile, of the collector's
// work on those of the allocations and of the collector.
func (v *View) seen(ticks int64, drawn, cpu, blamed float64) (share float64) {
	if ticks >= fewestTicks {
		share += cpu
	}
	if drawn >= fewestDrawn && v.collector*float64(v.samples) >= fewestTicks {
		share += blamed
	}
	return share
}

// leastPart is the share of CPU time from which on a place counts among several of one cause.
const leastPart = 0.005

// spendsTogether is spendsOn for what is one cause at however many places: the finding stands at the dearest, and the
// others are rows of it.
func (v *View) spendsTogether(r *Rule, match func(*stack) int, say func(*use) string) []*found {
	var whole *found
	ticks, cpu, blamed, drawn := int64(0), 0.0, 0.0, 0.0
	for _, u := range v.uses(match) {
		if u.cost < leastPart {
			break
		}
		ticks, cpu, blamed, drawn = ticks+u.ticks, cpu+u.cpu, blamed+u.cost-u.cpu, drawn+u.drawn
		if whole == nil {
			whole = v.finding(u, say(u))
			continue
		}
		whole.Cost, whole.Gain = whole.Cost+u.cost, whole.Gain+u.cost
		whole.stacks = append(whole.stacks, u.stacks...)
		whole.Evidence = append(whole.Evidence, Evidence{Source: "also",
			Text: fmt.Sprintf("%s: %s of the CPU time", u.place, percent(u.cost))})
	}
	if whole == nil || v.seen(ticks, drawn, cpu, blamed) < r.threshold("cost") {
		return nil
	}
	return []*found{whole}
}

// finding is one of CPU time: all that the use costs goes if it does.
func (v *View) finding(u *use, title string) *found {
	return &found{
		Finding: Finding{
			Title: title, Place: u.place, Via: short(u.via), Measure: CPU, Cost: u.cost, Gain: u.cost,
			Evidence:   v.evidence(u),
			Mechanical: u.direct,
		},
		stacks: u.stacks, about: []string{u.what, u.via},
	}
}

// perRequest says how often something happens, where the profile of allocations counts it.
func (u *use) perRequest(noun string) string {
	if u.drawn < fewestDrawn {
		return ""
	}
	return " (" + digits(u.objects) + " " + noun + " per request)"
}

// called names what a use spends on: the function that was looked for, and what the user's line calls for it.
func (u *use) called() string {
	if u.what == u.via || u.via == "" {
		return short(u.what)
	}
	return short(u.what) + ", by way of " + short(u.via) + ","
}

// askedFor narrows match to functions that the user's code or a library outside of the standard one calls: what the
// standard library does for itself, such as net/http with the time in its headers, is not the user's choice.
func askedFor(match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		at := match(s)
		if at < 0 || at+1 >= len(s.frames) || s.frames[at+1].origin < prof.Dependency {
			return -1
		}
		return at
	}
}

// kernel says whether a stack is in a system call.
func (s *stack) kernel() bool {
	return len(s.frames) > 0 && s.find(func(f *frame) bool {
		return f.is("internal/runtime/syscall.*", "internal/runtime/syscall/linux.*", "runtime/internal/syscall.*",
			"syscall.Syscall*", "syscall.RawSyscall*",
			"syscall.syscall*", "syscall.rawSyscall*", "runtime.futex", "runtime.epollwait")
	}) >= 0
}

// assists says whether an allocation works for the collector.
func (s *stack) assists() bool {
	return s.find(func(f *frame) bool { return f.is("runtime.gcAssistAlloc*") }) >= 0
}

// underOwn is match without stacks on which no line of the user's is the reason.
func underOwn(match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		if own := s.own(at); own == len(s.frames) || s.handsOn(own) {
			return -1
		}
		return at
	}
}

// unless is match without stacks whose nearest frame of the user's, by its number, is an exception.
func unless(exception func(s *stack, own int) bool, match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		if at := match(s); at >= 0 && !exception(s, s.own(at)) {
			return at
		}
		return -1
	}
}

// outsideKernel is match without stacks in system calls, which belong to what is read or written.
func outsideKernel(match func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		if s.kernel() {
			return -1
		}
		return match(s)
	}
}

// directly matches stacks on which the user's code itself, without a library between, calls one of these functions of
// the runtime; they are the compiler's names for what a line does.
func directly(functions ...string) func(*stack) int {
	return func(s *stack) int {
		at := s.find(func(f *frame) bool { return f.origin == prof.Runtime && f.is(functions...) })
		if at < 0 {
			return -1
		}
		for i := at; i < len(s.frames); i++ {
			switch s.frames[i].origin {
			case prof.Own:
				return at
			case prof.Runtime:
			default:
				return -1
			}
		}
		return -1
	}
}

// withArguments is match, and what the user's lines on which it hits allocate themselves: the arguments that they put
// into interfaces and slices for the call.
func (v *View) withArguments(match func(*stack) int) func(*stack) int {
	lines := map[lineKey]bool{}
	for i := range v.stacks {
		s := &v.stacks[i]
		if at := match(s); at >= 0 && at+1 < len(s.frames) && s.frames[at+1].origin == prof.Own {
			lines[lineKey{s.frames[at+1].function, s.frames[at+1].line}] = true
		}
	}
	boxes := directly("runtime.convT*", "runtime.newobject", "runtime.mallocgc*")
	return either(match, func(s *stack) int {
		at := boxes(s)
		if at < 0 || s.find(madeOtherwise) >= 0 {
			return -1
		}
		if own := &s.frames[s.own(at)]; !lines[lineKey{own.function, own.line}] {
			return -1
		}
		return at
	})
}

// madeOtherwise takes the ways to allocate that are not an argument of a call: a line may join strings or grow a slice
// as well.
func madeOtherwise(f *frame) bool {
	return f.is("runtime.concatstring*", "runtime.growslice*", "runtime.slicebytetostring*", "runtime.stringtoslice*",
		"runtime.makeslice*", "runtime.makemap*") || growsMap(f)
}

// either takes the first of several matches.
func either(matches ...func(*stack) int) func(*stack) int {
	return func(s *stack) int {
		for _, m := range matches {
			if at := m(s); at >= 0 {
				return at
			}
		}
		return -1
	}
}

// logPackage says whether a package writes logs: by its name, as log/slog, logrus and zap have it.
func logPackage(path string) bool {
	if path == "log" || strings.HasPrefix(path, "log/") {
		return true
	}
	for element := range strings.SplitSeq(path, "/") {
		switch name := strings.TrimPrefix(element, "go-"); name {
		case "log", "logr", "logrus", "zap", "zapcore", "zerolog", "klog", "glog", "hclog", "logger", "logging",
			"log15", "slog", "seelog", "logxi":
			return strings.Contains(path, ".") // a module, not a package of the standard library
		}
	}
	return false
}

// isLog says whether a frame writes a log line, or prepares one: by its package, and of other libraries by the name of
// the function or of its type.
func isLog(f *frame) bool {
	switch f.origin {
	case prof.Standard:
		return logPackage(f.pkg) || f.is("fmt.Print", "fmt.Println", "fmt.Printf") // standard output is a log, too
	case prof.Dependency:
		return logPackage(f.pkg) || logName.MatchString(f.name)
	}
	return false
}

// logName takes LogEntry, logFormatter, accessLogWriter and their like.
var logName = regexp.MustCompile(`[lL]og(Entry|Event|Record|Line|Formatter|Writer)`)
