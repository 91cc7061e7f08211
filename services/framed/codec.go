package framed

import (
	"encoding/binary"
	"fmt"
)

// Command is the first byte of a packet.
type Command byte

// The commands. The requests count from 0x01, their answers from 0x80.
const (
	CommandConn      Command = 0x01
	CommandSubmit    Command = 0x02
	CommandConnAck   Command = 0x80
	CommandSubmitAck Command = 0x81
)

// Ack is the command of the answer to the request c.
func (c Command) Ack() Command { return c + (CommandConnAck - CommandConn) }

// isRequest says whether c is a command that clients send.
func (c Command) isRequest() bool { return c == CommandConn || c == CommandSubmit }

// Sizes on the wire in bytes. All integers are big-endian, and a frame's length
// field, an int32, counts itself.
const (
	lengthSize  = 4
	commandSize = 1

	// IDSize is the size of an id.
	IDSize = 8
	// MinFrame is the smallest request: length, command, id, no payload.
	MinFrame = lengthSize + commandSize + IDSize
	// AckSize is the size of every answer: length, command, id, result.
	AckSize = MinFrame + 1
	// MaxFrame is the largest frame that the server accepts. It bounds what one
	// connection can make the server hold.
	MaxFrame = 64 << 10
	// MaxPayload is the largest payload of a submit.
	MaxPayload = MaxFrame - MinFrame
)

// ResultAccepted is the result byte of a request that was accepted. The server
// accepts every well-formed request.
const ResultAccepted byte = 0

// ID names a request: 8 ASCII characters by convention. The server hands back
// whatever bytes it was given.
type ID [IDSize]byte

// String returns the id's bytes as they are.
func (id ID) String() string { return string(id[:]) }

// Submit is a request as decoded: a submit, or with CommandConn a conn, whose body
// has the same form.
type Submit struct {
	Command Command
	ID      ID
	// Payload aliases the bytes it was decoded from.
	Payload []byte
}

// Ack is an answer.
type Ack struct {
	Command Command
	ID      ID
	Result  byte
}

// answer returns the one answer that s gets.
func (s *Submit) answer() Ack {
	return Ack{Command: s.Command.Ack(), ID: s.ID, Result: ResultAccepted}
}

// Decode fills s from the payload of a frame, which is one packet. It sets every
// field, so that a reused s keeps nothing of its former life, and fails with a
// *FrameError.
func (s *Submit) Decode(packet []byte) error {
	if len(packet) < commandSize+IDSize {
		return checkLength(int32(lengthSize + len(packet)))
	}
	command := Command(packet[0])
	if !command.isRequest() {
		return badCommand(command)
	}
	s.Command = command
	s.ID = ID(packet[commandSize:])
	s.Payload = packet[commandSize+IDSize:]
	return nil
}

// AppendRequest appends s to dst as one frame. The caller keeps the payload within
// MaxPayload; a server refuses more.
func AppendRequest(dst []byte, s Submit) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(MinFrame+len(s.Payload)))
	dst = append(dst, byte(s.Command))
	dst = append(dst, s.ID[:]...)
	return append(dst, s.Payload...)
}

// AppendAck appends a to dst as one frame of AckSize bytes.
func AppendAck(dst []byte, a Ack) []byte {
	dst = binary.BigEndian.AppendUint32(dst, AckSize)
	dst = append(dst, byte(a.Command))
	dst = append(dst, a.ID[:]...)
	return append(dst, a.Result)
}

// DecodeAck decodes the one whole frame in b.
func DecodeAck(b []byte) (Ack, error) {
	if len(b) != AckSize {
		return Ack{}, fmt.Errorf("decode ack: %d bytes, want %d", len(b), AckSize)
	}
	if n := binary.BigEndian.Uint32(b); n != AckSize {
		return Ack{}, fmt.Errorf("decode ack: length field is %d, want %d", n, AckSize)
	}
	a := Ack{Command: Command(b[lengthSize]), ID: ID(b[lengthSize+commandSize:]), Result: b[AckSize-1]}
	if a.Command != CommandConnAck && a.Command != CommandSubmitAck {
		return Ack{}, fmt.Errorf("decode ack: unknown command 0x%02x", byte(a.Command))
	}
	return a, nil
}
