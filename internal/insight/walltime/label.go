package walltime

import (
	"slices"
	"strings"
)

// State is what a request's time was spent on.
type State string

// The states.
const (
	Unsent      State = "unsent"   // due, and not sent yet by the generator
	Before      State = "before"   // in the network and the kernel, before the program woke up
	Runnable    State = "runnable" // waiting for a processor
	Running     State = "running"
	Syscall     State = "syscall"
	Lock        State = "lock"
	Channel     State = "channel" // and select, wait groups, condition variables
	Network     State = "network" // a backend
	Sleep       State = "sleep"   // and timers
	Collector   State = "collector"
	Throttled   State = "throttled" // the quota of CPU time of a control group was used up
	Halted      State = "halted"    // a signal had stopped the program
	Preempted   State = "preempted" // other programs had the CPU
	Stolen      State = "stolen"    // the host of the virtual machine had given the CPU to others
	After       State = "after"     // in the network, the kernel and the generator, after the answer
	Requests    State = "requests"  // of other connections, which had the processor
	Observer    State = "observer"  // the trace itself
	Unexplained State = "unexplained"
)

// Call says where in the program something happened.
type Call struct {
	State State `json:"state"`
	// Library is the innermost call of a library, Outer the one that the user's code made.
	Library string `json:"library,omitempty"`
	Outer   string `json:"outer,omitempty"`
	// Function, File and Line are the innermost frame of the user's module; Function is empty if there is none.
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Limit is MaxOpenConns of the pool of database/sql that was waited for; 0 if that is not known.
	Limit int `json:"limit,omitempty"`
}

// Label is a Call and what it waited for.
type Label struct {
	Call
	// Behind is what another goroutine did meanwhile: the one that held the lock, sent the value, or
	// had the processor.
	Behind *Call `json:"behind,omitempty"`
	// Holder is where the holder of a lock waits itself, if that is for Behind: for another lock, or at a channel.
	Holder *Call `json:"holder,omitempty"`
}

var stateOf = map[kind]State{
	kindUnknown: Unexplained, kindRunning: Running, kindRunnable: Runnable, kindSyscall: Syscall, kindLock: Lock,
	kindWait: Channel, kindChannel: Channel, kindNetwork: Network, kindSleep: Sleep, kindCollector: Collector,
	kindStopped: Collector, kindBefore: Before, kindAfter: After, kindUnsent: Unsent, kindOthers: Requests,
	kindQueue:     Channel,
	kindThrottled: Throttled, kindHalted: Halted, kindPreempted: Preempted, kindStolen: Stolen,
}

// labeller names chains by the user's code.
type labeller struct {
	*walker
	module string
	calls  map[callKey]Call
	// lengths are those of the calls of statements: see callLengths.
	lengths map[workID][]int64
}

type callKey struct {
	stack stackID
	kind  kind
}

// label names a chain: by its first stack, which is the request's own, and its last.
func (l *labeller) label(id chainID) Label {
	c := l.chains[id]
	own, next, depth := c, c, 0
	for own.before != 0 {
		own, next, depth = l.chains[own.before], own, depth+1
	}
	if depth > 0 && l.standsFor(next, own, depth) {
		own, depth = next, depth-1
	}
	one := Label{Call: l.call(own.stack, own.kind)}
	if own.kind == kindRunnable || own.kind == kindBefore {
		one.Call = Call{State: one.State} // where it waits to run says nothing
	}
	if depth == 0 {
		return one
	}
	behind := l.behind(id)
	if own.kind == kindLock {
		behind, one.Holder = l.holder(next, depth, behind)
	}
	one.Behind = &behind
	switch {
	case c.link == ahead && (one.State == Before || one.State == Runnable):
		one.State = Runnable
		if behind.State == Collector {
			one.Call, one.Behind = Call{State: Collector}, nil
		}
	case stateOf[c.kind] == Network && one.State == Channel && own.kind != kindQueue && !l.userBlocks(own.stack):
		// A library that waits for its own reader of a connection, as net/http's client does.
		one.State = Network
	}
	return one
}

// holder says what the holder of a lock does, of which next is the link of the chain. Where it waits to run that is
// where it was before, whatever has the processor. Where it waits for another lock, or at a channel of the user's, for
// what a third goroutine does (behind), it is also said where.
func (l *labeller) holder(next chain, depth int, behind Call) (Call, *Call) {
	at := l.call(next.stack, next.kind)
	if at.Function == "" {
		return behind, nil
	}
	if next.kind == kindRunnable {
		return at, nil
	}
	waits := next.kind == kindLock || stateOf[next.kind] == Channel && l.userBlocks(next.stack)
	if depth > 1 && waits && (at.Function != behind.Function || at.Line != behind.Line) {
		return behind, &at
	}
	return behind, nil
}

// standsFor says whether a goroutine that a request's own one started, and waits for, does its work: the handler of an
// http.TimeoutHandler, where a library waits; or a part of a fan-out that itself waits for another goroutine. What it
// does is then what the request does.
func (l *labeller) standsFor(next, own chain, depth int) bool {
	if next.link != child || stateOf[own.kind] != Channel || l.call(next.stack, next.kind).Function == "" {
		return false
	}
	waits := depth > 1 && (stateOf[next.kind] == Channel || next.kind == kindLock)
	return waits || !l.userBlocks(own.stack)
}

// behind names what a chain waits for: its last stack or, if that is a library's own goroutine, the last
// one with the user's code, which waits for it.
func (l *labeller) behind(id chainID) Call {
	last := l.chains[id]
	leaf := l.call(last.stack, last.kind)
	for at := last; at.before != 0; at = l.chains[at.before] {
		c := l.call(at.stack, at.kind)
		if c.Function == "" {
			continue
		}
		if c.State == Channel && leaf.State == Network && !l.userBlocks(at.stack) {
			c.State = Network
		}
		return c
	}
	return leaf
}

// call names a stack in the state of a kind.
func (l *labeller) call(id stackID, k kind) Call {
	key := callKey{id, k}
	if c, ok := l.calls[key]; ok {
		return c
	}
	c := Call{State: stateOf[k]}
	frames := l.stacks.framesOf(id)
	if slices.ContainsFunc(frames, observes) {
		c.State = Observer
		l.calls[key] = c
		return c
	}
	if k == kindRunning || k == kindOthers {
		frames = trimEnd(frames)
	}
	user := l.userFrame(frames)
	if k == kindOthers && user == len(frames) {
		frames, user = nil, 0 // which part of a library served another request does not matter
	}
	for _, f := range frames[:user] {
		if !hidden(f.Function) {
			c.Library = f.Function
			break
		}
	}
	if user > 0 {
		c.Outer = frames[user-1].Function
	}
	if user < len(frames) {
		c.Function, c.File, c.Line = frames[user].Function, frames[user].File, frames[user].Line
	}
	if l.stacks.all[id].pool {
		c.Limit = l.limit(frames[user:])
	}
	l.calls[key] = c
	return c
}

// userFrame is the place of the innermost frame of the user's module; len(frames) if there is none.
func (l *labeller) userFrame(frames []Frame) int {
	for i, f := range frames {
		if l.isUser(f.Function) {
			return i
		}
	}
	return len(frames)
}

// observes says whether a frame is of what takes the trace: the runtime's reader, hone's probe, the
// pages of net/http/pprof.
func observes(f Frame) bool {
	for _, p := range []string{
		"main.honeProbe", "runtime/trace.Start", "runtime/trace.(*traceMultiplexer)", "runtime.(*traceAdvancerState)",
		"runtime.traceStartReadCPU", "net/http/pprof.",
	} {
		if strings.HasPrefix(f.Function, p) {
			return true
		}
	}
	return false
}

func (l *labeller) isUser(function string) bool {
	if strings.HasPrefix(function, "main.") {
		return true
	}
	rest, ok := strings.CutPrefix(function, l.module)
	return ok && l.module != "" && rest != "" && (rest[0] == '/' || rest[0] == '.')
}

// userBlocks says whether the user's own code blocks on a stack, and no library beneath it.
func (l *labeller) userBlocks(id stackID) bool {
	for _, f := range l.stacks.framesOf(id) {
		if l.isUser(f.Function) {
			return true
		}
		if !hidden(f.Function) && !strings.HasPrefix(f.Function, "sync.") {
			return false
		}
	}
	return false
}

// hidden says whether a function is of the inside of the standard library, which explains nothing.
func hidden(function string) bool {
	for _, p := range []string{"runtime.", "internal/", "syscall.", "sync.runtime_", "net.(*netFD)."} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	// see package sqltrace
	return strings.HasPrefix(function, "database/sql.(*") && strings.Contains(function, ").hone")
}

// trimEnd leaves out the innermost calls of a stretch of running, in which it ended because they
// block or make a system call: the trace knows the stack at the end of the stretch only.
func trimEnd(frames []Frame) []Frame {
	for len(frames) > 1 && endsStretch(frames[0].Function) {
		frames = frames[1:]
	}
	return frames
}

func endsStretch(function string) bool {
	for _, p := range []string{"runtime.", "internal/", "syscall.", "sync.", "net.", "time.Sleep"} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
