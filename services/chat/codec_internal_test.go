package chat

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"strings"
	"testing"
)

// The wire format, byte by byte.
func TestWireFormat(t *testing.T) {
	for name, c := range map[string]struct {
		got  []byte
		want string
	}{
		"login":              {AppendLogin(nil, 1, "ann", ""), "0000000d 01 00000001 03 616e6e"},
		"login with nick":    {AppendLogin(nil, 2, "ann", "A"), "0000000e 01 00000002 03 616e6e 41"},
		"join":               {AppendJoin(nil, 3, "hall"), "0000000d 02 00000003 68616c6c"},
		"message":            {AppendMessage(nil, 4, []byte("hi")), "00000016 03 00000004 780101 0200fdff 6869 013b00d2"},
		"ping":               {AppendPing(nil, 0xfffffffe), "00000009 04 fffffffe"},
		"ack":                {AppendAck(nil, 5, RoomFull), "0000000a 81 00000005 06"},
		"front of broadcast": {appendBroadcastHead(nil, &message{id: 6, from: "ann", room: "hall"}, 7), "00000019 83 00000006 03 616e6e 04 68616c6c"},
	} {
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		if err != nil || !bytes.Equal(c.got, want) {
			t.Errorf("%s is %x, want %s, %v", name, c.got, c.want, err)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "Zoë": true, "名前": true, "user=root": true, strings.Repeat("x", MaxName): true,
		"": false, "two words": false, "tab\t": false, "line\n": false, "nul\x00": false,
		"half a rune \xc3": false, "\xff": false, "wide\u00a0space": false, "turn\u202e": false,
		strings.Repeat("x", MaxName+1): false, strings.Repeat("ß", MaxName/2+1): false,
	} {
		if got := validName([]byte(name)); got != want {
			t.Errorf("validName(%q) = %v", name, got)
		}
	}
}

// Every decoder takes any bytes, and what is decoded makes the same bytes again.
func FuzzPacket(f *testing.F) {
	f.Add(AppendLogin(nil, 1, "ann", "Annie")[lengthSize:])
	f.Add(AppendMessage(nil, 2, []byte("hello"))[lengthSize:])
	f.Add(AppendAck(nil, 3, BadText)[lengthSize:])
	f.Add(append(appendBroadcastHead(nil, &message{id: 4, from: "a", room: "b"}, 14), appendStored(nil, []byte("abc"))...)[lengthSize:])
	f.Add(append(appendBroadcastHead(nil, &message{id: 4, from: strings.Repeat("a", 255), room: "b"}, 14), appendStored(nil, []byte("abc"))...)[lengthSize:])
	f.Add([]byte{0x83, 0, 0, 0, 1, 200, 1})
	f.Add([]byte{1, 0, 0, 0, 1, 200, 1})
	f.Fuzz(func(t *testing.T, payload []byte) {
		var p Packet
		if err := p.Decode(payload); err != nil {
			if len(payload) >= HeaderSize-lengthSize {
				t.Fatalf("%x: %v", payload, err)
			}
			return
		}
		again := append(appendHeader(nil, p.Command, p.ID, len(p.Body)), p.Body...)
		if !bytes.Equal(again[lengthSize:], payload) {
			t.Fatalf("%x became %x", payload, again)
		}
		if name, nick, ok := cutName(p.Body); ok && len(name) < 256 {
			if b := AppendLogin(nil, p.ID, string(name), string(nick)); !bytes.Equal(b[HeaderSize:], p.Body) {
				t.Fatalf("login %x became %x", p.Body, b)
			}
		}
		b, err := DecodeBroadcast(p)
		if err != nil {
			return
		}
		m := message{id: b.ID, from: b.From, room: b.Room, text: b.Text}
		frame := appendBroadcast(nil, &m, appendStored(nil, b.Text))
		var q Packet
		if err := q.Decode(frame[lengthSize:]); err != nil {
			t.Fatal(err)
		}
		if c, err := DecodeBroadcast(q); err != nil || c.From != b.From || c.Room != b.Room || !bytes.Equal(c.Text, b.Text) {
			t.Fatalf("%+v became %+v, %v", b, c, err)
		}
	})
}

// The inflaters of all stages give the same verdict and text for any bytes; nothing is
// over MaxText.
func FuzzInflate(f *testing.F) {
	f.Add(appendStored(nil, []byte("a stored block")))
	f.Add(deflateNew([]byte("a text, a text, a text")))
	f.Add(deflateNew(make([]byte, MaxText+1)))
	f.Add([]byte{0x78, 0x01, 0x01, 1, 0, 0xfe, 0xff})
	f.Add(append(deflateNew(nil), 0))
	f.Add([]byte{0x78, 0xbb, 0, 0, 0, 2, 3, 0, 0, 0, 0, 1})
	reset, fast := newCodec(), newScratch() // kept: a stream must not see the one before it
	f.Fuzz(func(t *testing.T, stream []byte) {
		want, wantErr := inflateNew(stream)
		if len(want) > MaxText {
			t.Fatalf("%d bytes of text", len(want))
		}
		got, err := reset.inflate(nil, stream, zlib.NewReader)
		if !sameInflated(got, want, err, wantErr) {
			t.Errorf("reset: %q, %v, want %q, %v", got, err, want, wantErr)
		}
		got, err = fast.inflate(stream)
		if !sameInflated(got, want, err, wantErr) {
			t.Errorf("fast: %q, %v, want %q, %v", got, err, want, wantErr)
		}
	})
}

// sameInflated says whether both took a stream, to the same text, or both refused it. A stream that is damaged and too
// long has two faults; which of them a library meets first depends on how far it reads ahead.
func sameInflated(got, want []byte, err, wantErr error) bool {
	return (err == nil) == (wantErr == nil) && (err != nil || bytes.Equal(got, want))
}

// What each stage compresses, the standard library inflates to the same text.
func FuzzDeflate(f *testing.F) {
	f.Add([]byte{}, uint16(1))
	f.Add([]byte("a text"), uint16(100))
	f.Add([]byte("a"), uint16(60_000))
	reset, fast := newCodec(), newScratch()
	f.Fuzz(func(t *testing.T, piece []byte, times uint16) {
		text := bytes.Repeat(piece, min(int(times), MaxText/max(len(piece), 1)))
		m := message{from: "a", room: "b", text: text}
		frame := fast.appendFrame(nil, &m, false)
		for name, stream := range map[string][]byte{
			"new": deflateNew(text), "reset": reset.deflate(text), "stored": appendStored(nil, text),
			"final": frame[len(appendBroadcastHead(nil, &m, 0)):],
		} {
			r, err := zlib.NewReader(bytes.NewReader(stream))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%s: %d bytes, %v, want %d", name, len(got), err, len(text))
			}
			if HeaderSize+2+2*MaxName+len(stream) > MaxFrame {
				t.Fatalf("%s: a text of %d bytes became a stream of %d", name, len(text), len(stream))
			}
		}
	})
}
