package server

import (
	"errors"
	"io"
	"log/slog"
	"net"
)

// BadFrame is an error of a stage that says that a client does not keep to the protocol.
type BadFrame interface {
	error
	// Class is the kind of fault: its index in Counts.BadFrames, and its name.
	Class() (index int, name string)
}

// maxCauses bounds the classes of bad frames of one protocol.
const maxCauses = 8

// Ending is how a connection ended. The zero Ending is the client's own, in order.
type Ending struct {
	Why Reason // the server's
	Err error  // of the stage: io.EOF, a BadFrame, or what broke the connection
}

// bad is the bad frame, if that is how it ended. A client that does not read is reset for
// that, whatever else it did.
func (e Ending) bad() (BadFrame, bool) {
	if e.Why.resets() {
		return nil, false
	}
	return errors.AsType[BadFrame](e.Err)
}

// IsFault says whether an ending is worth a line in the log.
func (e Ending) IsFault() bool {
	_, bad := e.bad()
	return bad || e.Why == Idle || e.Why.resets()
}

// Answer gives p a goroutine that runs answer, which reads requests and answers them until
// it fails: with io.EOF when the client has ended, with a BadFrame after one. The Core
// closes p and says why if the client is at fault.
func (c *Core[P]) Answer(p P, answer func(P) error) {
	c.Go(p, func(p P) Ending {
		b := p.base()
		e := Ending{Err: answer(p)}
		e.Why = Reason(b.cutFor.Load())
		if e.IsFault() {
			c.LogEnding(b.RemoteAddr(), e, p.Attrs()...)
		}
		_, bad := e.bad()
		switch {
		case e.Why.resets():
			Reset(b.Conn)
		case bad || e.Why == Shutdown:
			Linger(b.Conn)
		}
		p.Close()
		return e
	})
}

// LogEnding logs an ending of the connection with remote that IsFault. The log may block.
func (c *Core[P]) LogEnding(remote net.Addr, e Ending, attrs ...slog.Attr) {
	kind, msg, detail := "", "", slog.Attr{}
	switch bad, isBad := e.bad(); {
	case isBad:
		_, class := bad.Class()
		kind, msg, detail = "bad frame: "+class, "close connection: bad frame", slog.String("cause", bad.Error())
	case e.Why == Stalled:
		kind, msg, detail = "stalled", "reset connection: client does not read its answers",
			slog.Duration("write_timeout", c.opts.Write)
	case e.Why == Slow:
		kind, msg, detail = "slow", "reset connection: client reads too slowly", c.opts.SlowLimit
	case e.Why == Idle:
		kind, msg, detail = "idle", "close connection: idle", slog.Duration("idle_timeout", c.opts.Idle)
	}
	c.Notices.WarnAs(kind, msg, append(attrs, slog.String("remote", remote.String()),
		slog.String("stage", c.opts.Stage), detail)...)
}

// Leave counts out a connection that is not a peer.
func (c *Core[P]) Leave(e Ending) {
	c.mu.Lock()
	c.leave(e)
	c.mu.Unlock()
	c.live.Done()
}

// leave counts a connection out; under mu.
func (c *Core[P]) leave(e Ending) {
	n := &c.counts
	n.Connected--
	switch bad, isBad := e.bad(); {
	case isBad:
		class, _ := bad.Class()
		n.BadFrames[class]++
	case e.Why == Stalled:
		n.Stalled++
	case e.Why == Slow:
		n.Slow++
	case e.Why == Idle:
		n.Idle++
	case e.Why == NotCut && e.Err != nil && !errors.Is(e.Err, io.EOF):
		n.Lost++
	}
}
