package load

import (
	"cmp"
	"time"
)

// check looks whether everything has been silent for too long: in a drain that ends
// the stretch, before it the session is told. Bytes that come in only put that moment
// off, so nothing needs to be looked at again before checkAt.
func (s *shard) check(now int64) {
	patience := int64(s.plan.Timeout)
	if s.phase == draining {
		patience = int64(s.order.drain)
	}
	// A drain gives even those their time that were silent before: a target that stood
	// still may come back.
	last := s.stopped
	for _, l := range s.links {
		switch {
		case l.up && l.sent.n+len(l.ends) > 0, !l.up && s.phase == sending:
			last = max(last, l.quiet)
		case s.phase == sending:
			last = now // about to be filled
		}
	}
	s.checkAt = last + patience
	if s.checkAt > now {
		s.silent.Store(false)
		return
	}
	if s.phase == draining {
		s.finish(now)
		return
	}
	s.checkAt = now + patience
	if s.plan.RequestTimeout > 0 {
		return // what waits too long fails by itself
	}
	s.silent.Store(true)
	select {
	case s.notice <- struct{}{}:
	default: // a notice is waiting already
	}
}

// expire calls drop for every link whose oldest request has waited for
// Plan.RequestTimeout, or that has got parts of one answer for as long as an answer may
// take. Answers only put the next such moment off, so nothing needs to be looked at again
// before expireAt.
func (s *shard) expire(now int64, drop func(place int, cause Cause)) {
	if s.phase == idle {
		s.expireAt = never
		return
	}
	if now < s.expireAt {
		return
	}
	next := now + int64(s.answerTime())
	for i, l := range s.links {
		if !l.up || l.sent.n == 0 {
			continue
		}
		at, cause := s.expiry(l)
		if at > now {
			next = min(next, at)
			continue
		}
		drop(i, cause)
	}
	s.expireAt = next
}

// answerTime is how long a whole answer may take, streamTime one that is a stream of events.
func (s *shard) answerTime() time.Duration { return cmp.Or(s.plan.RequestTimeout, s.plan.Timeout) }

func (s *shard) streamTime() time.Duration { return cmp.Or(s.plan.StreamTimeout, s.answerTime()) }

// expiry is when what l waits for has taken too long, and what to call that.
func (s *shard) expiry(l *link) (at int64, cause Cause) {
	limit := int64(s.answerTime())
	at, cause = never, Timeout
	if s.plan.RequestTimeout > 0 {
		at = l.sent.oldest() + limit
	}
	if l.coming == 0 {
		return at, cause
	}
	began := max(l.coming, l.sent.oldest())
	if l.events && s.streamTime() > s.answerTime() { // streams are expected: one may only not stop coming
		return min(l.quiet+limit, began+int64(s.streamTime())), EventStream
	}
	if l.events {
		return min(at, began+int64(s.streamTime())), EventStream
	}
	// One that stopped coming is not without end, also when requests are sent meanwhile.
	if end := began + limit; end-l.came < limit/2 {
		return min(at, end), Endless
	}
	return at, cause
}
