package protocol

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/gohone/hone/load"
)

// webSocketDialog is one connection's side of WebSocket.
type webSocketDialog struct {
	protocol   *webSocket
	walk       *httpWalk
	masks      *rand.ChaCha8
	sent, next uint64
	control    []byte // frames that are due
	closing    bool   // the server has closed
	order      webSocketOrder

	payload []byte // of the message that is built
	// frame is the data frame that is being read, of which left bytes are to come.
	frame   webSocketFrame
	left    uint64
	reading bool
	message webSocketMessage
	// stream is the answer that is being read, where it is a stream; wrong is what was wrong first in it.
	stream stream
	wrong  load.Cause
}

// webSocketMessage is the message that is being read.
type webSocketMessage struct {
	begun  bool // a fragment of it has come
	text   bool
	size   int64
	body   *httpBody // nil if nothing has to look at it
	utf8   utf8Check
	broken bool // it is no UTF-8
}

var _ load.Controller = (*webSocketDialog)(nil)

// maxWebSocketControl bounds the pongs for a server that asks and does not read.
const maxWebSocketControl = 64 << 10

// AppendRequest implements load.Dialog.
func (d *webSocketDialog) AppendRequest(dst []byte, seq uint64) []byte {
	p := d.protocol
	dst = d.appendDue(dst)
	d.sent = seq + 1
	n, turn := p.mix.next(d.walk)
	row := p.mix.rows[p.mix.row(d.walk, n, turn)]
	opcode := byte(wsText)
	if p.binary {
		opcode = wsBinary
	}
	d.payload = d.payload[:0]
	with := fill{conn: d.walk.conn, turn: n, number: seq}
	for i := range p.body {
		part := &p.body[i]
		d.payload = append(d.payload, part.text...)
		switch {
		case part.place.kind != noPlace:
			d.payload = strconv.AppendUint(d.payload, part.place.value(&with, part.salt), 10)
		case part.column < 0:
		case part.column == p.number:
			d.payload = strconv.AppendUint(d.payload, seq, 10)
		default:
			d.payload = append(d.payload, row[part.column]...)
		}
	}
	if p.at.width > 0 && len(d.payload) >= p.at.end() { // a row of the feed may be shorter
		p.at.put(d.payload, seq)
	}
	return appendWebSocketFrame(dst, opcode, d.payload, d.mask())
}

func (d *webSocketDialog) mask() uint32 { return uint32(d.masks.Uint64()) }

// AppendControl implements load.Controller.
func (d *webSocketDialog) AppendControl(dst []byte) []byte {
	dst = d.appendDue(dst)
	if d.protocol.inOrder() && d.order.due(d.sent) {
		dst = appendWebSocketFrame(dst, wsPing, d.order.ask(d.sent), d.mask())
	}
	return dst
}

// appendDue appends the answers to the server's own frames.
func (d *webSocketDialog) appendDue(dst []byte) []byte {
	if len(d.control) > 0 {
		dst = append(dst, d.control...)
		d.control = d.control[:0]
	}
	return dst
}

// Room implements load.Controller.
func (d *webSocketDialog) Room() int {
	if d.closing {
		return 0
	}
	return 1 << 30
}

// NextAnswer implements load.Dialog.
func (d *webSocketDialog) NextAnswer(in []byte, _ bool) (n int, a load.Answer) {
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
		f, size, ok := readWebSocketFrame(in[n:])
		switch {
		case !ok:
			return n, d.malformed()
		case size == 0, f.opcode >= wsClose && uint64(len(in)-n-size) < f.length:
			return n, load.Answer{Partial: n > 0}
		case f.opcode >= wsClose:
			payload := in[n+size : n+size+int(f.length)]
			n += size + int(f.length)
			if !d.controlFrame(f, payload) {
				return n, d.malformed()
			}
			if d.closing {
				return len(in), load.Answer{Partial: true, Close: true}
			}
		case (f.opcode == wsContinue) != d.message.begun: // RFC 6455 section 5.4
			return n, d.malformed()
		default:
			n += size
			d.frame, d.left, d.reading = f, f.length, true
			if !d.message.begun {
				d.message.begun, d.message.text = true, f.opcode == wsText
			}
		}
	}
}

// controlFrame answers a ping and notes a close: RFC 6455 section 5.5. False if it is not right.
func (d *webSocketDialog) controlFrame(f webSocketFrame, payload []byte) bool {
	switch f.opcode {
	case wsPing:
		d.control = appendWebSocketFrame(d.control, wsPong, payload, d.mask())
		return len(d.control) <= maxWebSocketControl
	case wsPong:
		if extra := d.order.pong(payload, d.next); extra > 0 {
			d.protocol.early.Add(extra)
		}
	case wsClose:
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
func (d *webSocketDialog) take(piece []byte) {
	m := &d.message
	m.size += int64(len(piece))
	if m.text && !m.broken {
		m.broken = !m.utf8.take(piece)
	}
	switch {
	case m.body == nil:
	case d.protocol.keeps() && m.body.json == nil:
		if m.body.text.take(piece); len(m.body.kept)+len(piece) <= maxJSON {
			m.body.kept = append(m.body.kept, piece...)
		}
	default:
		m.body.take(piece)
	}
}

// end is the answer that a whole message is.
func (d *webSocketDialog) end() load.Answer {
	m, p := &d.message, d.protocol
	badText := m.text && (!m.utf8.end() || m.broken) // RFC 6455 section 8.1
	if !badText && p.skip(m) {
		p.skipped.Add(1)
		return d.leftOut()
	}
	age := int64(0)
	if p.age != "" {
		age = ageOf(gjson.GetBytes(m.body.kept, p.age), time.Now())
	}
	seq, push := d.answered()
	if push && !badText {
		p.pushed.Add(1)
		return d.leftOut()
	}
	a := load.Answer{Seq: seq}
	right := m.body == nil || m.body.end(0)
	switch length := p.checks.length; {
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
func (d *webSocketDialog) answered() (seq uint64, push bool) {
	p, kept := d.protocol, d.message.body
	switch {
	case p.subscribes(): // the request ends later
		return d.next, false
	case p.at.width > 0:
		return d.numbered(kept.kept), false
	case p.id != "":
		id := gjson.GetBytes(kept.kept, p.id)
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
	p.unasked.Add(1)
	return d.next, false
}

// leftOut forgets a message that answers nothing.
func (d *webSocketDialog) leftOut() load.Answer {
	d.message.body.ready()
	d.forget()
	return load.Answer{Partial: true}
}

// forget makes ready for the next message.
func (d *webSocketDialog) forget() {
	m := &d.message
	m.begun, m.text, m.size, m.broken = false, false, 0, false
}

// malformed is the answer to bytes that a server must not send.
func (d *webSocketDialog) malformed() load.Answer {
	return load.Answer{Seq: d.next, Cause: load.Malformed, Close: true}
}
