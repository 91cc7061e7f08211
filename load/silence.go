package load

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
// Plan.RequestTimeout. Answers only put the next such moment off, so nothing needs to
// be looked at again before expireAt.
func (s *shard) expire(now int64, drop func(place int)) {
	timeout := int64(s.plan.RequestTimeout)
	if timeout == 0 || s.phase == idle {
		s.expireAt = never
		return
	}
	if now < s.expireAt {
		return
	}
	next := now + timeout
	for i, l := range s.links {
		if !l.up || l.sent.n == 0 {
			continue
		}
		if at := l.sent.oldest() + timeout; at > now {
			next = min(next, at)
			continue
		}
		drop(i)
	}
	s.expireAt = next
}
