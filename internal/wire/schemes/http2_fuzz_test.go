package schemes_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/wire"
)

// However a server's bytes are cut, the answers are the same, and so is what is sent
// back.
func FuzzHTTP2Answers(f *testing.F) {
	add := func(cut uint8, write func(s *script)) {
		s := newScript(4, 10)
		write(s)
		f.Add(s.Bytes(), cut)
	}
	add(0, func(s *script) { s.head(1, true, ":status: 200") })
	add(3, func(s *script) {
		s.head(3, false, ":status: 200", "content-length: 5")
		s.data(3, true, "hello")
		s.frame(0, 9, 1, 1, 'x', 0)
	})
	add(7, func(s *script) {
		s.frame(1, 1, 1, 0x88)
		s.continuation(1, true, fields("x: y"))
		s.window(0, 5)
		s.ping(1)
		s.goAway(3)
	})
	add(1, func(s *script) {
		s.reset(1, 7)
		s.settings(3, 1, 4, 100)
		s.data(1, true, "late")
		s.head(5, false, ":status: 103")
		s.head(5, false, ":status: 200")
		s.head(5, true, "t: r")
	})
	add(2, func(s *script) {
		s.head(1, false, ":status: 200", "content-type: application/grpc")
		s.head(3, true, ":status: 200", "content-type: application/grpc", "grpc-status: 7")
		s.head(1, true, "grpc-status: 14")
	})
	f.Fuzz(func(t *testing.T, in []byte, cut uint8) {
		o := wire.Options{Body: []byte("a body"), Expect: wire.Expect{Body: "ell"}}
		d, e := http2Dialog(t, o, 4), http2Dialog(t, o, 4)
		whole, pieces := answers(t, d, in, len(in)+1), answers(t, e, in, int(cut)+1)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Fatalf("whole %+v, in pieces %+v", whole, pieces)
		}
		sent := d.AppendControl(nil)
		if !bytes.Equal(sent, e.AppendControl(nil)) || d.Room() != e.Room() {
			t.Errorf("what is sent depends on the cut")
		}
		if len(sent) > 1<<17 || d.Room() < 0 {
			t.Errorf("%d bytes to send, room %d", len(sent), d.Room())
		}
		seen := map[uint64]bool{}
		for _, a := range whole {
			if seen[a.Seq] && !a.Close {
				t.Errorf("request %d is answered twice", a.Seq)
			}
			seen[a.Seq] = true
		}
	})
}
