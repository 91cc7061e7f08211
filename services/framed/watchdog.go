package framed

import "time"

// pulse is what the watchdog last saw a connection do, and when.
type pulse struct {
	requests, writes uint64
	since            time.Time
}

// check looks at the connection at now and says why it has to end, or notCut.
//
// Without a request and without the end of a write it is idle, or, inside a write,
// stalled. The counters stand for the clock here: they cost the stages nothing, where
// a deadline before every read and write would show in each profile.
func (p *peer) check(now time.Time, idle, stall time.Duration) reason {
	requests, writes := p.requests.Load(), p.writes.Load()
	if p.seen.since.IsZero() || requests != p.seen.requests || writes != p.seen.writes {
		p.seen = pulse{requests, writes, now}
		return notCut
	}
	quiet := now.Sub(p.seen.since)
	writing := writes%2 == 1
	switch {
	case writing && quiet >= stall:
		return cutStalled
	case !writing && quiet >= idle:
		return cutIdle
	}
	return notCut
}

// watch cuts connections that are idle or stalled, until quit is closed.
func (s *Server) watch(quit <-chan struct{}) {
	tick := time.NewTicker(max(min(s.cfg.IdleTimeout, s.cfg.WriteTimeout)/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-quit:
			return
		case now := <-tick.C:
			s.mu.Lock()
			for p := range s.peers {
				if why := p.check(now, s.cfg.IdleTimeout, s.cfg.WriteTimeout); why != notCut {
					p.cut(why)
				}
			}
			s.mu.Unlock()
		}
	}
}
