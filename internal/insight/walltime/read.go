package walltime

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/exp/trace"
)

// mostSpans bounds the memory that a trace takes: 24 bytes each.
const mostSpans = 10 << 20

// reader turns the events of a trace into a history.
type reader struct {
	*history
	places  map[trace.GoID]place
	stopped int64 // since when the world is stopped, 0 if it is not
	spans   int
}

// read reads a trace to its end. One that is cut or damaged ends where the fault is: cut says so.
// The error is of a trace that has nothing to read.
func read(from io.Reader) (_ *history, err error) {
	r := &reader{history: &history{stacks: newStacks(), works: newWorks(), threadPlaces: map[int64]int16{}},
		places: map[trace.GoID]place{}}
	events, err := newEvents(from)
	if err != nil {
		return nil, fmt.Errorf("read the execution trace: %w", err)
	}
	for {
		ev, err := next(events)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && r.spans >= mostSpans {
			err = fmt.Errorf("it has more than %d changes of state", mostSpans)
		}
		if err != nil {
			r.cut = fmt.Errorf("the execution trace is read up to %d ms after its beginning only: %w",
				(r.to-r.from)/1e6, err)
			break
		}
		r.event(ev)
	}
	if len(r.goroutines) == 0 {
		return nil, errors.Join(errors.New("the execution trace has no events of goroutines"), r.cut)
	}
	return r.history, nil
}

// newEvents and next guard against the library, which panics on some damaged traces.
func newEvents(from io.Reader) (r *trace.Reader, err error) {
	defer catch(&err)
	return trace.NewReader(from)
}

func next(r *trace.Reader) (ev trace.Event, err error) {
	defer catch(&err)
	return r.ReadEvent()
}

func catch(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("it is damaged: %v", fault)
	}
}

func (r *reader) event(ev trace.Event) {
	t := int64(ev.Time())
	if r.from == 0 {
		r.from = t
	}
	r.gap(t)
	r.to = max(r.to, t)
	switch ev.Kind() {
	case trace.EventSync:
		r.stacks.nextGeneration()
	case trace.EventMetric:
		if m := ev.Metric(); m.Name == "/sched/gomaxprocs:threads" && m.Value.Kind() == trace.ValueUint64 {
			r.maxProcs = int(min(m.Value.Uint64(), 1<<15))
		}
	case trace.EventStackSample:
		if at := r.placeOf(ev.Goroutine()); at != none && r.spans < mostSpans {
			g := &r.goroutines[at]
			g.samples = append(g.samples, sampled{at: t, stack: r.stacks.intern(ev.Stack())})
			r.spans++
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		r.enter(ev, t)
	case trace.EventRangeEnd:
		r.leave(ev, t)
	case trace.EventRegionBegin, trace.EventRegionEnd:
		r.region(ev, t)
	case trace.EventLog:
		r.said(ev, t)
	case trace.EventStateTransition:
		switch s := ev.StateTransition(); s.Resource.Kind {
		case trace.ResourceGoroutine:
			r.goroutine(ev, s, t)
		case trace.ResourceProc:
			if _, to := s.Proc(); to == trace.ProcIdle {
				r.occupy(int64(s.Resource.Proc()), t, none)
			}
		}
	}
}

// goroutine notes a change of state.
func (r *reader) goroutine(ev trace.Event, s trace.StateTransition, t int64) {
	from, to := s.Goroutine()
	at := r.place(s.Resource.Goroutine())
	if from == to && len(r.goroutines[at].spans) > 0 {
		return // a new generation says where all goroutines are
	}
	own := r.stacks.intern(s.Stack)
	r.ended(at, own, t, to)
	beside := none // the creator, or who woke it up
	if to == trace.GoRunnable {
		beside = r.placeOf(ev.Goroutine())
	}
	if beside != none && beside != at {
		w := &r.goroutines[beside].wakes
		*w = append(*w, wake{t, at})
	}
	g := &r.goroutines[at]
	one := span{at: t, waker: none, proc: -1}
	switch to {
	case trace.GoRunning, trace.GoSyscall, trace.GoRunnable:
		one.thread = r.thread(int64(ev.Thread()))
	}
	switch to {
	case trace.GoRunning:
		one.state, one.proc = running, int16(ev.Proc())
		if g.assist {
			one.state = assisting
		}
		r.occupy(int64(ev.Proc()), t, at)
	case trace.GoSyscall:
		one.state, one.stack, one.proc = syscalling, own, int16(ev.Proc())
		r.occupy(int64(ev.Proc()), t, at)
	case trace.GoWaiting:
		one.state, one.stack, one.why = blocked, own, reasonOf(s.Reason, &r.stacks.all[own])
	case trace.GoRunnable:
		one.state = runnable
		switch from {
		case trace.GoNotExist:
			g.born, g.entry, g.creator, g.created = t, own, beside, r.stacks.intern(ev.Stack())
		case trace.GoWaiting:
			one.waker = beside
		}
	case trace.GoNotExist:
		g.died, one.state = t, gone
	}
	g.spans = append(g.spans, one)
	r.spans++
}

// ended closes the span that a goroutine was in: the stack where a running one stopped, and the
// processor, which it leaves unless it goes into a system call.
func (r *reader) ended(at place, own stackID, t int64, to trace.GoState) {
	g := &r.goroutines[at]
	if len(g.spans) == 0 {
		return
	}
	last := &g.spans[len(g.spans)-1]
	if last.works() {
		last.stack = own
		if to != trace.GoSyscall {
			r.vacate(int64(last.proc), t, at)
		}
	}
}

// occupy notes that a goroutine has a processor from now on.
func (r *reader) occupy(proc, t int64, by place) {
	if proc < 0 || proc >= 1<<15 {
		return
	}
	for int64(len(r.procs)) <= proc {
		r.procs = append(r.procs, nil)
	}
	p := &r.procs[proc]
	if n := len(*p); n > 0 && (*p)[n-1].by == by {
		return
	}
	*p = append(*p, occupancy{at: t, by: by})
}

// vacate notes that a goroutine leaves its processor, if it has it.
func (r *reader) vacate(proc, t int64, by place) {
	if proc < 0 || proc >= int64(len(r.procs)) {
		return
	}
	if p := r.procs[proc]; len(p) > 0 && p[len(p)-1].by == by {
		r.occupy(proc, t, none)
	}
}

// place returns the place of a goroutine in history, a new one if it is not known.
func (r *reader) place(id trace.GoID) place {
	at, ok := r.places[id]
	if !ok {
		at = place(len(r.goroutines))
		r.goroutines = append(r.goroutines, goroutine{creator: none})
		r.places[id] = at
	}
	return at
}

// placeOf is place, or none where no goroutine is meant.
func (r *reader) placeOf(id trace.GoID) place {
	if id == trace.NoGoroutine {
		return none
	}
	return r.place(id)
}

// The ranges that count: the world stopped, and a goroutine that works for the collector. The
// names are the runtime's.
const (
	rangeAssist = "GC mark assist"
	rangeSweep  = "GC incremental sweep"
	rangeStop   = "stop-the-world"
)

func (r *reader) enter(ev trace.Event, t int64) {
	switch name := ev.Range().Name; {
	case strings.HasPrefix(name, rangeStop):
		r.stopped = t
	case name == rangeAssist, name == rangeSweep:
		r.assist(ev, t, true)
	}
}

func (r *reader) leave(ev trace.Event, t int64) {
	switch name := ev.Range().Name; {
	case strings.HasPrefix(name, rangeStop):
		if r.stopped != 0 {
			r.stops = append(r.stops, interval{r.stopped, t})
			r.stopped = 0
		}
	case name == rangeAssist, name == rangeSweep:
		r.assist(ev, t, false)
	}
}

// assist begins or ends the work of a running goroutine for the collector.
func (r *reader) assist(ev trace.Event, t int64, begins bool) {
	id := ev.Goroutine()
	if scope := ev.Range().Scope; scope.Kind == trace.ResourceGoroutine {
		id = scope.Goroutine()
	}
	if id == trace.NoGoroutine {
		return
	}
	g := &r.goroutines[r.place(id)]
	g.assist = begins
	n := len(g.spans)
	if n == 0 || !g.spans[n-1].works() {
		return
	}
	one := span{at: t, waker: none, proc: g.spans[n-1].proc, thread: g.spans[n-1].thread, state: running}
	at := r.stacks.intern(ev.Stack()) // the end of an assist has none
	if begins {
		one.state, one.stack = assisting, at
	}
	if at != 0 {
		g.spans[n-1].stack = at
	}
	g.spans = append(g.spans, one)
	r.spans++
}
