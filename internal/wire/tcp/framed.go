package tcp

import (
	"cmp"
	"encoding/binary"
	"net/url"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Framed is the framed TCP protocol: each submit is answered by one submitack, in
// order, on the same connection.
//
//	frame     = int32 length of the whole frame, big-endian; packet
//	submit    = 0x02, id of 8 ASCII characters, payload
//	submitack = 0x81, the same id, a result byte (0 = accepted): always 14 bytes
var Framed = &wire.Scheme{
	Name:    "framed",
	Doc:     "length-prefixed frames; a submit with an 8-character id, answered in order",
	Example: framedExample,
	New:     newFramed,
}

const framedExample = "framed://127.0.0.1:8888"

const (
	framedHeader   = 4 + 1 + 8 // length, command, id
	framedAckBytes = framedHeader + 1
	framedSubmit   = 0x02
	framedAck      = 0x81
	// framedPayload is the size of the published load: a frame of 37 bytes.
	framedPayload = 24
	// framedMaxPayload keeps a frame within what servers of this protocol accept.
	framedMaxPayload = 1 << 20

	// framedIDs is how many ids there are: 8 decimal digits.
	framedIDs = 100_000_000
	// framedRecent is how far back an id counts as one already answered. Older ones
	// cannot be told from ids that were never sent.
	framedRecent = 1_000_000
	// framedZero is id 0, "00000000", as a big-endian number.
	framedZero = 0x3030303030303030
)

func newFramed(u *url.URL, o wire.Options) (load.Protocol, error) {
	if err := wire.NoPath("framed", u, framedExample, ""); err != nil {
		return nil, err
	}
	size := cmp.Or(o.PayloadBytes, framedPayload)
	if size < 1 || size > framedMaxPayload {
		return nil, fail.New(fail.BadInput, "framed payload is %d bytes, want 1 to %d", size, framedMaxPayload)
	}
	frame := make([]byte, framedHeader+size)
	binary.BigEndian.PutUint32(frame, uint32(len(frame)))
	frame[4] = framedSubmit
	for i := range size {
		frame[framedHeader+i] = 'a' + byte(i%26)
	}
	return framed{frame: frame}, nil
}

// framed holds the request that all connections copy; the id is filled in.
type framed struct{ frame []byte }

// Dialog implements load.Protocol.
func (f framed) Dialog(int) load.Dialog {
	return &framedDialog{frame: f.frame, sendID: framedZero, wantID: framedZero}
}

type framedDialog struct {
	frame []byte
	// sent is the number of the next request, sendID its id.
	sent   uint64
	sendID uint64
	// next is one above the highest request answered so far, wantID its id.
	next   uint64
	wantID uint64
}

// AppendRequest implements load.Dialog.
func (d *framedDialog) AppendRequest(dst []byte, seq uint64) []byte {
	at := len(dst)
	dst = append(dst, d.frame...)
	binary.BigEndian.PutUint64(dst[at+5:], d.sendID)
	d.sendID = nextID(d.sendID)
	d.sent = seq + 1
	return dst
}

// NextAnswer implements load.Dialog.
func (d *framedDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	if len(in) >= framedAckBytes && binary.BigEndian.Uint64(in[5:]) == d.wantID &&
		binary.BigEndian.Uint32(in) == framedAckBytes && in[4] == framedAck && in[13] == 0 && d.next < d.sent {
		seq := d.next // nearly always: what is due, and accepted
		d.next++
		d.wantID = nextID(d.wantID)
		return framedAckBytes, load.Answer{Seq: seq}
	}
	return d.odd(in, eof)
}

// odd reads any answer but the accepted one that is due.
func (d *framedDialog) odd(in []byte, eof bool) (int, load.Answer) {
	if len(in) >= 4 && binary.BigEndian.Uint32(in) != framedAckBytes {
		return 4, load.Answer{Seq: d.next, Cause: load.Malformed, Close: true}
	}
	if len(in) < framedAckBytes {
		if eof && len(in) > 0 {
			return len(in), load.Answer{Seq: d.next, Cause: load.WrongLength, Close: true}
		}
		return 0, load.Answer{}
	}
	a := d.match(binary.BigEndian.Uint64(in[5:]))
	switch {
	case in[4] != framedAck:
		a.Cause = load.WrongKind
	case a.Cause == load.OK && in[13] != 0:
		a.Cause, a.Code = load.WrongStatus, uint16(in[13])
	}
	return framedAckBytes, a
}

// match finds the request that an id belongs to. The next one in turn is right; one
// after it is out of turn, and those skipped stay outstanding. An id from before
// is out of turn as well (the engine knows whether it was answered already). Any
// other id stands in the place of the answer that is due.
func (d *framedDialog) match(id uint64) load.Answer {
	if id == d.wantID && d.next < d.sent {
		return d.settled(d.next, load.OK)
	}
	number, ok := idNumber(id)
	if ok {
		ahead := (number + framedIDs - d.next%framedIDs) % framedIDs
		if ahead < d.sent-d.next {
			return d.settled(d.next+ahead, load.WrongOrder)
		}
		behind := (framedIDs - ahead) % framedIDs
		if behind > 0 && behind <= min(d.next, framedRecent) {
			return load.Answer{Seq: d.next - behind, Cause: load.WrongOrder}
		}
	}
	if d.next == d.sent { // none is due
		return load.Answer{Seq: d.next, Cause: load.WrongID}
	}
	return d.settled(d.next, load.WrongID)
}

// settled moves on after request seq.
func (d *framedDialog) settled(seq uint64, cause load.Cause) load.Answer {
	if seq == d.next {
		d.wantID = nextID(d.wantID)
	} else {
		d.wantID = idOf(seq + 1)
	}
	d.next = seq + 1
	return load.Answer{Seq: seq, Cause: cause}
}

// nextID counts one up in ASCII: mostly the last digit alone changes.
func nextID(id uint64) uint64 {
	id++
	if byte(id) <= '9' {
		return id
	}
	return carry(id)
}

// carry puts digits above 9 right, from the last on. The one carried out of the
// first digit is lost: ids are modulo framedIDs.
func carry(id uint64) uint64 {
	for shift := 0; shift < 64 && byte(id>>shift) > '9'; shift += 8 {
		id += 1<<(shift+8) - 10<<shift
	}
	return id
}

// idOf is the id of request seq: its last 8 decimal digits, the first on top.
func idOf(seq uint64) uint64 {
	id := uint64(0)
	for shift := 0; shift < 64; shift += 8 {
		id |= ('0' + seq%10) << shift
		seq /= 10
	}
	return id
}

// idNumber is the inverse of idOf, modulo framedIDs; false if id is not 8 digits.
func idNumber(id uint64) (number uint64, ok bool) {
	for shift := 56; shift >= 0; shift -= 8 {
		digit := id>>shift&0xff - '0'
		if digit > 9 {
			return 0, false
		}
		number = number*10 + digit
	}
	return number, true
}
