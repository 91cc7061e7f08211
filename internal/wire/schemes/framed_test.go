package schemes_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

func framedDialog(t testing.TB) load.Dialog {
	t.Helper()
	return parse(t, "framed://localhost:1", wire.Options{}).Dialog(0)
}

// ack is a submitack frame.
func ack(id string, result byte) []byte {
	return append(append([]byte{0, 0, 0, 14, 0x81}, id...), result)
}

func id(n int) string { return fmt.Sprintf("%08d", n%100_000_000) }

func TestFramedRequestIsTheWireFormat(t *testing.T) {
	d := framedDialog(t)
	for seq := range 12_345 {
		got := d.AppendRequest([]byte("x"), uint64(seq))[1:]
		want := append([]byte{0, 0, 0, 37, 2}, id(seq)...)
		if len(got) != 37 || !bytes.HasPrefix(got, want) {
			t.Fatalf("request %d is %q, want %q and 24 bytes", seq, got, want)
		}
	}
}

func TestFramedNamesWhatIsWrongWithAnAnswer(t *testing.T) {
	kind := ack(id(0), 0)
	kind[4] = 0x80
	long := append(ack(id(0), 0), 0)
	long[3] = 15
	for _, c := range []struct {
		name string
		in   []byte
		eof  bool
		n    int
		want load.Answer
	}{
		{"right", ack(id(0), 0), false, 14, load.Answer{}},
		{"not whole", ack(id(0), 0)[:13], false, 0, load.Answer{}},
		{"nothing at the end", nil, true, 0, load.Answer{}},
		{"cut off", ack(id(0), 0)[:13], true, 13, load.Answer{Cause: load.WrongLength, Close: true}},
		{"refused", ack(id(0), 1), false, 14, load.Answer{Cause: load.WrongStatus, Code: 1}},
		{"another command", kind, false, 14, load.Answer{Cause: load.WrongKind}},
		{"out of turn", ack(id(2), 0), false, 14, load.Answer{Seq: 2, Cause: load.WrongOrder}},
		{"never sent", ack(id(3), 0), false, 14, load.Answer{Cause: load.WrongID}},
		{"no number", ack("abcdefgh", 0), false, 14, load.Answer{Cause: load.WrongID}},
		{"another length", long, false, 4, load.Answer{Cause: load.Malformed, Close: true}},
		{"length at once", []byte{0xff, 0xff, 0xff, 0xff}, false, 4, load.Answer{Cause: load.Malformed, Close: true}},
	} {
		d := framedDialog(t)
		for seq := range uint64(3) {
			d.AppendRequest(nil, seq)
		}
		if n, got := d.NextAnswer(c.in, c.eof); n != c.n || got != c.want {
			t.Errorf("%s: got %d, %+v, want %d, %+v", c.name, n, got, c.n, c.want)
		}
	}
}

// After any single slip of the server the dialog is in step again.
func TestFramedFindsItsStepAgain(t *testing.T) {
	for name, c := range map[string]struct {
		answers string
		want    []load.Answer
	}{
		"skipped": {"0 2 3", []load.Answer{{}, {Seq: 2, Cause: load.WrongOrder}, {Seq: 3}}},
		"swapped": {"1 0 2", []load.Answer{{Seq: 1, Cause: load.WrongOrder}, {Seq: 0, Cause: load.WrongOrder},
			{Seq: 2}}},
		"twice":          {"0 0 1", []load.Answer{{}, {Seq: 0, Cause: load.WrongOrder}, {Seq: 1}}},
		"mangled":        {"0 77 2", []load.Answer{{}, {Seq: 1, Cause: load.WrongID}, {Seq: 2}}},
		"one too many":   {"77 0 1", []load.Answer{{Cause: load.WrongID}, {Cause: load.WrongOrder}, {Seq: 1}}},
		"after the last": {"0 1 2 3 4", []load.Answer{{}, {Seq: 1}, {Seq: 2}, {Seq: 3}, {Seq: 4, Cause: load.WrongID}}},
	} {
		d := framedDialog(t)
		for seq := range uint64(4) {
			d.AppendRequest(nil, seq)
		}
		for i, f := range bytes.Fields([]byte(c.answers)) {
			var n int
			fmt.Sscan(string(f), &n)
			if _, got := d.NextAnswer(ack(id(n), 0), false); got != c.want[i] {
				t.Errorf("%s: answer %d is %+v, want %+v", name, i, got, c.want[i])
			}
		}
	}
}

// The published server, in a few lines: reads frames, answers each.
func framedServer(c net.Conn) {
	for {
		var length int32
		if binary.Read(c, binary.BigEndian, &length) != nil {
			return
		}
		packet := make([]byte, length-4)
		if _, err := io.ReadFull(c, packet); err != nil || packet[0] != 2 {
			return
		}
		if _, err := c.Write(ack(string(packet[1:9]), 0)); err != nil {
			return
		}
	}
}

func TestFramedLoadsAServer(t *testing.T) {
	address := serveFramed(t, "tcp", "127.0.0.1:0")
	loads(t, "framed://"+address, wire.Options{}, 7)
	loads(t, "framed://"+address, wire.Options{PayloadBytes: 5000}, 1)
}

// serveFramed accepts connections until the test ends.
func serveFramed(t *testing.T, network, address string) (at string) {
	t.Helper()
	return serveEach(t, network, address, framedServer)
}

// serveEach gives each connection to serve and closes it after that. All ends with the test.
func serveEach(t *testing.T, network, address string, serve func(net.Conn)) (at string) {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() { // ends with the listener; each connection's ends with the session
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { serve(c); c.Close() }()
		}
	}()
	return l.Addr().String()
}

// loads runs the engine against a target until it has answers, and wants all right.
func loads(t *testing.T, url string, o wire.Options, depth int) load.Counts {
	t.Helper()
	plan := load.Plan{Connections: 3, Depth: depth, Timeout: 20 * time.Second}
	s := open(t, url, o, plan, func(c net.Conn) net.Conn { return c })
	for s.Totals().Answered+s.Totals().Failed < 100 {
		if _, err := s.Slice(context.Background(), 10*time.Millisecond, 20*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Close()
	if err != nil {
		t.Error(err)
	}
	if c.Failed+c.Unanswered > 0 {
		t.Errorf("%s: %+v", url, c)
	}
	return c
}

// However the bytes are cut, the answers are the same, and none is read twice.
func FuzzFramedAnswers(f *testing.F) {
	f.Add(append(ack(id(0), 0), ack(id(1), 1)...), uint8(3))
	f.Add([]byte{0, 0, 0, 14, 0x81}, uint8(1))
	f.Add([]byte{0xff, 0, 0, 14}, uint8(2))
	f.Fuzz(func(t *testing.T, in []byte, cut uint8) {
		sameInPieces(t, framedDialog(t), framedDialog(t), in, int(cut)+1)
	})
}

// sameInPieces wants the same answers of two fresh dialogs, one of which gets in whole and the other in pieces.
func sameInPieces(t *testing.T, d, e load.Dialog, in []byte, piece int) {
	t.Helper()
	for seq := range uint64(5) {
		d.AppendRequest(nil, seq)
		e.AppendRequest(nil, seq)
	}
	whole, pieces := answers(t, d, in, len(in)+1), answers(t, e, in, piece)
	if fmt.Sprint(whole) != fmt.Sprint(pieces) {
		t.Errorf("whole %+v, in pieces %+v", whole, pieces)
	}
}

// answers feeds in to d as the engine does, step bytes at a time, then the end.
func answers(t *testing.T, d load.Dialog, in []byte, step int) (all []load.Answer) {
	t.Helper()
	var have []byte
	for {
		eof := len(in) == 0
		n := min(step, len(in))
		have, in = append(have, in[:n]...), in[n:]
		for len(have) > 0 || eof {
			n, a := d.NextAnswer(have, eof)
			if n < 0 || n > len(have) {
				t.Fatalf("consumed %d of %d bytes", n, len(have))
			}
			if n == 0 && !a.Close {
				break
			}
			have = have[n:]
			if !a.Partial || a.Cause != load.OK {
				all = append(all, a)
			}
			if a.Close {
				return all
			}
		}
		if eof {
			return all
		}
	}
}
