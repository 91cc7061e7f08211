package framed

import (
	"log/slog"
	"net"
	"time"

	"github.com/gohone/hone/services/internal/accept"
)

// eachPeer accepts connections and runs answer on each of them, as servePeer does, until
// ln is closed.
func (s *Server) eachPeer(ln net.Listener, answer func(*peer) error) error {
	return s.eachConn(ln, func(conn net.Conn) { s.servePeer(conn, answer) })
}

// eachConn accepts connections and hands them to take, until ln is closed.
func (s *Server) eachConn(ln net.Listener, take func(net.Conn)) error {
	for {
		conn, err := s.accept(ln)
		if err != nil {
			return err
		}
		take(conn)
	}
}

// servePeer runs answer on conn, on a goroutine of its own, if the server admits it. The
// goroutine belongs to s: it ends with its connection, and Shutdown ends them all. answer
// returns io.EOF when the client has ended, and a *FrameError for a bad frame; it leaves
// closing to s.
func (s *Server) servePeer(conn net.Conn, answer func(*peer) error) {
	p := &peer{Conn: conn}
	if s.admit(conn, p) {
		go func() { s.end(p, answer(p)) }()
	}
}

// accept accepts one connection and says when the machine is short of something.
func (s *Server) accept(ln net.Listener) (net.Conn, error) {
	return accept.Next(ln, s.closing, func(err error, wait time.Duration) {
		s.mu.Lock()
		s.ended.AcceptFaults++
		s.mu.Unlock()
		s.notices.WarnAs("accept", "accept connection", slog.Any("err", err), slog.Duration("retry_in", wait))
	})
}

// admit takes conn into the server's books, and with it p, its peer, or nil for a
// connection of the crowd. If it must not be served, admit closes it and returns false.
func (s *Server) admit(conn net.Conn, p *peer) bool {
	ok, full := s.register(p)
	if ok {
		return true
	}
	conn.Close()
	if full {
		s.notices.WarnAs("refused", "refuse connection: limit reached",
			slog.String("remote", conn.RemoteAddr().String()), slog.Int("max_conns", s.cfg.MaxConns))
	}
	return false
}

// register counts a connection in, or says whether that is because the server is full.
// Nothing is logged in here: a log that blocks must not hold the server's lock.
func (s *Server) register(p *peer) (ok, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if full = s.connected >= s.cfg.MaxConns; full || s.isClosing() {
		s.ended.Refused++
		return false, full
	}
	if p != nil {
		s.peers[p] = struct{}{}
	}
	s.connected++
	s.ended.Accepted++
	s.live.Add(1)
	return true, false
}
