package rpc

import "sync/atomic"

// slot is a place for one outstanding call on a pipelined connection. A call takes a
// free slot and leaves it when it is answered. A call that gave up leaves its slot
// reserved until the late answer comes or the connection ends: so no answer ever meets
// another call.
//
//	free -> reserved -> waiting -> answered            -> free   by the caller, the reader, the caller
//	                    waiting -> abandoned           -> free   by the caller, then by the late answer
//	                    waiting -> expired -> abandoned          by the clock, the caller
//	                    waiting -> expired -> answered -> free   by the clock, the reader, the caller
//	                    waiting -> failed                        by the connection's end, which is the slot's
//
// Each change is one compare-and-swap of state, so exactly one side wins. The side that moves
// a call from waiting to answered, expired or failed sends one token on done, which the
// caller takes before anything else: so done is empty whenever the slot is free.
type slot struct {
	state  atomic.Uint32
	expiry atomic.Uint32 // the tick that ends the call; 0: none does
	done   chan struct{} // capacity 1

	// buf is the caller's in reserved and answered (the encoded argument, the answer's
	// body), and the reader's otherwise.
	buf []byte

	_ [16]byte // a cache line of its own: neighbours are other callers'
}

// state is a number of use (generation), one bit for a heartbeat, and three bits of
// these.
const (
	slotFree uint32 = iota
	slotReserved
	slotWaiting
	slotAnswered
	slotAbandoned
	slotExpired
	slotFailed

	slotPhase     = 7
	slotHeartbeat = 8
	slotUse       = 16 // one generation
)

// keptSlot is the largest buffer that a slot keeps, in bytes: with 1,024 slots, 4 MB.
const keptSlot = 4 << 10

// reserve takes the slot if it is free.
func (s *slot) reserve(kind Kind) bool {
	was := s.state.Load()
	if was&slotPhase != slotFree {
		return false
	}
	next := (was&^(slotPhase|slotHeartbeat) + slotUse) | slotReserved
	if kind == KindHeartbeat {
		next |= slotHeartbeat
	}
	return s.state.CompareAndSwap(was, next)
}

// to is the word was with another phase.
func to(was, phase uint32) uint32 { return was&^slotPhase | phase }

// move changes the phase of a slot that no other goroutine may change now.
func (s *slot) move(phase uint32) { s.state.Store(to(s.state.Load(), phase)) }

// swap changes the phase from one to another, and fails if it is not that one.
func (s *slot) swap(from, phase uint32) bool {
	was := s.state.Load()
	return was&slotPhase == from && s.state.CompareAndSwap(was, to(was, phase))
}

// stream is the stream id of the use that state belongs to: the slot's number in the low
// bits, which window, a power of two, leaves, and as much of the generation as fits above
// them. So an answer that comes twice, or to a call long gone, is seen for what it is.
func stream(index int, state uint32, window int) uint16 {
	return uint16(uint32(index) + state/slotUse*uint32(window))
}

func kindOf(state uint32) Kind {
	if state&slotHeartbeat != 0 {
		return KindHeartbeat
	}
	return KindRequest
}
