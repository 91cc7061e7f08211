package tcp

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Chat is the protocol of a chat server with rooms. Each connection logs in under a
// name of its own and joins a room; its requests are messages to that room, each
// answered by an ack with its id, in order. The messages of the other members arrive in
// between as broadcasts.
//
//	frame     = int32 length of the whole frame, big-endian; command; uint32 id; body
//	login     = 0x01, id, length of the name (1 byte), name
//	join      = 0x02, id, room
//	message   = 0x03, id, zlib stream of the text
//	ack       = 0x81, the request's id, a result byte (0 = accepted): always 10 bytes
//	broadcast = 0x83, the message's id, length and bytes of the sender's name and of the
//	            room, zlib stream of the text
//
// A broadcast counts as no answer. Each is checked: it must be for the connection's
// room and inflate to the text that is sent. Inflating is dear, so a stream that is
// right is remembered, and one with the same bytes is right too.
//
// Names and rooms begin with a token that is drawn per target, so that several
// generators can load one server.
var Chat = &wire.Scheme{
	Name:    "chat",
	Doc:     "chat server with rooms; a message to the room, answered by an ack; ?room=10 members, ?text=100 bytes",
	Example: chatExample,
	New:     newChat,
}

const chatExample = "chat://127.0.0.1:8890"

const (
	chatHeader   = 4 + 1 + 4 // length, command, id
	chatAckBytes = chatHeader + 1
	// chatMaxFrame is the largest frame of the protocol.
	chatMaxFrame = 64 << 10

	chatLogin     = 0x01
	chatJoin      = 0x02
	chatMessage   = 0x03
	chatAck       = 0x81
	chatBroadcast = 0x83

	// chatRoom and chatText are what a target that says nothing gets.
	chatRoom = 10
	chatText = 100
	// chatMaxRoom is beyond any server's limit; chatMaxText is the protocol's.
	chatMaxRoom = 1_000_000
	chatMaxText = 63 << 10
)

func newChat(u *url.URL, _ wire.Options) (load.Protocol, error) {
	if u.Path != "" && u.Path != "/" {
		return nil, fail.New(fail.BadInput, "chat has no path, got %q", u.Path).
			WithHint("write it like %s?room=10", chatExample)
	}
	room, text := chatRoom, chatText
	if err := chatOptions(u.RawQuery, map[string]chatOption{
		"room": {&room, 1, chatMaxRoom},
		"text": {&text, 1, chatMaxText},
	}); err != nil {
		return nil, err
	}
	p := &chat{room: room, token: strings.ToLower(rand.Text()[:8]), text: chatWords(text)}
	p.frame = appendChatFrame(nil, chatMessage, 0, chatStream(p.text))
	return p, nil
}

// chatOption is a number in the query of a target.
type chatOption struct {
	value       *int
	least, most int
}

// chatOptions reads the query.
func chatOptions(query string, options map[string]chatOption) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return fail.New(fail.BadInput, "parse options %q: %w", query,
			err).WithHint("write them like %s?room=10&text=100", chatExample)
	}
	for name, all := range values {
		o, ok := options[name]
		if !ok {
			err := fail.New(fail.BadInput, "unknown option %q of chat", name)
			if near := fail.Nearest(name, []string{"room", "text"}); near != "" {
				return err.WithHint("did you mean %q?", near)
			}
			return err.WithHint("known are room (members of a room) and text (bytes of a message)")
		}
		n, err := strconv.Atoi(all[0])
		if err != nil || len(all) > 1 || n < o.least || n > o.most {
			return fail.New(fail.BadInput, "%s is %q, want a number from %d to %d", name, strings.Join(all, ","),
				o.least, o.most).
				WithHint("write it like %s?%s=%d", chatExample, name, *o.value)
		}
		*o.value = n
	}
	return nil
}

// chatWords is a text of that size, in which words repeat as they do in chats.
func chatWords(size int) []byte {
	const words = "the quick brown fox jumps over the lazy dog, and the dog does not mind. "
	return bytes.Repeat([]byte(words), size/len(words)+1)[:size]
}

// chatStream compresses text, once for all requests.
func chatStream(text []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(text) // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes()
}

func appendChatFrame(dst []byte, command byte, id uint32, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(chatHeader+len(body)))
	dst = append(dst, command)
	dst = binary.BigEndian.AppendUint32(dst, id)
	return append(dst, body...)
}

// chat is what all connections share.
type chat struct {
	room  int // members
	token string
	text  []byte
	frame []byte // the request; the id is filled in
	// dialogs counts the connections so far: a reconnect gets a name of its own, since
	// the server may not have noticed yet that the old one has gone.
	dialogs atomic.Uint64
	// right is the last stream of a broadcast that was inflated and found right.
	right atomic.Pointer[[]byte]
}

// Dialog implements load.Protocol.
func (p *chat) Dialog(conn int) load.Dialog {
	name := fmt.Sprintf("%s-%d", p.token, p.dialogs.Add(1))
	room := fmt.Sprintf("%s-room-%d", p.token, conn/p.room)
	hello := appendChatFrame(nil, chatLogin, chatHelloIDs[0], append([]byte{byte(len(name))}, name...))
	hello = appendChatFrame(hello, chatJoin, chatHelloIDs[1], []byte(room))
	return &chatDialog{chat: p, hello: hello, room: room}
}

// check says whether a broadcast to room is right.
func (p *chat) check(body []byte, room string) load.Cause {
	_, rest, ok := cutChatName(body)
	if !ok {
		return load.Malformed
	}
	to, stream, ok := cutChatName(rest)
	if !ok {
		return load.Malformed
	}
	if string(to) != room {
		return load.WrongBody
	}
	if right := p.right.Load(); right != nil && bytes.Equal(*right, stream) {
		return load.OK // nearly always
	}
	return p.inflate(stream)
}

// inflate says whether stream holds the text, and remembers it if so.
func (p *chat) inflate(stream []byte) load.Cause {
	in := bytes.NewReader(stream)
	r, err := zlib.NewReader(in)
	if err != nil {
		return load.Malformed
	}
	got := make([]byte, len(p.text)+1) // a stream may claim any length
	n := 0
	for n < len(got) && err == nil {
		var k int
		k, err = r.Read(got[n:])
		n += k
	}
	switch {
	case n == len(got) || !bytes.Equal(got[:n], p.text):
		return load.WrongBody
	case err != io.EOF || in.Len() > 0:
		return load.Malformed
	}
	right := slices.Clone(stream)
	p.right.Store(&right)
	return load.OK
}

// cutChatName cuts a name with its length in front off b.
func cutChatName(b []byte) (name, rest []byte, ok bool) {
	if len(b) == 0 || int(b[0]) > len(b)-1 {
		return nil, nil, false
	}
	n := 1 + int(b[0]) // 256 is no byte
	return b[1:n], b[n:], true
}
