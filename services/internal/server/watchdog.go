package server

import "time"

// Timeouts end connections. The check runs every quarter of the shorter one, so that a
// connection may live up to half of that longer. The zero Timeouts check nothing.
type Timeouts struct {
	// Idle is how long a connection may go without progress.
	Idle time.Duration
	// Write is how long one write may wait for a client that does not read.
	Write time.Duration
}

// State is what the counters of a connection say at one moment. They stand for a clock:
// they cost the stages next to nothing, where a deadline before every read and write would
// show in each profile.
type State struct {
	Progress uint64 // changes with whatever keeps the connection from being idle
	Busy     bool   // it is not idle, whatever Progress says
	Writes   uint64 // changes when a write makes headway
	Writing  bool   // a write is under way
}

// StateOf is the state of a connection whose writes do not overlap. progress changes with
// each request; writes counts the writes begun plus the writes ended, so that it is odd
// while one is under way. Without either it is idle, or, inside a write, stalled.
func StateOf(progress, writes uint64) State {
	writing := writes%2 == 1
	return State{Progress: progress + writes, Busy: writing, Writes: writes, Writing: writing}
}

// Pulse is what the watchdog last saw of a connection, and when it last saw it move, as
// times of Core.Now. The zero Pulse has seen nothing.
type Pulse struct {
	progress, writes uint64
	active, wrote    time.Duration
}

// Check looks at a connection at now and says why it has to end, or NotCut.
func (p *Pulse) Check(s State, now time.Duration, t *Timeouts) Reason {
	if p.wrote == 0 || s.Writes != p.writes || !s.Writing {
		p.writes, p.wrote = s.Writes, now
	}
	if p.active == 0 || s.Progress != p.progress || s.Busy {
		p.progress, p.active = s.Progress, now
	}
	switch {
	case now-p.wrote >= t.Write:
		return Stalled
	case now-p.active >= t.Idle:
		return Idle
	}
	return NotCut
}

// Now is the time since New.
func (c *Core[P]) Now() time.Duration { return time.Since(c.start) }

// watch cuts connections that are idle or stalled, until quit is closed.
func (c *Core[P]) watch() {
	t := &c.opts.Timeouts
	tick := time.NewTicker(max(min(t.Idle, t.Write)/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-c.quit:
			return
		case <-tick.C:
			c.inspect(c.Now())
			if c.opts.Tick != nil {
				c.opts.Tick()
			}
		}
	}
}

func (c *Core[P]) inspect(now time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p := range c.peers {
		if why := p.base().seen.Check(p.State(), now, &c.opts.Timeouts); why != NotCut {
			p.Cut(why)
		}
	}
}
