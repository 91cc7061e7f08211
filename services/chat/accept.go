package chat

import (
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/gohone/hone/services/internal/accept"
	"github.com/gohone/hone/services/internal/farewell"
)

// acceptAll accepts connections and serves each on a goroutine of its own, until ln is
// closed. The goroutines belong to s: each ends with its connection, and Shutdown ends
// them all.
func (s *Server) acceptAll(ln net.Listener) error {
	for {
		conn, err := s.accept(ln)
		if err != nil {
			return err
		}
		if p := s.admit(conn); p != nil {
			go func() { s.end(p, s.answer(p)) }()
		}
	}
}

// accept accepts one connection and says when the machine is short of something.
func (s *Server) accept(ln net.Listener) (net.Conn, error) {
	return accept.Next(ln, s.closing, func(err error, wait time.Duration) {
		s.notices.Warn("accept connection", slog.Any("err", err), slog.Duration("retry_in", wait))
	})
}

// admit takes conn into the server's books, or closes it and returns nil.
func (s *Server) admit(conn net.Conn) *peer {
	p, full := s.register(conn)
	if p == nil {
		conn.Close()
	}
	if full {
		s.notices.Warn("refuse connection: limit reached",
			slog.String("remote", conn.RemoteAddr().String()), slog.Int("max_conns", s.cfg.MaxConns))
	}
	return p
}

// register returns conn's peer, or nil and whether that is because the server is full.
// Nothing is logged in here: a log that blocks must not hold the server's lock.
func (s *Server) register(conn net.Conn) (p *peer, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if full = len(s.peers) >= s.cfg.MaxConns; full || s.isClosing() {
		s.ended.Refused++
		return nil, full
	}
	s.ended.Accepted++
	p = &peer{Conn: conn, id: s.ended.Accepted}
	s.peers[p] = struct{}{}
	s.live.Add(1)
	return p, false
}

// end closes p after its stage has returned err, says why if the client is at fault,
// and strikes it off the books.
func (s *Server) end(p *peer, err error) {
	defer s.live.Done()
	p.finish()
	var bad *FrameError
	errors.As(err, &bad)
	why := reason(p.cutFor.Load())
	s.part(p, why, bad)
	p.Close()

	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.peers, p)
	s.ended.add(p)
	switch {
	case bad != nil:
		s.ended.BadFrames[bad.Cause]++
	case why == cutStalled:
		s.ended.Stalled++
	case why == cutSlow:
		s.ended.Slow++
	case why == cutIdle:
		s.ended.Idle++
	}
}

// part does what has to be done before p is closed.
func (s *Server) part(p *peer, why reason, bad *FrameError) {
	warn := func(kind string, cause ...slog.Attr) {
		s.notices.Warn(kind, append(cause, slog.String("remote", p.RemoteAddr().String()), slog.Uint64("conn", p.id),
			slog.String("user", p.user), slog.String("stage", s.stage.Name))...)
	}
	switch {
	case bad != nil:
		warn("close connection: "+bad.Cause.String(), slog.String("cause", bad.Error()))
		farewell.Linger(p.Conn)
	case why == cutShutdown:
		farewell.Linger(p.Conn)
	case why == cutStalled:
		warn("reset connection: client does not read", slog.Duration("write_timeout", s.cfg.WriteTimeout))
		farewell.Reset(p.Conn)
	case why == cutSlow:
		warn("reset connection: client reads too slowly", slog.Int("queue_bytes", s.cfg.QueueBytes),
			slog.Int64("queue_total_bytes", s.cfg.QueueTotalBytes))
		farewell.Reset(p.Conn)
	case why == cutIdle:
		warn("close connection: idle", slog.Duration("idle_timeout", s.cfg.IdleTimeout))
	}
}
