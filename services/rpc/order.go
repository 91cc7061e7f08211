package rpc

import "errors"

// Some servers send stream id 0 whatever the request had, and have no heartbeats. Their
// answers come in the order of the requests. The published server is one of them; it ends
// a connection on which a heartbeat comes.

// unnumbered says that an answer may be one of such a server.
func unnumbered(h Header) bool { return h.Kind == KindRequest && h.Stream == 0 }

// order is the requests of a link in the order in which they are sent, as long as the
// server may be one that does not repeat stream ids. The link's mu guards it.
type order struct {
	numbered bool  // an answer has had a stream id: the order does not matter
	needed   bool  // one has not
	waiting  []int // slots, or one of those below
}

const (
	noSlot   = -1 // a heartbeat of the clock
	noAnswer = -2 // a request that wants no answer, and gets one where types are not looked at
)

// errUnnumbered ends a connection on which an answer may belong to two requests.
var errUnnumbered = errors.New("answer with stream id 0, which no request has: after a call without an answer it cannot be told which request it is for")

// push notes a request. One of several calls in a row that want no answer is enough to know,
// and those that want one are no more than there are slots.
func (o *order) push(slot int) {
	if n := len(o.waiting); o.numbered || slot == noAnswer && n > 0 && o.waiting[n-1] == noAnswer {
		return
	}
	o.waiting = append(o.waiting, slot)
}

// pop returns the request that the next answer without a stream id is for.
func (o *order) pop() (slot int, err error) {
	if len(o.waiting) == 0 {
		return 0, errors.New("answer to no request, stream id 0")
	}
	slot = o.waiting[0]
	o.waiting = o.waiting[1:]
	if slot == noAnswer {
		return 0, errUnnumbered
	}
	return slot, nil
}

// identify gives an answer without a stream id that of its request. Only the reader calls it.
func (l *link) identify(h Header) (Header, error) {
	if l.numbered {
		return h, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !unnumbered(h) {
		l.numbered, l.order = true, order{numbered: true}
		return h, nil
	}
	l.order.needed = true
	index, err := l.order.pop()
	if err != nil {
		return h, err
	}
	if index == noSlot {
		h.Kind = KindHeartbeat
		return h, nil
	}
	// The slot is this request's until its answer has come.
	state := l.slots[index].state.Load()
	h.Kind, h.Stream = kindOf(state), stream(index, state, len(l.slots))
	return h, nil
}
