package ws

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// dialog is one connection's side of WebSocket.
type dialog struct {
	protocol   *protocol
	walk       *turns.Walk
	masks      *rand.ChaCha8
	sent, next uint64
	control    []byte // frames that are due
	closing    bool   // the server has closed
	order      order

	payload []byte // of the message that is built
	// frame is the data frame that is being read, of which left bytes are to come.
	frame   frame
	left    uint64
	reading bool
	message message
	// stream is the answer that is being read, where it is a stream; wrong is what was wrong first in it.
	stream answer.Stream
	wrong  load.Cause
}

// message is the message that is being read.
type message struct {
	begun  bool // a fragment of it has come
	text   bool
	size   int64
	body   *answer.Body // nil if nothing has to look at it
	utf8   utf8Check
	broken bool // it is not UTF-8
}

var _ load.Controller = (*dialog)(nil)

// maxControl bounds the pongs for a server that asks and does not read.
const maxControl = 64 << 10

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	p := d.protocol
	dst = d.appendDue(dst)
	d.sent = seq + 1
	n, turn := p.mix.Next(d.walk)
	row := p.mix.Rows[p.mix.Row(d.walk, n, turn)]
	opcode := byte(opText)
	if p.binary {
		opcode = opBinary
	}
	d.payload = d.payload[:0]
	with := wire.Fill{Conn: d.walk.Conn, Turn: n, Number: seq}
	for i := range p.body {
		part := &p.body[i]
		d.payload = append(d.payload, part.Text...)
		switch {
		case part.Place.Kind != wire.NoPlace:
			d.payload = strconv.AppendUint(d.payload, part.Place.Value(&with, part.Salt), 10)
		case part.Column < 0:
		case part.Column == p.number:
			d.payload = strconv.AppendUint(d.payload, seq, 10)
		default:
			d.payload = append(d.payload, row[part.Column]...)
		}
	}
	if p.at.Width > 0 && len(d.payload) >= p.at.End() { // a row of the feed may be shorter
		p.at.Put(d.payload, seq)
	}
	return appendFrame(dst, opcode, d.payload, d.mask())
}

func (d *dialog) mask() uint32 { return uint32(d.masks.Uint64()) }

// AppendControl implements load.Controller.
func (d *dialog) AppendControl(dst []byte) []byte {
	dst = d.appendDue(dst)
	if d.protocol.inOrder() && d.order.due(d.sent) {
		dst = appendFrame(dst, opPing, d.order.ask(d.sent), d.mask())
	}
	return dst
}

// appendDue appends the answers to the server's own frames.
func (d *dialog) appendDue(dst []byte) []byte {
	if len(d.control) > 0 {
		dst = append(dst, d.control...)
		d.control = d.control[:0]
	}
	return dst
}

// Room implements load.Controller.
func (d *dialog) Room() int {
	if d.closing {
		return 0
	}
	return 1 << 30
}

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, _ bool) (n int, a load.Answer) {
	for {
		if d.reading {
			used := int(min(d.left, uint64(len(in)-n)))
			d.take(in[n : n+used])
			n += used
			if d.left -= uint64(used); d.left > 0 {
				return n, load.Answer{Partial: n > 0}
			}
			d.reading = false
			if d.frame.final {
				return n, d.end()
			}
			continue
		}
		f, size, ok := readFrame(in[n:])
		switch {
		case !ok:
			return n, d.malformed()
		case size == 0, f.opcode >= opClose && uint64(len(in)-n-size) < f.length:
			return n, load.Answer{Partial: n > 0}
		case f.opcode >= opClose:
			payload := in[n+size : n+size+int(f.length)]
			n += size + int(f.length)
			if !d.controlFrame(f, payload) {
				return n, d.malformed()
			}
			if d.closing {
				return len(in), load.Answer{Partial: true, Close: true}
			}
		case (f.opcode == opContinue) != d.message.begun: // RFC 6455 section 5.4
			return n, d.malformed()
		default:
			n += size
			d.frame, d.left, d.reading = f, f.length, true
			if !d.message.begun {
				d.message.begun, d.message.text = true, f.opcode == opText
			}
		}
	}
}

// controlFrame answers a ping and notes a close: RFC 6455 section 5.5. False if it is not right.
func (d *dialog) controlFrame(f frame, payload []byte) bool {
	switch f.opcode {
	case opPing:
		d.control = appendFrame(d.control, opPong, payload, d.mask())
		return len(d.control) <= maxControl
	case opPong:
		if extra := d.order.pong(payload, d.next); extra > 0 {
			d.protocol.early.Add(extra)
		}
	case opClose:
		code := uint16(1005)
		if len(payload) == 1 {
			return false
		}
		if len(payload) >= 2 {
			code = binary.BigEndian.Uint16(payload)
		}
		d.protocol.closed(code)
		d.closing = true
	}
	return true
}

// take looks at a piece of a message.
func (d *dialog) take(piece []byte) {
	m := &d.message
	m.size += int64(len(piece))
	if m.text && !m.broken {
		m.broken = !m.utf8.take(piece)
	}
	switch {
	case m.body == nil:
	case d.protocol.keeps() && m.body.JSON == nil:
		if m.body.Text.Take(piece); len(m.body.Kept)+len(piece) <= answer.MaxJSON {
			m.body.Kept = append(m.body.Kept, piece...)
		}
	default:
		m.body.Take(piece)
	}
}

// end is the answer that a whole message is.
func (d *dialog) end() load.Answer {
	m, p := &d.message, d.protocol
	badText := m.text && (!m.utf8.end() || m.broken) // RFC 6455 section 8.1
	if !badText && p.skip(m) {
		p.skipped.Add(1)
		return d.leftOut()
	}
	age := int64(0)
	if p.age != "" {
		age = ageOf(gjson.GetBytes(m.body.Kept, p.age), time.Now())
	}
	seq, push := d.answered()
	if push && !badText {
		p.pushed.Add(1)
		return d.leftOut()
	}
	a := load.Answer{Seq: seq}
	right := m.body == nil || m.body.End(0)
	switch length := p.checks.Length; {
	case badText:
		a.Cause, a.Close = load.Malformed, true
	case length >= 0 && m.size != length:
		a.Cause = load.WrongLength
	case !right:
		a.Cause = load.WrongBody
	}
	d.forget()
	if p.subscribes() && !a.Close {
		return d.streamed(a.Cause, age)
	}
	return a
}

// answered is the request that the whole message answers; push says that it has no id where answers have one.
func (d *dialog) answered() (seq uint64, push bool) {
	p, kept := d.protocol, d.message.body
	switch {
	case p.subscribes(): // the request ends later
		return d.next, false
	case p.at.Width > 0:
		return d.numbered(kept.Kept), false
	case p.id != "":
		id := gjson.GetBytes(kept.Kept, p.id)
		if !id.Exists() || id.Type == gjson.Null {
			return 0, true
		}
		if n, err := strconv.ParseUint(id.String(), 10, 64); err == nil {
			return n, false
		}
		return d.sent, false // no request has this number
	case d.next < d.sent:
		d.next++
		return d.next - 1, false
	}
	p.unsolicited.Add(1)
	return d.next, false
}

// leftOut forgets a message that answers nothing.
func (d *dialog) leftOut() load.Answer {
	d.message.body.Ready()
	d.forget()
	return load.Answer{Partial: true}
}

// forget makes ready for the next message.
func (d *dialog) forget() {
	m := &d.message
	m.begun, m.text, m.size, m.broken = false, false, 0, false
}

// malformed is the answer to bytes that a server must not send.
func (d *dialog) malformed() load.Answer {
	return load.Answer{Seq: d.next, Cause: load.Malformed, Close: true}
}
