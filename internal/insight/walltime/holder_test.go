package walltime

import (
	"slices"
	"testing"
)

// frames makes a stack of a test, the innermost frame first.
func (s *stacks) framesAt(line int, functions ...string) stackID {
	var all []int32
	for _, f := range functions {
		all = append(all, int32(len(s.frames)))
		s.frames = append(s.frames, Frame{Function: f, File: "/src/main.go", Line: line})
	}
	key := make([]byte, 0, len(all))
	for _, i := range all {
		key = append(key, byte(i))
	}
	return s.add(all, string(key))
}

// The holder of a lock may wait itself: to run, which is told by what it was in before, or for another lock, which is
// told with what that is held across.
func TestAHolderThatWaits(t *testing.T) {
	h := &history{stacks: newStacks(), works: newWorks()}
	lock := h.stacks.framesAt(10, "sync.(*Mutex).Lock", "main.rate")
	get := h.stacks.framesAt(12, "runtime.selectgo", "net/http.(*persistConn).roundTrip", "net/http.Get", "main.rate")
	log := h.stacks.framesAt(30, "sync.(*Mutex).Lock", "main.log")
	sleep := h.stacks.framesAt(31, "time.Sleep", "main.write")
	other := h.stacks.framesAt(50, "main.search")
	w := newWalker(h)
	l := &labeller{walker: w, calls: map[callKey]Call{}}
	waits := w.under(0, first, kindLock, lock)
	ready := w.under(waits, wokeUp, kindRunnable, get)
	for name, c := range map[string]struct {
		chain          chainID
		behind, holder string
		state          State
	}{
		"to run":        {ready, "main.rate", "", Runnable},
		"behind others": {w.under(ready, ahead, kindOthers, other), "main.rate", "", Runnable},
		"another lock": {
			w.under(w.under(waits, wokeUp, kindLock, log), wokeUp, kindSleep, sleep), "main.write", "main.log", Sleep,
		},
		"what it does itself": {w.under(waits, wokeUp, kindSleep, sleep), "main.write", "", Sleep},
		"not known": {
			w.under(w.under(waits, wokeUp, kindRunnable, 0), ahead, kindOthers, other), "main.search", "", Requests,
		},
	} {
		got, holder := l.label(c.chain), ""
		if got.Holder != nil {
			holder = got.Holder.Function
		}
		if got.State != Lock || got.Behind == nil || got.Behind.Function != c.behind || got.Behind.State != c.state ||
			holder != c.holder {
			t.Errorf("%s: %+v behind %+v, holder %q; want behind %s %s, holder %q", name, got.Call, got.Behind, holder,
				c.state, c.behind, c.holder)
		}
	}
}

// A cause is named by what the holder does, though more of its time passes while it waits to run.
func TestALockIsNamedByWhatItIsHeldAcross(t *testing.T) {
	own := Call{State: Lock, Function: "main.rate", Line: 10}
	part := func(nanos float64, behind Call) Part {
		return Part{Label: Label{Call: own, Behind: &behind}, Nanos: nanos}
	}
	slow := &Cohort{LatencyNanos: 100, Parts: []Part{part(50, Call{State: Requests}),
		part(30, Call{State: Network, Function: "main.rate"}), part(20, Call{State: Sleep, Function: "main.rate"})}}
	causes, _ := Causes(&Cohort{LatencyNanos: 1}, slow)
	if len(causes) != 1 || causes[0].Behind.State != Network || causes[0].Nanos != 100 {
		t.Errorf("%+v", causes)
	}
	slow.Parts = slices.DeleteFunc(slow.Parts, func(p Part) bool { return p.Behind.tells() })
	if causes, _ = Causes(&Cohort{LatencyNanos: 1}, slow); causes[0].Behind.State != Requests {
		t.Errorf("none tells it: %+v", causes)
	}
}
