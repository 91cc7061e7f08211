package nullserver

import "encoding/binary"

// The framed protocol, as internal/wire/tcp speaks it from the other side:
//
//	frame     = int32 length of the whole frame, big-endian; packet
//	submit    = 0x02, id of 8 bytes, payload
//	submitack = 0x81, the same id, a result byte (0 = accepted)
const (
	framedHeader = 4 + 1 + 8 // length, command, id
	framedAck    = framedHeader + 1
	// framedMax is the longest frame: 1 MB of payload. Longer ones are taken for
	// nonsense.
	framedMax  = framedHeader + 1<<20
	cmdSubmit  = 0x02
	cmdAck     = 0x81
	ackAccepts = 0
)

// framed answers submits. A payload is skipped as it comes, never kept.
type framed struct {
	// due says that a frame has begun, skip how much of it is still to come.
	due  bool
	skip int
	ack  [framedAck]byte
}

func (f *framed) answer(out, in []byte) (newOut []byte, used int, last bool) {
	for {
		if !f.due {
			size, ok := f.begin(in[used:])
			if !ok {
				return out, used, true
			}
			if size == 0 {
				return out, used, false
			}
			used += size
		}
		n := min(f.skip, len(in)-used)
		used += n
		f.skip -= n
		if f.skip > 0 {
			return out, used, false
		}
		f.due = false
		out = append(out, f.ack[:]...)
	}
}

// begin reads the header of a frame: its size, 0 if it is not all there. It is not ok
// as soon as it cannot become one, so that the rest of it is not waited for.
func (f *framed) begin(in []byte) (size int, ok bool) {
	if len(in) < 4 {
		return 0, true
	}
	length := binary.BigEndian.Uint32(in)
	if length < framedHeader || length > framedMax || len(in) > 4 && in[4] != cmdSubmit {
		return 0, false
	}
	if len(in) < framedHeader {
		return 0, true
	}
	f.due, f.skip = true, int(length)-framedHeader
	binary.BigEndian.PutUint32(f.ack[:], framedAck)
	copy(f.ack[4:], in[4:framedHeader])
	f.ack[4], f.ack[framedHeader] = cmdAck, ackAccepts
	return framedHeader, true
}
