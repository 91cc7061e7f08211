package schemes_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

func chatTarget(t testing.TB, query string) load.Protocol {
	t.Helper()
	target, err := schemes.Parse("chat://localhost:1"+query, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// chatPeer is a dialog that has sent its hello and three messages, and what it sent.
type chatPeer struct {
	load.Controller
	room string
	text []byte
}

func chatDialog(t testing.TB) chatPeer {
	t.Helper()
	d := chatTarget(t, "?text=30").Dialog(25).(load.Controller)
	hello := chatFrames(t, d.AppendControl(nil))
	p := chatPeer{Controller: d, room: string(hello[1][9:])}
	for seq := range uint64(3) {
		p.text = inflated(t, d.AppendRequest(nil, seq)[9:])
	}
	return p
}

// chatFrame is a frame of the protocol.
func chatFrame(command byte, id uint32, body string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(9+len(body)))
	b = binary.BigEndian.AppendUint32(append(b, command), id)
	return append(b, body...)
}

func chatAck(id uint32, result byte) []byte { return chatFrame(0x81, id, string(result)) }

// broadcast is a message of another user.
func broadcast(room string, stream []byte) []byte {
	return chatFrame(0x83, 7, "\x03bob"+string(byte(len(room)))+room+string(stream))
}

// chatFrames cuts b into frames.
func chatFrames(t testing.TB, b []byte) (all [][]byte) {
	t.Helper()
	for len(b) > 0 {
		n := binary.BigEndian.Uint32(b)
		if n < 9 || int(n) > len(b) {
			t.Fatalf("frame of %d bytes in %x", n, b)
		}
		all, b = append(all, b[:n]), b[n:]
	}
	return all
}

func deflated(text []byte, level int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		panic(err)
	}
	w.Write(text)
	w.Close()
	return b.Bytes()
}

func inflated(t testing.TB, stream []byte) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestChatSpeaksTheWireFormat(t *testing.T) {
	p := chatTarget(t, "?room=10&text=100")
	names, rooms := map[string]bool{}, map[string]int{}
	for conn := range 25 {
		d := p.Dialog(conn).(load.Controller)
		hello := chatFrames(t, d.AppendControl(nil))
		if len(hello) != 2 || hello[0][4] != 1 || hello[1][4] != 2 || int(hello[0][9]) != len(hello[0])-10 {
			t.Fatalf("hello is %q, want a login and a join", hello)
		}
		names[string(hello[0][10:])] = true
		rooms[string(hello[1][9:])]++
		if again := d.AppendControl(nil); len(again) > 0 {
			t.Errorf("said hello twice: %q", again)
		}
		for seq := range uint64(3) {
			frames := chatFrames(t, d.AppendRequest(nil, seq))
			if len(frames) != 1 || frames[0][4] != 3 || binary.BigEndian.Uint32(frames[0][5:]) != uint32(seq) ||
				len(inflated(t, frames[0][9:])) != 100 {
				t.Errorf("request %d is %q", seq, frames)
			}
		}
	}
	p.Dialog(3) // a reconnect has a name of its own
	if len(names) != 25 || len(rooms) != 3 {
		t.Errorf("%d names, rooms %v, want 25 and 3 rooms", len(names), rooms)
	}
	for name := range rooms {
		if len(name) > 32 {
			t.Errorf("room %q is longer than servers take", name)
		}
	}
	first := chatFrames(t, p.Dialog(0).AppendRequest(nil, 0))
	if len(first) != 3 || names[string(first[0][10:])] {
		t.Errorf("a request without hello before it is %q, want the hello under a new name in front", first)
	}
}

func TestChatNamesWhatIsWrongWithAnAnswer(t *testing.T) {
	room := chatDialog(t).room // the token differs from target to target
	long := deflated(make([]byte, 10<<20), zlib.BestCompression)
	for _, c := range []struct {
		name string
		in   func(p chatPeer) []byte
		eof  bool
		n    int // -1: all
		want load.Answer
	}{
		{"right", func(chatPeer) []byte { return chatAck(0, 0) }, false, -1, load.Answer{}},
		{"not whole", func(chatPeer) []byte { return chatAck(0, 0)[:9] }, false, 0, load.Answer{}},
		{"nothing at the end", func(chatPeer) []byte { return nil }, true, 0, load.Answer{}},
		{"cut off", func(chatPeer) []byte { return chatAck(0, 0)[:9] }, true, -1,
			load.Answer{Cause: load.WrongLength, Close: true}},
		{"refused", func(chatPeer) []byte { return chatAck(0, 5) }, false, -1,
			load.Answer{Cause: load.WrongStatus, Code: 5}},
		{"out of turn", func(chatPeer) []byte { return chatAck(2, 0) }, false, -1,
			load.Answer{Seq: 2, Cause: load.WrongOrder}},
		{"never sent", func(chatPeer) []byte { return chatAck(3, 0) }, false, -1,
			load.Answer{Seq: 3, Cause: load.WrongID}},
		{"another command", func(chatPeer) []byte { return chatFrame(0x82, 0, "x") }, false, -1,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"long ack", func(chatPeer) []byte { return chatFrame(0x81, 0, "xx") }, false, -1,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"length 0", func(chatPeer) []byte { return make([]byte, 9) }, false, 4,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"length at once", func(chatPeer) []byte { return []byte{0xff, 0xff, 0xff, 0xff} }, false, -1,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"hello acked", func(chatPeer) []byte { return append(chatAck(0xfffffffe, 0), chatAck(0xffffffff, 0)...) },
			false, -1, load.Answer{Partial: true}},
		{"name taken", func(chatPeer) []byte {
			return bytes.Join([][]byte{chatAck(0xfffffffe, 4), chatAck(0xffffffff, 1), chatAck(0, 1)}, nil)
		}, false, -1, load.Answer{Cause: load.WrongStatus, Code: 4}},
		{"hello acked twice", func(chatPeer) []byte {
			return bytes.Join([][]byte{chatAck(0xfffffffe, 0), chatAck(0xfffffffe, 0)}, nil)
		}, false, -1, load.Answer{Seq: 3, Cause: load.WrongID}},
		{"broadcast", func(p chatPeer) []byte { return broadcast(p.room, deflated(p.text, 6)) }, false, -1,
			load.Answer{Partial: true}},
		{"stored broadcasts and an ack", func(p chatPeer) []byte {
			b := broadcast(p.room, deflated(p.text, zlib.NoCompression))
			return append(append(b, b...), chatAck(0, 0)...)
		}, false, -1, load.Answer{}},
		{"another room", func(p chatPeer) []byte { return broadcast(room+"1", deflated(p.text, 6)) }, false, -1,
			load.Answer{Seq: 3, Cause: load.WrongBody}},
		{"another text", func(p chatPeer) []byte { return broadcast(p.room, deflated([]byte("something else"), 6)) },
			false, -1, load.Answer{Seq: 3, Cause: load.WrongBody}},
		{"more text", func(p chatPeer) []byte { return broadcast(p.room, deflated(append(p.text, '!'), 6)) }, false, -1,
			load.Answer{Seq: 3, Cause: load.WrongBody}},
		{"a bomb", func(p chatPeer) []byte { return broadcast(p.room, long) }, false, -1,
			load.Answer{Seq: 3, Cause: load.WrongBody}},
		{"no zlib", func(p chatPeer) []byte { return broadcast(p.room, p.text) }, false, -1,
			load.Answer{Seq: 3, Cause: load.Malformed}},
		{"wrong checksum", func(p chatPeer) []byte {
			b := broadcast(p.room, deflated(p.text, 6))
			b[len(b)-1] ^= 1
			return b
		}, false, -1, load.Answer{Seq: 3, Cause: load.Malformed}},
		{"bytes after", func(p chatPeer) []byte { return broadcast(p.room, append(deflated(p.text, 6), 0)) }, false, -1,
			load.Answer{Seq: 3, Cause: load.Malformed}},
		{"cut names", func(chatPeer) []byte { return chatFrame(0x83, 0, "\x09bob") }, false, -1,
			load.Answer{Seq: 3, Cause: load.Malformed}},
	} {
		p := chatDialog(t)
		in := c.in(p)
		if c.n < 0 {
			c.n = len(in)
		}
		if n, got := p.NextAnswer(in, c.eof); n != c.n || got != c.want {
			t.Errorf("%s: got %d, %+v, want %d, %+v", c.name, n, got, c.n, c.want)
		}
	}
}

// A stream that was right once is not inflated again, and one that differs is.
func TestChatChecksEveryBroadcast(t *testing.T) {
	p := chatDialog(t)
	right := broadcast(p.room, deflated(p.text, 6))
	p.NextAnswer(right, false)
	many := bytes.Repeat(right, 50)
	if allocs := testing.AllocsPerRun(100, func() {
		if n, a := p.NextAnswer(many, false); n != len(many) || a != (load.Answer{Partial: true}) {
			t.Fatalf("got %d, %+v", n, a)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations for broadcasts seen before, want 0", allocs)
	}
	wrong := bytes.Clone(right)
	wrong[len(wrong)-7] ^= 1
	if _, a := p.NextAnswer(wrong, false); a.Cause == load.OK {
		t.Error("a broadcast with a flipped bit was taken for the one before")
	}
}

// After a slip of the server the dialog is in step again.
func TestChatFindsItsStepAgain(t *testing.T) {
	for name, c := range map[string]struct {
		acks []uint32
		want []load.Answer
	}{
		"in turn": {[]uint32{0, 1, 2}, []load.Answer{{}, {Seq: 1}, {Seq: 2}}},
		"skipped": {[]uint32{1, 2}, []load.Answer{{Seq: 1, Cause: load.WrongOrder}, {Seq: 2}}},
		"swapped": {[]uint32{1, 0, 2}, []load.Answer{{Seq: 1, Cause: load.WrongOrder}, {Cause: load.WrongOrder},
			{Seq: 2}}},
		"twice":   {[]uint32{0, 0, 1}, []load.Answer{{}, {Cause: load.WrongOrder}, {Seq: 1}}},
		"strange": {[]uint32{0, 77, 1}, []load.Answer{{}, {Seq: 3, Cause: load.WrongID}, {Seq: 1}}},
	} {
		p := chatDialog(t)
		for i, id := range c.acks {
			if _, got := p.NextAnswer(chatAck(id, 0), false); got != c.want[i] {
				t.Errorf("%s: ack %d is %+v, want %+v", name, i, got, c.want[i])
			}
		}
	}
}

func TestChatTargets(t *testing.T) {
	for _, c := range []struct{ target, text, hint string }{
		{"chat://localhost", "port", "chat://127.0.0.1:8890"},
		{"chat://localhost:1/lobby", "no path", "room="},
		{"chat://localhost:1?room=0", `room is "0"`, "room=10"},
		{"chat://localhost:1?room=many", "want a number from 1", ""},
		{"chat://localhost:1?room=1&room=2", `room is "1,2"`, ""},
		{"chat://localhost:1?text=70000", "want a number from 1 to 64512", ""},
		{"chat://localhost:1?rom=3", `unknown option "rom"`, `did you mean "room"?`},
		{"chat://localhost:1?name=x", `unknown option "name"`, "known are room"},
		{"chat://localhost:1?room=%zz", "parse options", ""},
	} {
		_, err := schemes.Parse(c.target, wire.Options{})
		wantInputError(t, c.target, err, c.text, c.hint)
	}
	_, err := schemes.Parse("chat://localhost:1", wire.Options{PayloadBytes: 5})
	wantInputError(t, "payload", err, "does not belong to chat", "")
	for _, target := range []string{"chat://localhost:1?text=64512&room=1", "chat+unix:/run/chat.sock:/?room=3",
		"chat://h:{port}?room=2"} {
		got, err := schemes.Parse(target, wire.Options{})
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if n := len(got.Dialog(0).AppendRequest(nil, 0)); n > 64<<10 {
			t.Errorf("%s: first request has %d bytes", target, n)
		}
	}
}

// However the bytes are cut, the answers are the same, and none is read twice.
func FuzzChatAnswers(f *testing.F) {
	p := chatDialog(f)
	f.Add(append(chatAck(0, 0), chatAck(1, 1)...), uint8(3))
	f.Add(append(broadcast(p.room, deflated(p.text, 6)), chatAck(0, 0)...), uint8(7))
	f.Add(append(chatAck(0xfffffffe, 4), chatAck(0xffffffff, 1)...), uint8(1))
	f.Add([]byte{0, 0, 0, 10, 0x81}, uint8(1))
	f.Add([]byte{0xff, 0, 0, 14}, uint8(2))
	f.Fuzz(func(t *testing.T, in []byte, cut uint8) {
		d, e := chatDialog(t), chatDialog(t)
		whole, pieces := answers(t, d, in, len(in)+1), answers(t, e, in, int(cut)+1)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Errorf("whole %+v, in pieces %+v", whole, pieces)
		}
	})
}

// noise is bytes that no compressor makes smaller.
func noise(n int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		b.WriteByte(byte(r.Uint32()))
	}
	return b.String()
}

// Broadcasts of the largest size, in reads of any size, are consumed frame by frame.
func TestChatTakesLargeBroadcasts(t *testing.T) {
	p := chatDialog(t)
	big := chatFrame(0x83, 1, "\x03bob"+string(byte(len(p.room)))+p.room+noise(65_000))
	if n, a := p.NextAnswer(big[:len(big)-1], false); n != 0 || a.Close {
		t.Errorf("all but a byte of it: %d, %+v", n, a)
	}
	if n, a := p.NextAnswer(big, false); n != len(big) || a.Cause == load.OK || a.Close {
		t.Errorf("got %d, %+v, want a wrong broadcast on a connection that goes on", n, a)
	}
}
