package quicconn

import "encoding/binary"

// Kind says what a Piece does or tells.
type Kind byte

// The kinds of pieces. Request, Setup and Stop are written, the others read.
const (
	// Request opens the stream of a request, which its whole content goes into.
	Request Kind = iota + 1
	// Setup opens a stream to the server alone, which stays open.
	Setup
	// Stop gives up the stream of a request in both directions. Data is the code that the server is told: 8 bytes,
	// big-endian.
	Stop
	// Part is a part of what came on the stream of a request, Last the last part of it, which may be empty.
	Part
	Last
	// Reset says that the server ended the stream of a request before its end, with a code as in Stop.
	Reset
	// Push is a part of what came on a stream that the server opened to this side alone, PushLast the last part of it.
	// Stream is the number of that, from 0.
	Push
	PushLast
	// Limit says how many streams of requests the server takes at a time. Data is that number, written as the code in
	// Stop. It comes at most once, when a request has to wait.
	Limit
)

// Piece is what goes over one stream, or is said about it.
type Piece struct {
	Kind Kind
	// Stream is the number of a request, which the writer of the first piece has chosen; of Push the number of the
	// stream.
	Stream uint64
	Data   []byte
}

// headSize is a piece's kind, its stream and the length of its data.
const headSize = 1 + 8 + 4

// Append appends r to dst.
func (r Piece) Append(dst []byte) []byte {
	return append(r.appendHead(dst, len(r.Data)), r.Data...)
}

func (r Piece) appendHead(dst []byte, length int) []byte {
	dst = append(dst, byte(r.Kind))
	dst = binary.BigEndian.AppendUint64(dst, r.Stream)
	return binary.BigEndian.AppendUint32(dst, uint32(length))
}

// Begin appends the head of r, whose data the caller appends next. End completes it.
func (r Piece) Begin(dst []byte) []byte { return r.appendHead(dst, 0) }

// End fills in the length of the piece whose head was appended to b[:at]: all after it is its data.
func End(b []byte, at int) []byte {
	binary.BigEndian.PutUint32(b[at+9:], uint32(len(b)-at-headSize))
	return b
}

// Code is a piece's data with a number.
func Code(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Code is the number in r's data; 0 if there is none.
func (r Piece) Code() uint64 {
	if len(r.Data) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(r.Data)
}

// Read reads the piece at the front of in. Its data is a part of in. n is its size; 0 if it is not whole.
func Read(in []byte) (r Piece, n int) {
	if len(in) < headSize {
		return r, 0
	}
	length := int(binary.BigEndian.Uint32(in[9:]))
	if len(in)-headSize < length {
		return r, 0
	}
	n = headSize + length
	return Piece{Kind: Kind(in[0]), Stream: binary.BigEndian.Uint64(in[1:]), Data: in[headSize:n]}, n
}
