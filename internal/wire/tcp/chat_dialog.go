package tcp

import (
	"encoding/binary"
	"math"

	"github.com/gohone/hone/load"
)

// chatHelloIDs name the login and the join. Messages have their number as id, modulo
// 2^32.
var chatHelloIDs = [...]uint32{math.MaxUint32 - 1, math.MaxUint32}

// chatDialog is one connection's side of the chat protocol.
type chatDialog struct {
	*chat
	// hello is the login and the join; nil once they are sent. They go out as soon as the
	// connection is there, so that it is among those who get broadcasts, and the first
	// message may follow without waiting for their acks.
	hello []byte
	room  string
	// greeted counts the acks of the hello, refused is the first that was not a success. It
	// shows as the code of the messages, which are then refused too.
	greeted int
	refused byte
	// sent is the number of the next request, next that of the request whose ack is due.
	sent, next uint64
}

var _ load.Controller = (*chatDialog)(nil)

// AppendControl implements load.Controller.
func (d *chatDialog) AppendControl(dst []byte) []byte {
	dst = append(dst, d.hello...)
	d.hello = nil
	return dst
}

// Room implements load.Controller: the protocol has no limit.
func (d *chatDialog) Room() int { return math.MaxInt32 }

// AppendRequest implements load.Dialog.
func (d *chatDialog) AppendRequest(dst []byte, seq uint64) []byte {
	dst = d.AppendControl(dst)
	at := len(dst)
	dst = append(dst, d.frame...)
	binary.BigEndian.PutUint32(dst[at+5:], uint32(seq))
	d.sent = seq + 1
	return dst
}

// NextAnswer implements load.Dialog. It consumes the broadcasts before an ack with it.
func (d *chatDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n := 0
	for len(in)-n >= 4 {
		size := binary.BigEndian.Uint32(in[n:])
		if size < chatHeader || size > chatMaxFrame {
			return n + 4, d.broken()
		}
		if uint32(len(in)-n) < size {
			break
		}
		frame := in[n : n+int(size)]
		n += len(frame)
		if a, answered := d.frameOf(frame); answered {
			return n, a
		}
	}
	if eof && n < len(in) {
		return len(in), load.Answer{Seq: d.next, Cause: load.WrongLength, Close: true}
	}
	return n, load.Answer{Partial: n > 0}
}

// frameOf reads a whole frame; false if there is nothing to say about it.
func (d *chatDialog) frameOf(frame []byte) (load.Answer, bool) {
	switch {
	case frame[4] == chatAck && len(frame) == chatAckBytes:
		return d.ack(binary.BigEndian.Uint32(frame[5:]), frame[chatHeader])
	case frame[4] == chatBroadcast:
		cause := d.check(frame[chatHeader:], d.room)
		return d.stray(cause), cause != load.OK
	}
	return d.broken(), true
}

// ack reads an ack. One out of turn settles its own request, and those skipped stay
// outstanding; one with an id that belongs to none settles none.
func (d *chatDialog) ack(id uint32, result byte) (load.Answer, bool) {
	if d.greeted < len(chatHelloIDs) && id == chatHelloIDs[d.greeted] {
		d.greeted++
		if d.refused == 0 {
			d.refused = result
		}
		return load.Answer{}, false
	}
	a := load.Answer{Seq: d.next}
	ahead, behind := uint64(id-uint32(d.next)), uint64(uint32(d.next)-id)
	switch {
	case ahead < d.sent-d.next:
		a.Seq += ahead
		if ahead > 0 {
			a.Cause = load.WrongOrder
		}
		d.next = a.Seq + 1
	case behind <= d.next && behind < 1<<31:
		a.Seq -= behind
		a.Cause = load.WrongOrder // the engine knows whether it was answered already
	default:
		return d.stray(load.WrongID), true
	}
	if result != 0 {
		a.Code = uint16(result)
		if d.refused != 0 {
			a.Code = uint16(d.refused)
		}
		if a.Cause == load.OK {
			a.Cause = load.WrongStatus
		}
	}
	return a, true
}

// stray is a fault that belongs to no request.
func (d *chatDialog) stray(cause load.Cause) load.Answer {
	return load.Answer{Seq: d.sent, Cause: cause}
}

// broken is the answer to bytes that make no sense: the connection cannot go on.
func (d *chatDialog) broken() load.Answer {
	return load.Answer{Seq: d.next, Cause: load.Malformed, Close: true}
}
