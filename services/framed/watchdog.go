package framed

import "time"

// pulse is what the watchdog last saw a connection do, and when.
type pulse struct {
	requests, writes uint64
	since            time.Time
}

// check looks at a connection's counters at now and says why it has to end, or notCut.
// writes counts the writes begun plus the writes ended.
//
// Without a request and without the end of a write it is idle, or, inside a write,
// stalled. The counters stand for the clock here: they cost the stages nothing, where
// a deadline before every read and write would show in each profile.
func (p *pulse) check(requests, writes uint64, now time.Time, cfg *Config) reason {
	if p.since.IsZero() || requests != p.requests || writes != p.writes {
		*p = pulse{requests, writes, now}
		return notCut
	}
	quiet := now.Sub(p.since)
	writing := writes%2 == 1
	switch {
	case writing && quiet >= cfg.WriteTimeout:
		return cutStalled
	case !writing && quiet >= cfg.IdleTimeout:
		return cutIdle
	}
	return notCut
}

// watch cuts connections that are idle or stalled, until quit is closed. It looks at
// the peers itself and has the crowd look at its own.
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
				if why := p.seen.check(p.requests.Load(), p.writes.Load(), now, &s.cfg); why != notCut {
					p.cut(why)
				}
			}
			s.order(orderSweep)
			s.mu.Unlock()
		}
	}
}
