package http2

import "encoding/binary"

// The frame types and flags in use: RFC 9113 section 6.
const (
	Data          = 0x0
	Headers       = 0x1
	priority      = 0x2
	reset         = 0x3
	settingsFrame = 0x4
	pushPromise   = 0x5
	ping          = 0x6
	goAway        = 0x7
	windowUpdate  = 0x8
	Continuation  = 0x9

	EndStream   = 0x1
	ack         = 0x1
	EndHeaders  = 0x4
	Padded      = 0x8
	HasPriority = 0x20
)

// The settings in use: RFC 9113 section 6.5.2.
const (
	tableSize     = 0x1
	enablePush    = 0x2
	maxStreams    = 0x3
	initialWindow = 0x4
	maxFrameSize  = 0x5
)

// The error codes in use: RFC 9113 section 7.
const (
	protocolError = 0x1
	refused       = 0x7
	cancel        = 0x8
)

const (
	// Preface begins a connection: RFC 9113 section 3.4.
	Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	// FrameHeader is the size of a frame's header: RFC 9113 section 4.1.
	FrameHeader = 9
	// maxFrame is the payload that every peer takes, and the most that we take: the
	// initial SETTINGS_MAX_FRAME_SIZE.
	maxFrame = 1 << 14
	// window is the initial size of all windows: RFC 9113 section 6.9.2.
	window = 1<<16 - 1
	// maxWindow bounds windows: RFC 9113 section 6.9.1.
	maxWindow = 1<<31 - 1
	// streams is how many streams a client can open on a connection: the odd ids of
	// 31 bits (RFC 9113 section 5.1.1).
	streams = 1 << 30

	// connWindow and streamWindow are the windows that we give the server: so
	// large that it waits for the network alone. Half a window is given back at a time.
	connWindow   = 1 << 30
	streamWindow = 1 << 24
)

// Frame is the header of a frame.
type Frame struct {
	Length      int
	Kind, flags byte
	Stream      uint32
}

// ReadFrame reads the header at the front of in, which must be whole.
func ReadFrame(in []byte) Frame {
	return Frame{
		Length: int(in[0])<<16 | int(in[1])<<8 | int(in[2]),
		Kind:   in[3], flags: in[4],
		Stream: binary.BigEndian.Uint32(in[5:]) &^ (1 << 31), // a reserved bit
	}
}

// Has says whether a flag of the frame is set.
func (f Frame) Has(flag byte) bool { return f.flags&flag != 0 }

// append appends the header to dst.
func (f Frame) append(dst []byte) []byte {
	dst = append(dst, byte(f.Length>>16), byte(f.Length>>8), byte(f.Length), f.Kind, f.flags)
	return binary.BigEndian.AppendUint32(dst, f.Stream)
}

// appendWord appends a frame whose payload is one number: a window update or the
// reset of a stream.
func appendWord(dst []byte, kind byte, stream, word uint32) []byte {
	dst = Frame{Length: 4, Kind: kind, Stream: stream}.append(dst)
	return binary.BigEndian.AppendUint32(dst, word)
}

// appendHello appends what a client says first: the preface, its settings and the
// connection's window.
//
// Without a dynamic table, header blocks of the server mean the same whatever came
// before; pushed answers would be answers to requests that were not sent.
func appendHello(dst []byte) []byte {
	settings := [...]struct {
		id    uint16
		value uint32
	}{{tableSize, 0}, {enablePush, 0}, {initialWindow, streamWindow}}
	dst = append(dst, Preface...)
	dst = Frame{Length: 6 * len(settings), Kind: settingsFrame}.append(dst)
	for _, s := range settings {
		dst = binary.BigEndian.AppendUint16(dst, s.id)
		dst = binary.BigEndian.AppendUint32(dst, s.value)
	}
	return appendWord(dst, windowUpdate, 0, connWindow-window)
}

// ID is the stream of request seq.
func ID(seq uint64) uint32 { return uint32(2*seq + 1) }
