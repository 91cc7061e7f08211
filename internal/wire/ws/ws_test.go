package ws

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// serverFrame is a frame as a server sends it.
func serverFrame(first byte, payload []byte) []byte {
	switch n := len(payload); {
	case n < 126:
		return append([]byte{first, byte(n)}, payload...)
	case n <= 0xffff:
		return append(binary.BigEndian.AppendUint16([]byte{first, 126}, uint16(n)), payload...)
	default:
		return append(binary.BigEndian.AppendUint64([]byte{first, 127}, uint64(n)), payload...)
	}
}

func forTest(t interface{ Fatal(...any) }, o wire.Options) *protocol {
	p, err := newWebSocket(&url.URL{Scheme: "ws", Host: "h:1"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*protocol)
}

// Messages in any fragments, with pings between them, read in pieces of any size, are the same answers.
func TestInPieces(t *testing.T) {
	p := forTest(t, wire.Options{Expect: wire.Expect{Body: "ü"}})
	rapid.Check(t, func(t *rapid.T) {
		var wire []byte
		var want []load.Cause
		pings := 0
		for range rapid.IntRange(1, 5).Draw(t, "messages") {
			text := []byte(rapid.String().Draw(t, "text"))
			cause := load.WrongBody
			if bytes.Contains(text, []byte("ü")) {
				cause = load.OK
			}
			want = append(want, cause)
			opcode := byte(opText)
			for {
				n := rapid.IntRange(0, len(text)).Draw(t, "fragment")
				last := n == len(text)
				first := opcode
				if last {
					first |= final
				}
				wire = append(wire, serverFrame(first, text[:n])...)
				if text, opcode = text[n:], opContinue; last {
					break
				}
				if rapid.Bool().Draw(t, "ping") {
					wire, pings = append(wire, serverFrame(final|opPing, []byte("p"))...), pings+1
				}
			}
		}
		d := p.Dialog(0).(*dialog)
		for seq := range want {
			d.AppendRequest(nil, uint64(seq))
		}
		var got []load.Cause
		have := []byte{}
		for len(wire) > 0 {
			n := rapid.IntRange(1, len(wire)).Draw(t, "read")
			have, wire = append(have, wire[:n]...), wire[n:]
			for len(have) > 0 {
				used, a := d.NextAnswer(have, false)
				have = have[used:]
				if used > 0 && !a.Partial {
					if a.Seq != uint64(len(got)) || a.Close {
						t.Fatalf("answer %d: %+v", len(got), a)
					}
					got = append(got, a.Cause)
				} else {
					break
				}
			}
		}
		if len(have) > 0 || len(got) != len(want) {
			t.Fatalf("%d bytes are left, %d of %d answers", len(have), len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("answer %d: %v, want %v", i, got[i], want[i])
			}
		}
		if pongs := len(d.appendDue(nil)) / 7; pongs != pings { // 2 of the head, 4 of the mask, 1 of the payload
			t.Fatalf("%d pongs to %d pings", pongs, pings)
		}
	})
}

func TestFramesThatAServerMustNotSend(t *testing.T) {
	for name, sent := range map[string][]byte{
		"a reserved bit":              {0xc1, 0},
		"a mask":                      {0x81, 0x80, 0, 0, 0, 0},
		"a reserved opcode":           {0x83, 0},
		"a reserved control opcode":   {0x8b, 0},
		"a ping in fragments":         {0x09, 0},
		"a ping of 126 bytes":         append([]byte{0x89, 126, 0, 126}, make([]byte, 126)...),
		"a close of one byte":         {0x88, 1, 3},
		"a length that is too long":   {0x82, 126, 0, 5, 1, 2, 3, 4, 5},
		"a length of over 63 bits":    {0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0},
		"a fragment without a start":  {0x80, 0},
		"a message within a message":  {0x01, 0, 0x81, 0},
		"half a character at the end": {0x81, 1, 0xc3},
		"a character that is none":    {0x81, 2, 0xc3, 0x28},
	} {
		d := forTest(t, wire.Options{}).Dialog(0)
		d.AppendRequest(nil, 0)
		if _, a := d.NextAnswer(sent, false); a.Cause != load.Malformed || !a.Close || a.Seq != 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// What is sent is what the mask of each frame takes off again, and no two masks are the same.
func TestMasks(t *testing.T) {
	p := forTest(t, wire.Options{Body: []byte("0123456789abc {n}")})
	d := p.Dialog(0)
	seen := map[uint32]bool{}
	for seq := range uint64(100) {
		frame := d.AppendRequest(nil, seq)
		mask := binary.LittleEndian.Uint32(frame[2:])
		applyMask(frame[6:], mask)
		want := "0123456789abc " + string("0123456789"[seq/10]) + string("0123456789"[seq%10])
		if seq < 10 {
			want = "0123456789abc " + string("0123456789"[seq])
		}
		if got := string(frame[6:]); frame[0] != 0x81 || int(frame[1]&0x7f) != len(want) || got != want || seen[mask] {
			t.Fatalf("message %d: % x %q, want %q", seq, frame[:6], got, want)
		}
		seen[mask] = true
	}
}

func TestUTF8InPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.String().Draw(t, "text"))
		if len(text) > 0 && rapid.Bool().Draw(t, "broken") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		var u utf8Check
		right := true
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			right = right && u.take(rest[:n])
			rest = rest[n:]
		}
		right = u.end() && right
		if right != utf8.Valid(text) {
			t.Fatalf("%q: %v", text, right)
		}
	})
}

func FuzzAnswers(f *testing.F) {
	f.Add(serverFrame(0x81, []byte(`{"id": 0}`)), uint8(3))
	f.Add(append(serverFrame(0x89, []byte("p")), serverFrame(0x02, []byte("x"))...), uint8(1))
	f.Add(serverFrame(0x88, []byte{3, 0xe8}), uint8(2))
	f.Add([]byte{0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0}, uint8(4))
	p := forTest(f, wire.Options{Body: []byte(`{"id": {n}}`), WebSocket: wire.WebSocket{ID: "id"},
		Expect: wire.Expect{JSON: "id"}})
	f.Fuzz(func(t *testing.T, wire []byte, step uint8) {
		d := p.Dialog(0).(*dialog)
		for seq := range uint64(3) {
			d.AppendRequest(nil, seq)
		}
		have := []byte{}
		for len(wire) > 0 {
			n := min(len(wire), int(step)+1)
			have, wire = append(have, wire[:n]...), wire[n:]
			for {
				used, a := d.NextAnswer(have, false)
				if used < 0 || used > len(have) {
					t.Fatalf("%d of %d bytes used", used, len(have))
				}
				if have = have[used:]; a.Close {
					return
				}
				if used == 0 || a.Partial {
					break
				}
			}
			d.AppendControl(nil)
		}
	})
}

// A pong comes before the answers to what was asked after its ping: more answers than requests are messages too many.
// Pongs without a ping say nothing.
func TestOrder(t *testing.T) {
	p := forTest(t, wire.Options{Body: []byte("x")})
	d := p.Dialog(0).(*dialog)
	message := serverFrame(final|opText, []byte("x"))
	pong := func(behind uint64) []byte {
		return serverFrame(final|opPong, binary.BigEndian.AppendUint64(nil, behind))
	}
	sent, asked := uint64(0), uint64(0)
	turn := func(requests int, frames ...[]byte) {
		for range requests {
			d.AppendRequest(nil, sent)
			sent++
		}
		if ping := d.AppendControl(nil); len(ping) > 0 {
			asked = sent
		}
		for in := slices.Concat(frames...); len(in) > 0; {
			n, _ := d.NextAnswer(in, false)
			in = in[n:]
		}
	}
	turn(1, message, pong(1))
	turn(2, message, message, pong(2), pong(3)) // the ping is after 3 requests
	if asked != 3 || p.early.Load() != 0 {
		t.Fatalf("in order: a ping after %d requests, %d messages too many", asked, p.early.Load())
	}
	turn(2, message, message) // a push, and the answer to the 4th request, for those to the 4th and the 5th
	turn(2, message, message)
	turn(1, message, pong(7)) // the answer to the 7th request for that to the 8th
	if asked != 7 || p.early.Load() != 1 {
		t.Errorf("a ping after %d requests, %d messages too many, want 1", asked, p.early.Load())
	}
	if doubts := OrderDoubt(p.Notes()); len(doubts) != 1 || !doubts[0].Fatal {
		t.Errorf("notes %q, doubts %+v", p.Notes(), doubts)
	}
}
