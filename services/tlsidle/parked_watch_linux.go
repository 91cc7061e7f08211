package tlsidle

import (
	"errors"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/gohone/hone/services/internal/server"
)

// longestTick bounds how late a timeout is seen.
const longestTick = time.Second

// watch looks at the timeouts of all connections in turn, until Quit.
func (l *lot) watch() {
	cfg := &l.s.cfg
	every := min(cfg.HandshakeTimeout, cfg.RequestTimeout, cfg.IdleTimeout, cfg.WriteTimeout)/4 + 1
	tick := time.NewTicker(min(max(every, time.Millisecond), longestTick))
	defer tick.Stop()
	for {
		select {
		case <-l.quit:
			return
		case <-tick.C:
		}
		others := l.handshakes.othersWait()
		now := l.now()
		l.each(func(p *parked) { p.check(now, others) })
		l.memory.tend(l, now)
	}
}

// check ends p if its time is up.
func (p *parked) check(now int64, others bool) {
	p.mu.Lock()
	cfg, age := &p.lot.s.cfg, time.Duration(now-p.since)
	var why *fault
	switch p.phase {
	case fresh, queued:
		if age >= cfg.HandshakeTimeout {
			why = &fault{CauseHandshakeSlow, errHandshakeSlow}
		}
	case shaking:
		if age >= cfg.HandshakeTimeout {
			p.hs.stop(errHandshakeSlow)
		} else if others && p.hs.waits != 0 && now-p.hs.waits >= patience {
			p.hs.stop(errMadeRoom)
		}
	case resting:
		why = overdue(age, cfg.IdleTimeout, CauseIdle)
	case reading:
		why = overdue(age, cfg.RequestTimeout, CauseRequestSlow)
	case stuck:
		why = overdue(age, cfg.WriteTimeout, CauseStalled)
	case lingering:
		why = overdue(age, server.LingerTime, noCause)
	}
	if why != nil {
		p.phase = working // p had no owner: now we are
	}
	p.mu.Unlock()
	if why == nil {
		return
	}
	if why.cause == CauseStalled {
		// Close then drops what the kernel holds for a client that does not read.
		_ = syscall.SetsockoptLinger(int(p.fd), syscall.SOL_SOCKET, syscall.SO_LINGER, &syscall.Linger{Onoff: 1})
	}
	p.lot.end(p, why)
}

// overdue returns a fault if a wait has taken its time.
func overdue(age, limit time.Duration, cause Cause) *fault {
	if age < limit {
		return nil
	}
	return &fault{cause, errors.New("waited for " + limit.String())}
}

// dismiss ends p for a shutdown, unless it has an owner, which will end it, or an
// answer is on its way.
func (p *parked) dismiss() {
	p.mu.Lock()
	idle := false
	switch p.phase {
	case fresh, queued, resting, reading:
		idle = true
		p.phase = working
	case shaking:
		p.hs.stop(errDismissed)
	}
	p.mu.Unlock()
	if idle {
		p.lot.end(p, nil)
	}
}

// abandon ends p at once, if it has no owner; an owner comes past park.
func (p *parked) abandon() {
	p.mu.Lock()
	waits := p.phase != working && p.phase != shaking && p.phase != gone
	if waits {
		p.phase = working
	}
	p.mu.Unlock()
	if waits {
		p.tls = nil // no goodbye
		p.lot.end(p, nil)
	}
}

// memory returns what a wave of handshakes has left behind to the system: their
// garbage, several times what a connection keeps, and the stacks of their goroutines.
// The runtime does so, too, but by and by, and keeps more.
type memory struct {
	returned uint64 // handshakes begun when memory was last returned
	at       int64  // when that was, as lot.now
	seen     uint64 // handshakes begun at the last look
}

const (
	// wave is from how many handshakes on their garbage is worth a full collection.
	wave = 64
	// memoryEvery is the least time between two returns: each is a full collection, and
	// connections may come for ever.
	memoryEvery = int64(5 * time.Second)
)

// tend returns memory once a wave has passed: a look at which no handshake has begun
// since the one before.
func (m *memory) tend(l *lot, now int64) {
	l.handshakes.mu.Lock()
	begun, active := l.handshakes.begun, l.handshakes.active
	l.handshakes.mu.Unlock()
	passed := begun == m.seen && active == 0
	m.seen = begun
	if !passed || begun-m.returned < wave || m.at != 0 && now-m.at < memoryEvery {
		return
	}
	debug.FreeOSMemory()
	m.returned, m.at = begun, now
}
