package rpc

import "encoding/binary"

// Constants of the wire format. All integers of the header are big-endian; README.md
// has the table.
const (
	// HeaderSize is the size of a frame's header in bytes. The header's length field
	// does not count it.
	HeaderSize = 15

	magic   = 0x11 // first byte of every frame
	version = 0    // second byte

	// DefaultMaxBody is the body limit in bytes, of a server and of a client, where
	// the configuration names none.
	DefaultMaxBody = 4 << 20
)

// Kind is the type of a message.
type Kind uint8

// The kinds. A heartbeat is answered in kind, with the same stream id and no body.
const (
	KindRequest   Kind = 0
	KindHeartbeat Kind = 1
)

// Mode is the type of a request: how many messages go each way.
type Mode uint8

// The modes. Servers answer the streaming ones with CodeUnimplemented.
const (
	ModeUnary        Mode = 0 // one request, one answer
	ModeSendOnly     Mode = 1 // one request, no answer
	ModeClientStream Mode = 2
	ModeServerStream Mode = 3
	ModeBothStream   Mode = 4
)

// Header is the front of every frame, of requests and of answers alike.
type Header struct {
	Kind Kind
	Mode Mode
	// Compress is the compression of the body; 0 is none, the only one served.
	Compress uint8
	// Stream matches an answer to its request. It is the client's to choose.
	Stream uint16
	// Length is the size of the body in bytes, the header not counted.
	Length uint32
}

// AppendHeader appends h to dst; the reserved field is 0.
func AppendHeader(dst []byte, h Header) []byte {
	dst = append(dst, magic, version, byte(h.Kind), byte(h.Mode), h.Compress)
	dst = binary.BigEndian.AppendUint16(dst, h.Stream)
	dst = binary.BigEndian.AppendUint32(dst, h.Length)
	return append(dst, 0, 0, 0, 0)
}

// setLength writes the length into the header at the front of frame, which is whole.
func setLength(frame []byte) {
	binary.BigEndian.PutUint32(frame[7:], uint32(len(frame)-HeaderSize))
}

// DecodeHeader decodes the header at the front of b, which has HeaderSize bytes at
// least. The error is a *FrameError. The length is not judged: that is a matter of
// limits, not of form. The reserved field may hold anything.
func DecodeHeader(b []byte) (Header, error) {
	_ = b[HeaderSize-1]
	h := Header{
		Kind:     Kind(b[2]),
		Mode:     Mode(b[3]),
		Compress: b[4],
		Stream:   binary.BigEndian.Uint16(b[5:]),
		Length:   binary.BigEndian.Uint32(b[7:]),
	}
	if b[0] != magic || b[1] != version || h.Kind > KindHeartbeat {
		return h, checkFront(b)
	}
	return h, nil
}

// checkFront judges as much of a header's fixed front as there is in b: few bytes can
// be enough to see that there will never be a frame.
func checkFront(b []byte) error {
	switch {
	case len(b) > 0 && b[0] != magic:
		return &FrameError{Cause: WrongMagic, Value: uint32(b[0])}
	case len(b) > 1 && b[1] != version:
		return &FrameError{Cause: WrongVersion, Value: uint32(b[1])}
	case len(b) > 2 && Kind(b[2]) > KindHeartbeat:
		return &FrameError{Cause: UnknownKind, Value: uint32(b[2])}
	}
	return nil
}

// checkLength judges a frame's length field. Nothing may be allocated by a length that
// has not passed here.
func checkLength(length uint32, limit int) error {
	if uint64(length) > uint64(limit) {
		return &FrameError{Cause: BodyTooLong, Value: length, Limit: limit}
	}
	return nil
}
