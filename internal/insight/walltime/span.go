package walltime

import "sort"

// state is what a goroutine does during a span.
type state uint8

const (
	unknown state = iota
	running
	assisting // running, for the garbage collector
	runnable
	syscalling
	blocked
	gone
)

// span is the time that a goroutine spends in one state. It ends where the next one begins.
type span struct {
	at    int64
	stack stackID // blocked, syscalling: where; running: where it ended
	// waker is the goroutine that made this one runnable.
	waker place
	proc  int16 // running and syscalling: the processor
	// thread runs it, or made it runnable; 0 is not known.
	thread int16
	state  state
	why    reason // blocked
}

// works says whether the goroutine has a processor and uses it for Go code.
func (s *span) works() bool { return s.state == running || s.state == assisting }

// place is a goroutine by its place in history.
type place int32

// none stands for what is not a goroutine: the scheduler itself, the network poller or a timer.
const none place = -1

// goroutine is what one goroutine did.
type goroutine struct {
	spans   []span    // in the order of time
	samples []sampled // in the order of time
	// creator started it; entry is its first function.
	creator    place
	entry      stackID
	created    stackID // where the creator started it
	born, died int64   // 0 if not in the trace
	wakes      []wake
	worked     []worked // in the order of time
	calling    int      // how many regions of statements are open while the trace is read
	site       siteID   // where it waits for requests; 0 if it does not
	serves     bool     // it works on requests
	assist     bool     // it works for the collector now
}

// wake is a moment at which a goroutine made another one runnable, or started it.
type wake struct {
	at  int64
	who place
}

// find is the span that covers t, -1 if the goroutine was not seen yet.
func (g *goroutine) find(t int64) int {
	return sort.Search(len(g.spans), func(i int) bool { return g.spans[i].at > t }) - 1
}

// end is where span i ends; last is the end of the trace.
func (g *goroutine) end(i int, last int64) int64 {
	if i+1 < len(g.spans) {
		return g.spans[i+1].at
	}
	return last
}

// occupancy says who has a processor from a moment on.
type occupancy struct {
	at int64
	by place
}

// history is a trace as this package reads it.
type history struct {
	goroutines []goroutine
	procs      [][]occupancy // of each processor, in the order of time
	// maxProcs is how many goroutines can run at the same time; 0 if the trace does not say.
	maxProcs int
	stops    []interval // the world was stopped
	// gaps are stretches without an event, held those of them in which a quota or a signal held the program back; both
	// in the order of time.
	gaps []gap
	held []held
	// heldThreads are the stretches in which the kernel did not let single threads run; threadPlaces numbers those.
	heldThreads  map[int16][]held
	threadPlaces map[int64]int16
	stacks       *stacks
	works        *works
	from, to     int64
	// cut says why the trace ends before its end; nil if it does not.
	cut error
}

// interval is a stretch of time.
type interval struct{ from, to int64 }

// overlap is how much of [from, to) the interval covers.
func (i interval) overlap(from, to int64) int64 { return max(0, min(i.to, to)-max(i.from, from)) }
