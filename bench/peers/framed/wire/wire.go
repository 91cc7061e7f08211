// Package wire answers the framed protocol for servers on event loops, which hold what
// they have read in one slice. What is measured is the network library around it, so it
// does no more per frame than the protocol asks for.
//
// A frame is an int32 (big-endian, its own 4 bytes included), a command byte, an id of
// 8 bytes and a payload. A conn (0x01) or submit (0x02) is answered by 0x80 or
// 0x81, its id and a result byte of 0.
package wire

import (
	"encoding/binary"
	"errors"
)

// Sizes in bytes, as the protocol has them.
const (
	// MinFrame is the smallest request: length, command and id.
	MinFrame = 4 + 1 + 8
	// MaxFrame is the largest request.
	MaxFrame = 64 << 10
	// AnswerSize is the size of every answer.
	AnswerSize = MinFrame + 1

	lengthSize = 4
	conn       = 0x01
	submit     = 0x02
	toAck      = 0x80 - conn // answers count from 0x80
)

// ErrFrame ends a connection: its bytes are no frame, or not of a command that is known.
var ErrFrame = errors.New("bad frame: want 13 to 65,536 bytes and the command conn or submit")

// Answer appends the answer to each whole frame at the front of b to dst, and says how
// many bytes of b those frames are. With an error, which is ErrFrame, dst holds the
// answers to the frames before the bad one.
func Answer(dst, b []byte) (_ []byte, used int, err error) {
	for {
		rest := b[used:]
		if len(rest) < lengthSize {
			return dst, used, nil
		}
		n, err := FrameSize(rest)
		if err != nil {
			return dst, used, err
		}
		if len(rest) < n {
			return dst, used, nil
		}
		command := rest[lengthSize]
		if command != conn && command != submit {
			return dst, used, ErrFrame
		}
		var a [AnswerSize]byte
		a[lengthSize-1] = AnswerSize
		a[lengthSize] = command + toAck
		copy(a[lengthSize+1:], rest[lengthSize+1:MinFrame])
		dst = append(dst, a[:]...)
		used += n
	}
}

// FrameSize is the size of the frame that b begins with, of which there are at least 4
// bytes; ErrFrame if no frame has it.
func FrameSize(b []byte) (int, error) {
	n := binary.BigEndian.Uint32(b)
	if n < MinFrame || n > MaxFrame {
		return 0, ErrFrame
	}
	return int(n), nil
}

// MaxAnswers is the most bytes that the answers to n bytes can have.
func MaxAnswers(n int) int { return n / MinFrame * AnswerSize }
