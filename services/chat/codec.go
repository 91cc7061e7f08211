package chat

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Command is the first byte of a packet.
type Command byte

// The commands. The first four are requests, and each gets one ack.
const (
	CommandLogin     Command = 0x01
	CommandJoin      Command = 0x02
	CommandMessage   Command = 0x03
	CommandPing      Command = 0x04
	CommandAck       Command = 0x81
	CommandBroadcast Command = 0x83
)

// Sizes on the wire in bytes. All integers are big-endian, and a frame's length
// field, an int32, counts itself.
const (
	lengthSize = 4

	// HeaderSize is the size of the smallest frame: length, command, id.
	HeaderSize = lengthSize + 1 + 4
	// AckSize is the size of every ack: header, result.
	AckSize = HeaderSize + 1
	// MaxFrame is the largest frame. It bounds what a connection can make the server
	// hold of a request.
	MaxFrame = 64 << 10
	// MaxText is the largest text of a message, before compression. What is left to
	// MaxFrame holds the names of a broadcast and what a zlib stream adds to a text
	// that does not compress: 5 bytes for each 16 kB or so, and 11.
	MaxText = 63 << 10
	// MaxName is the largest name of a user, nickname or room.
	MaxName = 32
)

// Packet is one frame as decoded.
type Packet struct {
	Command Command
	// ID names a request to its sender, who chooses it; acks and broadcasts repeat it.
	ID uint32
	// Body aliases the bytes it was decoded from.
	Body []byte
}

// Decode fills p from a frame without its length field. It sets every field, so that a
// reused p keeps nothing of its former life. The error is a *FrameError.
func (p *Packet) Decode(payload []byte) error {
	if len(payload) < HeaderSize-lengthSize {
		return checkLength(int32(lengthSize + len(payload)))
	}
	p.Command = Command(payload[0])
	p.ID = binary.BigEndian.Uint32(payload[1:])
	p.Body = payload[HeaderSize-lengthSize:]
	return nil
}

// appendHeader appends the length, command and id of a frame with a body of that size.
func appendHeader(dst []byte, c Command, id uint32, body int) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(HeaderSize+body))
	dst = append(dst, byte(c))
	return binary.BigEndian.AppendUint32(dst, id)
}

// AppendLogin appends a login frame. An empty nick means that others see the name.
func AppendLogin(dst []byte, id uint32, name, nick string) []byte {
	dst = appendHeader(dst, CommandLogin, id, 1+len(name)+len(nick))
	dst = append(dst, byte(len(name)))
	return append(append(dst, name...), nick...)
}

// AppendJoin appends a join frame.
func AppendJoin(dst []byte, id uint32, room string) []byte {
	return append(appendHeader(dst, CommandJoin, id, len(room)), room...)
}

// AppendMessage appends a message frame whose text is one stored block of zlib.
func AppendMessage(dst []byte, id uint32, text []byte) []byte {
	dst = appendHeader(dst, CommandMessage, id, len(text)+storedOverhead)
	return appendStored(dst, text)
}

// AppendPing appends a ping frame.
func AppendPing(dst []byte, id uint32) []byte { return appendHeader(dst, CommandPing, id, 0) }

// AppendAck appends an ack frame.
func AppendAck(dst []byte, id uint32, r Result) []byte {
	return append(appendHeader(dst, CommandAck, id, 1), byte(r))
}

// Broadcast is a message as it reaches the other members of a room.
type Broadcast struct {
	// ID is what the sender called the message.
	ID uint32
	// From is the sender's nickname, or name if there is none.
	From string
	Room string
	Text []byte
}

// appendBroadcast appends m as a broadcast frame with that zlib stream.
func appendBroadcast(dst []byte, m *message, stream []byte) []byte {
	dst = appendBroadcastHead(dst, m, len(stream))
	return append(dst, stream...)
}

// appendBroadcastHead appends all of a broadcast frame but its zlib stream, of which
// it needs the size.
func appendBroadcastHead(dst []byte, m *message, stream int) []byte {
	dst = appendHeader(dst, CommandBroadcast, m.id, 2+len(m.from)+len(m.room)+stream)
	dst = append(append(dst, byte(len(m.from))), m.from...)
	return append(append(dst, byte(len(m.room))), m.room...)
}

// errBroadcast is the one fault of a broadcast's form.
var errBroadcast = errors.New("decode broadcast: names are cut off")

// DecodeBroadcast decodes the packet of a broadcast, text included.
func DecodeBroadcast(p Packet) (Broadcast, error) {
	if p.Command != CommandBroadcast {
		return Broadcast{}, fmt.Errorf("decode broadcast: command is 0x%02x, want 0x%02x", byte(p.Command), byte(CommandBroadcast))
	}
	from, rest, ok := cutName(p.Body)
	if !ok {
		return Broadcast{}, errBroadcast
	}
	room, stream, ok := cutName(rest)
	if !ok {
		return Broadcast{}, errBroadcast
	}
	text, err := inflateNew(stream)
	if err != nil {
		return Broadcast{}, fmt.Errorf("decode broadcast: %w", err)
	}
	return Broadcast{ID: p.ID, From: string(from), Room: string(room), Text: text}, nil
}

// cutName cuts a name with its length in front off b. The rest of a login is the nickname.
func cutName(b []byte) (name, rest []byte, ok bool) {
	if len(b) == 0 || int(b[0]) > len(b)-1 {
		return nil, nil, false
	}
	n := 1 + int(b[0]) // 256 is no byte
	return b[1:n], b[n:], true
}
