package protocol

import (
	"sync/atomic"

	"github.com/gohone/hone/load"
)

// respDialog matches answers to commands in order.
type respDialog struct {
	*resp
	walk       *respWalk // nil: all commands are the same bytes
	sent, next uint64
	answers    respReader
	// memo is the last right answer, if it was short and came whole: most answers are equal.
	memo []byte
}

// respWalk is how far a connection is in the commands and the rows of the feed.
type respWalk struct {
	conn  uint64
	turns *atomic.Uint64 // taken; atomic because two sessions may share a protocol
	turn  uint64         // where in the round the connection began
	row   uint64         // the row that it begins with
}

// respMemo bounds the answers that are remembered, in bytes.
const respMemo = 64

// AppendRequest implements load.Dialog.
func (d *respDialog) AppendRequest(dst []byte, seq uint64) []byte {
	d.sent = seq + 1
	if d.walk == nil {
		return append(dst, d.only...)
	}
	w, length := d.walk, uint64(len(d.round))
	n := w.turn + w.turns.Add(1) - 1
	turn := d.round[n%length]
	c := d.commands[turn.target]
	if c.fixed != nil {
		return append(dst, c.fixed...)
	}
	f := fill{conn: w.conn, turn: n}
	if c.numbered {
		f.number = d.number.Add(1) - 1
	}
	if len(d.rows) > 0 {
		// Each command counts its own turns, see httpMix.append.
		used := n/length*uint64(c.weight) + uint64(turn.prior)
		f.row = d.rows[(w.row+used)%uint64(len(d.rows))]
	}
	return c.append(dst, f)
}

// NextAnswer implements load.Dialog.
func (d *respDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	r := &d.answers
	if n := len(d.memo); n > 0 && len(in) >= n && !r.begun && string(in[:n]) == string(d.memo) {
		return n, load.Answer{Seq: d.turn()}
	}
	whole := !r.begun
	n, end := r.read(in)
	switch {
	case end.broken:
		return max(n, 1), load.Answer{Seq: d.turn(), Cause: load.Malformed, Close: true}
	case !end.done && eof && (r.begun || len(in) > 0):
		return len(in), load.Answer{Seq: d.turn(), Cause: load.WrongLength, Close: true}
	case !end.done || end.push:
		return n, load.Answer{Partial: n > 0}
	}
	a := load.Answer{Seq: d.turn(), Cause: d.judge(end)}
	switch {
	case end.failed:
		a.Code = load.RESPCode(respWord(r.text))
		d.said.error(r.text)
	case end.null:
		d.said.nulls.Add(1)
	case a.Cause == load.OK && whole && n <= respMemo:
		d.memo = append(d.memo[:0], in[:n]...)
	}
	return n, a
}

// judge judges a whole answer.
func (d *respDialog) judge(end respEnd) load.Cause {
	body := d.answers.body
	found := body == nil || body.end(0)
	switch {
	case end.failed:
		return load.WrongStatus
	case d.checks.length >= 0 && end.length != d.checks.length:
		return load.WrongLength
	case !found:
		return load.WrongBody
	}
	return load.OK
}

// turn is the request whose answer comes next, and moves on behind it.
func (d *respDialog) turn() uint64 {
	seq := d.next
	if seq < d.sent {
		d.next++
	}
	return seq
}

// respPushed is the dialog of a connection that speaks RESP3: messages may come that no
// command asked for, also while nothing is outstanding.
type respPushed struct{ *respDialog }

var _ load.Controller = (*respPushed)(nil)

// AppendControl implements load.Controller: there is nothing to send but commands.
func (d *respPushed) AppendControl(dst []byte) []byte { return dst }

// Room implements load.Controller: servers of RESP set no limit.
func (d *respPushed) Room() int { return 1 << 30 }
