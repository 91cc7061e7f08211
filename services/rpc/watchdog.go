package rpc

import "time"

// pulse is what the watchdog last saw a connection do, and when.
type pulse struct {
	frames, writes uint64
	active         time.Time // last seen to complete a frame or a write, or in a handler
	wrote          time.Time // last seen to begin or complete a write
}

// check looks at the connection at now and says why it has to end, or notCut.
//
// It is stalled if one write does not end, and idle if there is no write under way, no
// whole frame comes and no handler is at work for it. The counters stand for the clock
// here: they cost the stages next to nothing, where a deadline before every read and
// write would show in each profile.
func (p *peer) check(now time.Time, idle, stall time.Duration) reason {
	frames, writes := p.frames.Load(), p.writes.Load()
	if p.seen.wrote.IsZero() || writes != p.seen.writes {
		p.seen.writes, p.seen.wrote, p.seen.active = writes, now, now
	}
	if frames != p.seen.frames || p.calls.Load() > 0 {
		p.seen.frames, p.seen.active = frames, now
	}
	writing := writes%2 == 1
	switch {
	case writing && now.Sub(p.seen.wrote) >= stall:
		return cutStalled
	case !writing && now.Sub(p.seen.active) >= idle:
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
