package framed

import (
	"errors"
	"log/slog"
	"net"
	"syscall"
	"time"
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

// Waits between attempts to accept while the machine is short of something.
const (
	firstBackoff = 5 * time.Millisecond
	lastBackoff  = time.Second
)

// accept accepts one connection. It waits out a shortage of descriptors or memory:
// the connections that are there are served meanwhile, and ending some cures it.
func (s *Server) accept(ln net.Listener) (net.Conn, error) {
	for wait := firstBackoff; ; wait = min(2*wait, lastBackoff) {
		conn, err := ln.Accept()
		if err == nil || !passing(err) {
			return conn, err
		}
		s.mu.Lock()
		s.ended.AcceptFaults++
		s.mu.Unlock()
		s.notices.warn("accept", "accept connection", slog.Any("err", err), slog.Duration("retry_in", wait))
		select {
		case <-s.closing:
			return nil, net.ErrClosed
		case <-time.After(wait):
		}
	}
}

// passing says whether accepting may work again later.
func passing(err error) bool {
	for _, shortage := range []error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED,
	} {
		if errors.Is(err, shortage) {
			return true
		}
	}
	return false
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
		s.notices.warn("refused", "refuse connection: limit reached",
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
