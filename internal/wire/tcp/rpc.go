package tcp

import (
	"encoding/binary"
	"math"
	"net/url"
	"sync/atomic"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// RPC is a remote call in frames: each request calls /helloworld.Greeter/SayHello with
// "hello", and its answer has to say "world". An answer that has its request's stream id
// may come in any order. Some servers send stream id 0 whatever the request had, the
// published one among them: their answers are matched in the order in which they come,
// and Notes says so. No request has stream id 0, so that the two can be told apart.
//
//	frame    = magic 0x11, version 0, message type (0 call, 1 heartbeat), request type 0,
//	           compression 0, uint16 stream id, uint32 length of the body, uint32 reserved; body
//	request  = protobuf {2: service path, 4: msgpack {"Msg": "hello"}}
//	response = protobuf {1: ret_code, 0 if all is well, 2: ret_msg, 4: msgpack {"Msg": "world"}}
var RPC = &wire.Scheme{
	Name:    "rpc",
	Doc:     "calls in frames with a stream id; SayHello of helloworld.Greeter",
	Example: rpcExample,
	New:     newRPC,
}

const (
	rpcExample = "rpc://127.0.0.1:8000"

	rpcHeader    = 15
	rpcStreamAt  = 5
	rpcMagic     = 0x11
	rpcHeartbeat = 1
	rpcPath      = "/helloworld.Greeter/SayHello"
	rpcHello     = "\x81\xa3Msg\xa5hello"
	rpcWorld     = "\x81\xa3Msg\xa5world"

	// rpcMaxBody is the largest answer that is read: what servers of this protocol keep
	// to, and well within what a Dialog may leave unconsumed.
	rpcMaxBody = 4 << 20
	// rpcStreams is how many stream ids there are: 16 bits without 0.
	rpcStreams = 1<<16 - 1
	// rpcMaxOutstanding is half of the stream ids: of an id it is clear then whether it is
	// the next use or the last one.
	rpcMaxOutstanding = rpcStreams / 2

	// Tags of protobuf: field number << 3 | wire type.
	rpcCodeTag    = 1 << 3
	rpcTextTag    = 2<<3 | 2
	rpcPayloadTag = 4<<3 | 2
)

func newRPC(u *url.URL, _ wire.Options) (load.Protocol, error) {
	if err := wire.NoPath("rpc", u, rpcExample, ": it calls "+rpcPath); err != nil {
		return nil, err
	}
	request := append([]byte{rpcTextTag, byte(len(rpcPath))}, rpcPath...)
	request = append(append(request, rpcPayloadTag, byte(len(rpcHello))), rpcHello...)
	answer := append([]byte{rpcPayloadTag, byte(len(rpcWorld))}, rpcWorld...)
	return &rpc{request: rpcFrame(request), answer: string(rpcFrame(answer))}, nil
}

// rpcFrame is body with a header before it, stream id 0.
func rpcFrame(body []byte) []byte {
	frame := make([]byte, rpcHeader, rpcHeader+len(body))
	frame[0] = rpcMagic
	binary.BigEndian.PutUint32(frame[7:], uint32(len(body)))
	return append(frame, body...)
}

// rpc holds what all connections share: the request that they copy and the answer that
// servers nearly always give, with stream id 0.
type rpc struct {
	request []byte
	answer  string
	ordered atomic.Bool // on some connection answers are matched in order
}

// Dialog implements load.Protocol.
func (p *rpc) Dialog(int) load.Dialog { return &rpcDialog{rpc: p} }

var _ wire.Noter = (*rpc)(nil)

// Notes implements Noter.
func (p *rpc) Notes() []string {
	if !p.ordered.Load() {
		return nil
	}
	return []string{"the server answers with stream id 0, not with its request's: answers are matched in the order in which they come"}
}

// rpcIDs is what is known of the stream ids of a connection's answers.
type rpcIDs uint8

const (
	rpcUnknown rpcIDs = iota // no answer has come
	rpcOrdered               // all are 0
	rpcEchoed                // one was not
)

type rpcDialog struct {
	*rpc
	ids      rpcIDs
	sent     uint64 // the number of the next request
	next     uint64 // one above the highest request answered so far
	answered uint64 // answers so far
}

var _ load.Controller = (*rpcDialog)(nil)

// AppendControl implements load.Controller: there is nothing to send but requests.
func (d *rpcDialog) AppendControl(dst []byte) []byte { return dst }

// Room implements load.Controller.
func (d *rpcDialog) Room() int {
	return int(rpcMaxOutstanding - min(d.sent-d.answered, rpcMaxOutstanding))
}

// AppendRequest implements load.Dialog.
func (d *rpcDialog) AppendRequest(dst []byte, seq uint64) []byte {
	at := len(dst)
	dst = append(dst, d.request...)
	binary.BigEndian.PutUint16(dst[at+rpcStreamAt:], rpcStream(seq))
	d.sent = seq + 1
	return dst
}

// rpcStream is the stream id of request seq.
func rpcStream(seq uint64) uint16 { return uint16(seq%rpcStreams) + 1 }

// NextAnswer implements load.Dialog.
func (d *rpcDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	if n := len(d.answer); len(in) >= n && string(in[rpcStreamAt+2:n]) == d.answer[rpcStreamAt+2:] &&
		string(in[:rpcStreamAt]) == d.answer[:rpcStreamAt] {
		return n, d.match(in, load.Answer{}) // nearly always
	}
	return d.odd(in, eof)
}

// odd reads any answer but the right one.
func (d *rpcDialog) odd(in []byte, eof bool) (int, load.Answer) {
	broken := load.Answer{Seq: d.next, Close: true}
	if rpcMalformed(in) {
		broken.Cause = load.Malformed
		return len(in), broken
	}
	size := rpcHeader
	if len(in) >= rpcHeader {
		size += int(binary.BigEndian.Uint32(in[7:]))
	}
	if len(in) < size {
		if eof && len(in) > 0 {
			broken.Cause = load.WrongLength
			return len(in), broken
		}
		return 0, load.Answer{}
	}
	if in[2] == rpcHeartbeat {
		return size, load.Answer{Partial: true} // a sign of life that was not asked for
	}
	a := load.Answer{Cause: load.WrongKind} // of another request type, or compressed
	if in[3] == 0 && in[4] == 0 {
		a = rpcJudge(in[rpcHeader:size])
	}
	return size, d.match(in, a)
}

// rpcMalformed says whether in is the front of no frame, or of one that is too long.
func rpcMalformed(in []byte) bool {
	switch {
	case len(in) > 0 && in[0] != rpcMagic, len(in) > 1 && in[1] != 0, len(in) > 2 && in[2] > rpcHeartbeat:
		return true
	}
	return len(in) >= rpcHeader && binary.BigEndian.Uint32(in[7:]) > rpcMaxBody
}

// match finds the request that the answer in belongs to, by its stream id: the nearest
// one to the answers so far. An id that is not a request's stands in the place of the
// answer that is due, as all answers do where ids are not echoed.
func (d *rpcDialog) match(in []byte, a load.Answer) load.Answer {
	d.answered = min(d.answered+1, d.sent) // more are none that were asked for
	stream := binary.BigEndian.Uint16(in[rpcStreamAt:])
	ordered := d.inOrder(stream)
	distance := int64(stream) - int64(rpcStream(d.next))
	switch {
	case distance > rpcMaxOutstanding:
		distance -= rpcStreams
	case distance < -rpcMaxOutstanding:
		distance += rpcStreams
	}
	seq := int64(d.next) + distance
	if ordered || stream == 0 || seq < 0 || uint64(seq) >= d.sent {
		if !ordered {
			a = load.Answer{Cause: load.WrongID}
		}
		a.Seq = d.next
		if d.next < d.sent {
			d.next++
		}
		return a
	}
	a.Seq = uint64(seq)
	d.next = max(d.next, a.Seq+1)
	return a
}

// inOrder says whether the answer with this stream id is matched by its place: as long as
// no answer of the connection has had another id than 0.
func (d *rpcDialog) inOrder(stream uint16) bool {
	switch {
	case stream != 0:
		d.ids = rpcEchoed
	case d.ids == rpcUnknown:
		d.ids = rpcOrdered
		d.rpc.ordered.Store(true)
	}
	return d.ids == rpcOrdered
}

// rpcJudge judges the body of an answer.
func rpcJudge(body []byte) load.Answer {
	code, payload, ok := rpcResponse(body)
	switch {
	case !ok:
		return load.Answer{Cause: load.Malformed}
	case code != 0:
		return load.Answer{Cause: load.WrongStatus, Code: uint16(min(code, math.MaxUint16))}
	case string(payload) != rpcWorld:
		return load.Answer{Cause: load.WrongBody}
	}
	return load.Answer{}
}

// rpcResponse decodes what matters of a response; of a field that comes twice the last
// one counts.
func rpcResponse(body []byte) (code uint32, payload []byte, ok bool) {
	for len(body) > 0 {
		tag, n := binary.Uvarint(body)
		if n <= 0 || tag>>3 == 0 {
			return 0, nil, false
		}
		body = body[n:]
		value, size := uint64(0), 0
		switch tag & 7 {
		case 0: // a varint
			value, size = binary.Uvarint(body)
		case 1:
			size = 8
		case 2: // a length and as many bytes
			value, size = binary.Uvarint(body)
			if size <= 0 || value > uint64(len(body)-size) {
				return 0, nil, false
			}
			if tag == rpcPayloadTag {
				payload = body[size : size+int(value)]
			}
			size += int(value)
		case 5:
			size = 4
		}
		if size <= 0 || size > len(body) { // groups among them
			return 0, nil, false
		}
		if tag == rpcCodeTag {
			code = uint32(value)
		}
		body = body[size:]
	}
	return code, payload, true
}
