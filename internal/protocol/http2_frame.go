package protocol

import "encoding/binary"

// The frame types and flags in use: RFC 9113 section 6.
const (
	http2Data         = 0x0
	http2Headers      = 0x1
	http2Priority     = 0x2
	http2Reset        = 0x3
	http2Settings     = 0x4
	http2PushPromise  = 0x5
	http2Ping         = 0x6
	http2GoAway       = 0x7
	http2WindowUpdate = 0x8
	http2Continuation = 0x9

	http2EndStream   = 0x1
	http2Ack         = 0x1
	http2EndHeaders  = 0x4
	http2Padded      = 0x8
	http2HasPriority = 0x20
)

// The settings in use: RFC 9113 section 6.5.2.
const (
	http2TableSize     = 0x1
	http2EnablePush    = 0x2
	http2MaxStreams    = 0x3
	http2InitialWindow = 0x4
	http2MaxFrameSize  = 0x5
)

// The error codes in use: RFC 9113 section 7.
const (
	http2ProtocolError = 0x1
	http2Refused       = 0x7
	http2Cancel        = 0x8
)

const (
	// http2Preface begins a connection: RFC 9113 section 3.4.
	http2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	// http2FrameHeader is the size of a frame's header: RFC 9113 section 4.1.
	http2FrameHeader = 9
	// http2MaxFrame is the payload that every peer takes, and the most that we take: the
	// initial SETTINGS_MAX_FRAME_SIZE.
	http2MaxFrame = 1 << 14
	// http2Window is the initial size of all windows: RFC 9113 section 6.9.2.
	http2Window = 1<<16 - 1
	// http2MaxWindow bounds windows: RFC 9113 section 6.9.1.
	http2MaxWindow = 1<<31 - 1
	// http2Streams is how many streams a client can open on a connection: the odd ids of
	// 31 bits (RFC 9113 section 5.1.1).
	http2Streams = 1 << 30

	// http2ConnWindow and http2StreamWindow are the windows that we give the server: so
	// large that it waits for the network alone. Half a window is given back at a time.
	http2ConnWindow   = 1 << 30
	http2StreamWindow = 1 << 24
)

// http2Frame is the header of a frame.
type http2Frame struct {
	length      int
	kind, flags byte
	stream      uint32
}

// readHTTP2Frame reads the header at the front of in, which must be whole.
func readHTTP2Frame(in []byte) http2Frame {
	return http2Frame{
		length: int(in[0])<<16 | int(in[1])<<8 | int(in[2]),
		kind:   in[3], flags: in[4],
		stream: binary.BigEndian.Uint32(in[5:]) &^ (1 << 31), // a reserved bit
	}
}

func (f http2Frame) has(flag byte) bool { return f.flags&flag != 0 }

// append appends the header to dst.
func (f http2Frame) append(dst []byte) []byte {
	dst = append(dst, byte(f.length>>16), byte(f.length>>8), byte(f.length), f.kind, f.flags)
	return binary.BigEndian.AppendUint32(dst, f.stream)
}

// appendHTTP2Word appends a frame whose payload is one number: a window update or the
// reset of a stream.
func appendHTTP2Word(dst []byte, kind byte, stream, word uint32) []byte {
	dst = http2Frame{length: 4, kind: kind, stream: stream}.append(dst)
	return binary.BigEndian.AppendUint32(dst, word)
}

// appendHTTP2Hello appends what a client says first: the preface, its settings and the
// connection's window.
//
// Without a dynamic table, header blocks of the server mean the same whatever came
// before; pushed answers would be answers to requests that were not sent.
func appendHTTP2Hello(dst []byte) []byte {
	settings := [...]struct {
		id    uint16
		value uint32
	}{{http2TableSize, 0}, {http2EnablePush, 0}, {http2InitialWindow, http2StreamWindow}}
	dst = append(dst, http2Preface...)
	dst = http2Frame{length: 6 * len(settings), kind: http2Settings}.append(dst)
	for _, s := range settings {
		dst = binary.BigEndian.AppendUint16(dst, s.id)
		dst = binary.BigEndian.AppendUint32(dst, s.value)
	}
	return appendHTTP2Word(dst, http2WindowUpdate, 0, http2ConnWindow-http2Window)
}

// http2ID is the stream of request seq.
func http2ID(seq uint64) uint32 { return uint32(2*seq + 1) }
