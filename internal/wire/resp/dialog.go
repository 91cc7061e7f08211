package resp

import (
	"github.com/gohone/hone/internal/text/codes"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// dialog matches answers to commands in order.
type dialog struct {
	*protocol
	walk       *turns.Walk // nil: all commands are the same bytes
	sent, next uint64
	answers    reader
	// memo is the last right answer, if it was short and came whole: most answers are equal.
	memo []byte
}

// memo bounds the answers that are remembered, in bytes.
const memo = 64

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	d.sent = seq + 1
	if d.walk == nil {
		return append(dst, d.only...)
	}
	n, turn := d.mix.Next(d.walk)
	c := d.commands[turn.Target]
	if c.fixed != nil {
		return append(dst, c.fixed...)
	}
	f := wire.Fill{Conn: d.walk.Conn, Turn: n}
	if c.numbered {
		f.Number = d.number.Add(1) - 1
	}
	if len(d.mix.Rows) > 0 {
		f.Row = d.mix.Rows[d.mix.Row(d.walk, n, turn)]
	}
	return c.append(dst, f)
}

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
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
		a.Code = codes.OfRESP(firstWord(r.text))
		d.said.error(r.text)
	case end.null:
		d.said.nulls.Add(1)
	case a.Cause == load.OK && whole && n <= memo:
		d.memo = append(d.memo[:0], in[:n]...)
	}
	return n, a
}

// judge judges a whole answer.
func (d *dialog) judge(end ending) load.Cause {
	body := d.answers.body
	found := body == nil || body.End(0)
	switch {
	case end.failed:
		return load.WrongStatus
	case d.checks.Length >= 0 && end.length != d.checks.Length:
		return load.WrongLength
	case !found:
		return load.WrongBody
	}
	return load.OK
}

// turn is the request whose answer comes next, and moves on after it.
func (d *dialog) turn() uint64 {
	seq := d.next
	if seq < d.sent {
		d.next++
	}
	return seq
}

// pushed is the dialog of a connection that speaks RESP3: messages may come that no
// command asked for, also while nothing is outstanding.
type pushed struct{ *dialog }

var _ load.Controller = (*pushed)(nil)

// AppendControl implements load.Controller: there is nothing to send but commands.
func (d *pushed) AppendControl(dst []byte) []byte { return dst }

// Room implements load.Controller: servers of RESP set no limit.
func (d *pushed) Room() int { return 1 << 30 }
