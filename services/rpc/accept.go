package rpc

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/gohone/hone/services/internal/accept"
	"github.com/gohone/hone/services/internal/farewell"
)

// eachPeer accepts connections and runs answer on each of them, on a goroutine of its
// own, until ln is closed. The goroutines belong to s: each ends with its connection,
// and Shutdown ends them all. answer returns io.EOF when the client has ended, and a
// *FrameError for a bad frame; it leaves closing to s.
func (s *Server) eachPeer(ln net.Listener, answer func(*peer) error) error {
	for {
		conn, err := s.accept(ln)
		if err != nil {
			return err
		}
		p, ok := s.admit(conn)
		if !ok {
			continue
		}
		go func() { s.end(p, answer(p)) }()
	}
}

// accept accepts one connection and says when the machine is short of something.
func (s *Server) accept(ln net.Listener) (net.Conn, error) {
	return accept.Next(ln, s.closing, func(err error, wait time.Duration) {
		s.notices.WarnAs("accept", "accept connection", slog.Any("err", err), slog.Duration("retry_in", wait))
	})
}

// admit takes conn into the server's books, or closes it and returns false.
func (s *Server) admit(conn net.Conn) (*peer, bool) {
	p, full := s.register(conn)
	if p != nil {
		return p, true
	}
	conn.Close()
	if full {
		s.notices.WarnAs("refused", "refuse connection: limit reached",
			slog.String("remote", conn.RemoteAddr().String()), slog.Int("max_conns", s.cfg.MaxConns))
	}
	return nil, false
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
	p = &peer{Conn: conn, server: s}
	p.ctx, p.over = context.WithCancel(context.Background())
	s.peers[p] = struct{}{}
	s.ended.Accepted++
	s.live.Add(1)
	return p, false
}

// end closes p after its stage has returned err, says why if the client is at fault,
// and strikes it off the books.
func (s *Server) end(p *peer, err error) {
	defer s.live.Done()
	p.over()
	bad, isBad := errors.AsType[*FrameError](err)
	why := reason(p.cutFor.Load())
	switch {
	case why == cutStalled:
		s.warnOf(p, "stalled", "reset connection: client does not read its answers",
			slog.Duration("write_timeout", s.cfg.WriteTimeout))
		farewell.Reset(p.Conn)
	case isBad:
		s.warnOf(p, "bad frame: "+bad.Cause.String(), "close connection: bad frame", slog.String("cause", bad.Error()))
		farewell.Linger(p.Conn)
	case why == cutShutdown:
		farewell.Linger(p.Conn)
	case why == cutIdle:
		s.warnOf(p, "idle", "close connection: idle", slog.Duration("idle_timeout", s.cfg.IdleTimeout))
	}
	p.Close()

	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.peers, p)
	s.ended.Frames += p.frames.Load()
	switch {
	case why == cutStalled:
		s.ended.Stalled++
	case isBad:
		s.ended.BadFrames[bad.Cause]++
	case why == cutIdle:
		s.ended.Idle++
	}
}

// warnOf logs a notice about p.
func (s *Server) warnOf(p *peer, kind, msg string, cause slog.Attr) {
	s.notices.WarnAs(kind, msg, slog.String("remote", p.RemoteAddr().String()),
		slog.String("stage", s.stage.Name), cause)
}
