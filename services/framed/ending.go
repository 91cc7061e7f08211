package framed

import (
	"errors"
	"io"
	"log/slog"
	"net"

	"github.com/gohone/hone/services/internal/farewell"
)

// ending is why a connection ended. The zero ending is the client's own, in order.
type ending struct {
	why  reason      // the server's, or notCut
	bad  *FrameError // the bad frame, which counts before why
	lost bool        // it broke; counts only without the other two
}

// endingOf tells how a stage ended that returned err.
func endingOf(p *peer, err error) ending {
	e := ending{why: reason(p.cutFor.Load())}
	if !errors.As(err, &e.bad) {
		e.lost = err != nil && !errors.Is(err, io.EOF)
	}
	return e
}

// end closes p after its stage has returned err, says why if the client is at fault,
// and strikes it off the books.
func (s *Server) end(p *peer, err error) {
	e := endingOf(p, err)
	if e.told() {
		s.tell(p.RemoteAddr(), e)
	}
	switch {
	case e.bad != nil || e.why == cutShutdown:
		farewell.Linger(p.Conn)
	case e.why == cutStalled:
		farewell.Reset(p.Conn)
	}
	p.Close()
	s.strike(p, e)
}

// told says whether an ending is worth a line in the log.
func (e ending) told() bool {
	return e.bad != nil || e.why == cutStalled || e.why == cutIdle
}

// tell logs the ending of the connection with remote. The log may block.
func (s *Server) tell(remote net.Addr, e ending) {
	kind, msg, detail := "", "", slog.Attr{}
	switch {
	case e.bad != nil:
		kind, msg = "bad frame: "+e.bad.Cause.String(), "close connection: bad frame"
		detail = slog.String("cause", e.bad.Error())
	case e.why == cutStalled:
		kind, msg = "stalled", "reset connection: client does not read its answers"
		detail = slog.Duration("write_timeout", s.cfg.WriteTimeout)
	case e.why == cutIdle:
		kind, msg = "idle", "close connection: idle"
		detail = slog.Duration("idle_timeout", s.cfg.IdleTimeout)
	}
	s.notices.WarnAs(kind, msg, slog.String("remote", remote.String()), slog.String("stage", s.stage.Name), detail)
}

// strike takes a connection off the books, p or with nil one of the crowd.
func (s *Server) strike(p *peer, e ending) {
	defer s.live.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connected--
	if p != nil {
		delete(s.peers, p)
		s.ended.add(p)
	}
	switch {
	case e.bad != nil:
		s.ended.BadFrames[e.bad.Cause]++
	case e.why == cutStalled:
		s.ended.Stalled++
	case e.why == cutIdle:
		s.ended.Idle++
	case e.why == notCut && e.lost:
		s.ended.Lost++
	}
}
