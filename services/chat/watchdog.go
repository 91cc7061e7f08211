package chat

import "time"

// pulse is what the watchdog last saw a connection do, and since when it has seen
// nothing else.
type pulse struct {
	accepted, writes  uint64
	active, unblocked time.Time
}

// check looks at the connection at now and says why it has to end, or notCut. It is
// stalled if a write has been under way, and none has ended, for stall. It is idle if
// no request was accepted for that long: broadcasts that it is sent do not count, nor
// do requests that are refused.
func (p *peer) check(now time.Time, idle, stall time.Duration) reason {
	writes := p.writes.Load()
	if p.writing.Load() == 0 || writes != p.seen.writes || p.seen.unblocked.IsZero() {
		p.seen.writes, p.seen.unblocked = writes, now
	}
	refused := p.refusals.Load() // before requests: a request counts before its refusal
	accepted := p.requests.Load() - refused
	if accepted != p.seen.accepted || p.seen.active.IsZero() {
		p.seen.accepted, p.seen.active = accepted, now
	}
	switch {
	case now.Sub(p.seen.unblocked) >= stall:
		return cutStalled
	case now.Sub(p.seen.active) >= idle:
		return cutIdle
	}
	return notCut
}

// watch cuts connections that are idle or stalled and flushes the journal, until quit
// is closed.
func (s *Server) watch(quit <-chan struct{}) {
	tick := time.NewTicker(s.cfg.period())
	defer tick.Stop()
	for {
		select {
		case <-quit:
			return
		case now := <-tick.C:
			s.inspect(now)
			s.journal.flush()
		}
	}
}

func (s *Server) inspect(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.peers {
		if why := p.check(now, s.cfg.IdleTimeout, s.cfg.WriteTimeout); why != notCut {
			p.cut(why)
		}
	}
}
