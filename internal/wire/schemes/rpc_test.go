package schemes_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

func rpcDialog(t testing.TB) load.Dialog {
	t.Helper()
	return parse(t, "rpc://localhost:1", wire.Options{}).Dialog(0)
}

// unhex reads hex digits with blanks between them.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRPCRequestIsTheWireFormat(t *testing.T) {
	d := rpcDialog(t)
	for seq := range uint64(70_000) { // around the stream ids
		got := d.AppendRequest([]byte("x"), seq)[1:]
		if seq != 1 && seq != 65_536+0x102 {
			continue
		}
		// Magic, version, message type, request type, compression; stream id; length
		// 0x2b = 2+28 (path) + 2+11 (argument); reserved. Field 2, the path; field 4, the
		// argument: a map of one entry, "Msg", "hello".
		want := unhex(t, "11 00 00 00 00")
		stream := seq%65_535 + 1
		want = append(want, byte(stream>>8), byte(stream))
		want = append(want, unhex(t, `0000002b 00000000
			12 1c 2f68656c6c6f776f726c642e477265657465722f53617948656c6c6f
			22 0b 81 a3 4d7367 a5 68656c6c6f`)...)
		if !bytes.Equal(got, want) {
			t.Fatalf("request %d is %x, want %x", seq, got, want)
		}
	}
}

// world is the right answer with a stream id.
func world(stream uint16) []byte {
	return rpcAnswer(stream, rpc.Response{Payload: []byte("\x81\xa3Msg\xa5world")})
}

func rpcAnswer(stream uint16, r rpc.Response) []byte {
	body := rpc.AppendResponse(nil, &r)
	return append(rpc.AppendHeader(nil, rpc.Header{Stream: stream, Length: uint32(len(body))}), body...)
}

// worldTo is the right answer to request seq.
func worldTo(seq uint64) []byte { return world(uint16(seq%65_535) + 1) }

// raw is an answer to request 0 with a body in hex.
func raw(t testing.TB, body string) []byte {
	b := unhex(t, body)
	return append(rpc.AppendHeader(nil, rpc.Header{Stream: 1, Length: uint32(len(b))}), b...)
}

func TestRPCNamesWhatIsWrongWithAnAnswer(t *testing.T) {
	with := func(at int, value byte) []byte {
		b := world(1)
		b[at] = value
		return b
	}
	beat := rpc.AppendHeader(nil, rpc.Header{Kind: rpc.KindHeartbeat, Stream: 9})
	odd := raw(t, "28 05 22 01 00 3a 01 ff 22 0b 81a34d7367a5776f726c64 08 00")
	for _, c := range []struct {
		name string
		in   []byte
		eof  bool
		n    int
		want load.Answer
	}{
		{"right", world(1), false, 28, load.Answer{}},
		{"right, written otherwise", odd, false, len(odd), load.Answer{}},
		{"reserved bytes set", with(12, 7), false, 28, load.Answer{}},
		{"another one first", world(3), false, 28, load.Answer{Seq: 2}},
		{"not whole", world(1)[:27], false, 0, load.Answer{}},
		{"nothing at the end", nil, true, 0, load.Answer{}},
		{"cut off", world(1)[:27], true, 27, load.Answer{Cause: load.WrongLength, Close: true}},
		{"cut off in the header", world(1)[:3], true, 3, load.Answer{Cause: load.WrongLength, Close: true}},
		{"another text", with(27, 'D'), false, 28, load.Answer{Cause: load.WrongBody}},
		{"empty", raw(t, ""), false, 15, load.Answer{Cause: load.WrongBody}},
		{"a code", rpcAnswer(2, rpc.Response{Code: 5, Message: "no"}), false, 21,
			load.Answer{Seq: 1, Cause: load.WrongStatus, Code: 5}},
		{"a large code", rpcAnswer(2, rpc.Response{Code: 1 << 20}), false, 19,
			load.Answer{Seq: 1, Cause: load.WrongStatus, Code: 65535}},
		{"a code beside the right text", raw(t, "08 01 22 0b 81a34d7367a5776f726c64"), false, 30,
			load.Answer{Cause: load.WrongStatus, Code: 1}},
		{"never sent", world(4), false, 28, load.Answer{Cause: load.WrongID}},
		{"before the first", world(0xffff), false, 28, load.Answer{Cause: load.WrongID}},
		{"another request type", with(3, 1), false, 28, load.Answer{Cause: load.WrongKind}},
		{"compressed", with(4, 1), false, 28, load.Answer{Cause: load.WrongKind}},
		{"a heartbeat", beat, false, 15, load.Answer{Partial: true}},
		{"another magic", with(0, 0x12), false, 28, load.Answer{Cause: load.Malformed, Close: true}},
		{"magic at once", []byte("H"), false, 1, load.Answer{Cause: load.Malformed, Close: true}},
		{"another version", with(1, 1), false, 28, load.Answer{Cause: load.Malformed, Close: true}},
		{"another message type", with(2, 2), false, 28, load.Answer{Cause: load.Malformed, Close: true}},
		{"too long", with(7, 0xff), false, 28, load.Answer{Cause: load.Malformed, Close: true}},
		{"envelope cut off", raw(t, "22 0b 81"), false, 18, load.Answer{Cause: load.Malformed}},
		{"a group", raw(t, "2b 2c"), false, 17, load.Answer{Cause: load.Malformed}},
		{"a fixed field cut off", raw(t, "29 00"), false, 17, load.Answer{Cause: load.Malformed}},
	} {
		d := rpcDialog(t)
		for seq := range uint64(3) {
			d.AppendRequest(nil, seq)
		}
		if n, got := d.NextAnswer(c.in, c.eof); n != c.n || got != c.want {
			t.Errorf("%s: got %d, %+v, want %d, %+v", c.name, n, got, c.n, c.want)
		}
	}
}

// Answers find their requests in any order, also where stream ids begin again.
func TestRPCAnswersFindTheirRequests(t *testing.T) {
	d := rpcDialog(t)
	sent := uint64(0)
	for round := range 3000 {
		for range 100 {
			d.AppendRequest(nil, sent)
			sent++
		}
		for i := range uint64(100) {
			seq := sent - 100 + i*37%100
			if _, a := d.NextAnswer(worldTo(seq), false); a != (load.Answer{Seq: seq}) {
				t.Fatalf("round %d: answer to %d is %+v", round, seq, a)
			}
		}
	}
}

// A server that does not repeat stream ids answers in order.
func TestRPCAnswersWithoutStreamIDsAreMatchedInOrder(t *testing.T) {
	target, err := schemes.Parse("rpc://localhost:1", wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ordered, echoed := target.Dialog(0), target.Dialog(1)
	for seq := range uint64(3) {
		ordered.AppendRequest(nil, seq)
		echoed.AppendRequest(nil, seq)
	}
	check := func(what string, d load.Dialog, in []byte, want load.Answer) {
		t.Helper()
		if _, got := d.NextAnswer(in, false); got != want {
			t.Errorf("%s: got %+v, want %+v", what, got, want)
		}
	}
	success := raw(t, "12 07 73756363657373 22 0b 81a34d7367a5776f726c64")
	success[6] = 0
	check("id 1", echoed, world(1), load.Answer{})
	check("id 0 after another", echoed, world(0), load.Answer{Seq: 1, Cause: load.WrongID})
	if notes := target.Notes(); len(notes) > 0 {
		t.Errorf("noted %q of ids that were repeated", notes)
	}
	check("first", ordered, success, load.Answer{})
	check("second", ordered, rpcAnswer(0, rpc.Response{Code: 5}), load.Answer{Seq: 1, Cause: load.WrongStatus, Code: 5})
	check("third", ordered, world(0), load.Answer{Seq: 2})
	if notes := strings.Join(target.Notes(), ""); !strings.Contains(notes, "in the order in which they come") {
		t.Errorf("noted %q", notes)
	}
	ordered.AppendRequest(nil, 3)
	check("an id after all", ordered, world(4), load.Answer{Seq: 3})
	ordered.AppendRequest(nil, 4)
	check("none after an id", ordered, world(0), load.Answer{Seq: 4, Cause: load.WrongID})
}

// No more requests are outstanding than stream ids can tell apart.
func TestRPCKeepsToItsStreamIDs(t *testing.T) {
	d := rpcDialog(t).(load.Controller)
	for seq := range uint64(1000) {
		d.AppendRequest(nil, seq)
	}
	if got := d.Room(); got != 32_767-1000 {
		t.Errorf("room for %d, want %d", got, 32_767-1000)
	}
	for seq := range uint64(1000) {
		d.NextAnswer(worldTo(seq), false)
	}
	d.NextAnswer(world(7), false) // once too often
	if got := d.Room(); got != 32_767 {
		t.Errorf("room for %d, want all of %d", got, 32_767)
	}
	if got := d.AppendControl(nil); len(got) > 0 {
		t.Errorf("control bytes %x", got)
	}
}

func TestRPCLoadsAServer(t *testing.T) {
	for _, stage := range rpc.Stages {
		t.Run(stage.Name, func(t *testing.T) {
			server, err := rpc.New(rpc.Config{Stage: stage.Name, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			// Not inline: answers of pipelined come in any order.
			if err := rpc.RegisterService(server, "helloworld.Greeter", helloworld.Greeter{}); err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			go func() { served <- server.Serve(l) }()
			defer func() {
				if err := server.Shutdown(context.Background()); err != nil {
					t.Error(err)
				}
				if err := <-served; err != nil {
					t.Error(err)
				}
			}()
			loads(t, "rpc://"+l.Addr().String(), wire.Options{}, 1)
			loads(t, "rpc://"+l.Addr().String()+"/", wire.Options{}, 50)
		})
	}
}

func TestRPCTargetsAreChecked(t *testing.T) {
	for target, o := range map[string]wire.Options{
		"rpc://localhost:1/helloworld": {},
		"rpc://localhost:1?x=1":        {},
		"rpc://localhost":              {},
		"rpc://localhost:1":            {PayloadBytes: 3},
	} {
		if _, err := schemes.Parse(target, o); err == nil {
			t.Errorf("%s with %+v was accepted", target, o)
		}
	}
}

// However the bytes are cut, the answers are the same, and none is read twice.
func FuzzRPCAnswers(f *testing.F) {
	f.Add(append(world(1), rpcAnswer(2, rpc.Response{Code: 7, Message: "no"})...), uint8(3))
	f.Add(append(world(0), rpcAnswer(0, rpc.Response{Code: 7, Message: "no"})...), uint8(3))
	f.Add(append(rpc.AppendHeader(nil, rpc.Header{Kind: rpc.KindHeartbeat}), world(4)...), uint8(9))
	f.Add([]byte{0x11, 0, 2}, uint8(0))
	f.Add(raw(f, "28 05 22 01 00 31 0102030405060708 3d 01020304 08 ac02"), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, cut uint8) {
		sameInPieces(t, rpcDialog(t), rpcDialog(t), in, int(cut)+1)
	})
}

func TestRPCAllocatesNothing(t *testing.T) {
	d := rpcDialog(t)
	out, in, seq := make([]byte, 0, 64), world(0), uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		out = d.AppendRequest(out[:0], seq)
		copy(in[5:7], out[5:7])
		if _, a := d.NextAnswer(in, false); a != (load.Answer{Seq: seq}) {
			t.Fatalf("got %+v", a)
		}
		seq++
	}); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}
