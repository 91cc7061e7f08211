package schemes_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/quicconn"
	"github.com/gohone/hone/load"
)

// h3Script writes what a server sends, as pieces.
type h3Script struct{ bytes.Buffer }

func (s *h3Script) piece(kind quicconn.Kind, stream uint64, data ...byte) {
	s.Write(quicconn.Piece{Kind: kind, Stream: stream, Data: data}.Append(nil))
}

// control is the server's control stream, with settings and the frames given.
func (s *h3Script) control(frames ...[]byte) {
	s.piece(quicconn.Push, 0, bytes.Join(append([][]byte{{0x00}, h3Frame(0x04, []byte{0x06, 0x44, 0x00})}, frames...),
		nil)...)
}

func h3Frame(kind uint64, payload []byte) []byte {
	return append(quicvarint.Append(quicvarint.Append(nil, kind), uint64(len(payload))), payload...)
}

func h3Head(lines ...string) []byte {
	var b bytes.Buffer
	e := qpack.NewEncoder(&b)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		_ = e.WriteField(qpack.HeaderField{Name: name, Value: value})
	}
	return h3Frame(0x01, b.Bytes())
}

func h3Data(text string) []byte { return h3Frame(0x00, []byte(text)) }

// http3Dialog is a connection that has sent that many requests.
func http3Dialog(t testing.TB, o wire.Options, requests int) load.Controller {
	t.Helper()
	o.HTTP3 = true
	d := parse(t, "https://h", o).Dialog(0).(load.Controller)
	for seq := range requests {
		d.AppendRequest(nil, uint64(seq))
	}
	return d
}

func TestHTTP3NamesWhatIsWrongWithAnAnswer(t *testing.T) {
	ok := load.Answer{Code: 200}
	malformed := load.Answer{Cause: load.Malformed, Close: true}
	second := load.Answer{Seq: 1, Code: 200}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for name, c := range map[string]struct {
		write func(s *h3Script)
		want  []load.Answer
	}{
		"without body": {func(s *h3Script) { s.piece(quicconn.Last, 0, h3Head(":status: 200", "date: now")...) },
			[]load.Answer{ok}},
		"in parts": {func(s *h3Script) {
			all := join(h3Head(":status: 200", "content-length: 5", "x-long: "+strings.Repeat("v", 200)), h3Data("hel"),
				h3Data("lo"))
			for _, b := range all {
				s.piece(quicconn.Part, 0, b)
			}
			s.piece(quicconn.Last, 0)
		}, []load.Answer{ok}},
		"out of turn": {func(s *h3Script) {
			s.piece(quicconn.Last, 1, h3Head(":status: 200")...)
			s.piece(quicconn.Last, 0, h3Head(":status: 404")...)
		}, []load.Answer{second, {Code: 404, Cause: load.WrongStatus}}},
		"interim, trailers, frames of no meaning": {func(s *h3Script) {
			s.piece(quicconn.Last, 0, join(h3Frame(0x21, []byte("grease")), h3Head(":status: 103", "link: x"),
				h3Head(":status: 200"), h3Frame(0x40, nil), h3Data("x"), h3Head("sum: 1"))...)
		}, []load.Answer{ok}},
		"too short": {func(s *h3Script) {
			s.piece(quicconn.Last, 0, join(h3Head(":status: 200", "content-length: 5"), h3Data("hel"))...)
		}, []load.Answer{{Code: 200, Cause: load.WrongLength}}},
		"cut off in a frame": {func(s *h3Script) {
			s.piece(quicconn.Last, 0, join(h3Head(":status: 200"), h3Data("hello")[:4])...)
		}, []load.Answer{{Code: 200, Cause: load.WrongLength}}},
		"empty": {func(s *h3Script) { s.piece(quicconn.Last, 0) }, []load.Answer{{Cause: load.Malformed}}},
		"no status": {func(s *h3Script) { s.piece(quicconn.Last, 0, h3Head("date: now")...) },
			[]load.Answer{{Cause: load.Malformed}}},
		"an upper-case name": {func(s *h3Script) {
			s.piece(quicconn.Part, 0, h3Head(":status: 200", "Date: now")...)
			s.piece(quicconn.Last, 1, h3Head(":status: 200")...)
		}, []load.Answer{{Cause: load.Malformed}, second}},
		"a head that is too large": {func(s *h3Script) {
			s.piece(quicconn.Part, 0, 0x01, 0x80, 0x02, 0x00, 0x00)
		}, []load.Answer{{Cause: load.Malformed}}},
		"reset before the head": {func(s *h3Script) { s.piece(quicconn.Reset, 0, quicconn.Code(0x102)...) },
			[]load.Answer{{Cause: load.WrongStatus}}},
		"reset in the body": {func(s *h3Script) {
			s.piece(quicconn.Part, 0, join(h3Head(":status: 200"), h3Data("x"))...)
			s.piece(quicconn.Reset, 0, quicconn.Code(0x102)...)
		}, []load.Answer{{Code: 200, Cause: load.WrongLength}}},
		"the connection ends in the body": {func(s *h3Script) {
			s.piece(quicconn.Part, 1, join(h3Head(":status: 200"), h3Data("x"))...)
		}, []load.Answer{{Seq: 1, Code: 200, Cause: load.WrongLength, Close: true}}},
		"data first": {func(s *h3Script) { s.piece(quicconn.Part, 0, h3Data("x")...) }, []load.Answer{malformed}},
		"data behind trailers": {func(s *h3Script) {
			s.piece(quicconn.Part, 0, join(h3Head(":status: 200"), h3Head("sum: 1"), h3Data("x"))...)
		}, []load.Answer{malformed}},
		"settings on a request": {func(s *h3Script) { s.piece(quicconn.Part, 0, h3Frame(0x04, nil)...) },
			[]load.Answer{malformed}},
		"a reference to no table": {func(s *h3Script) {
			s.piece(quicconn.Part, 0, h3Frame(0x01, []byte{2, 0, 0x80})...)
		}, []load.Answer{malformed}},
		"control without settings": {func(s *h3Script) { s.piece(quicconn.Push, 0, 0x00, 0x07, 0x01, 0x00) },
			[]load.Answer{malformed}},
		"settings twice": {func(s *h3Script) { s.control(h3Frame(0x04, nil)) }, []load.Answer{malformed}},
		"control ends": {func(s *h3Script) { s.control(); s.piece(quicconn.PushLast, 0) },
			[]load.Answer{malformed}},
		"control twice": {func(s *h3Script) { s.control(); s.piece(quicconn.Push, 1, 0x00) },
			[]load.Answer{malformed}},
		"a push": {func(s *h3Script) { s.piece(quicconn.Push, 0, 0x01) },
			[]load.Answer{malformed}},
		"a goodbye for another stream": {func(s *h3Script) { s.control(h3Frame(0x07, []byte{0x03})) },
			[]load.Answer{malformed}},
		"a later goodbye that takes back": {func(s *h3Script) {
			s.control(h3Frame(0x07, []byte{0x04}), h3Frame(0x07, []byte{0x08}))
		}, []load.Answer{malformed}},
		"streams of QPACK and of no meaning": {func(s *h3Script) {
			s.control()
			s.piece(quicconn.Push, 1, 0x02)
			s.piece(quicconn.Push, 2, 0x03, 1, 2, 3)
			s.piece(quicconn.Push, 3, 0x40)
			s.piece(quicconn.PushLast, 3, 0x21, 'x')
			s.piece(quicconn.Last, 0, h3Head(":status: 204")...)
		}, []load.Answer{{Code: 204}}},
		"goodbye after the first": {func(s *h3Script) {
			s.control(h3Frame(0x07, []byte{0x04}))
			s.piece(quicconn.Last, 0, h3Head(":status: 200")...)
		}, []load.Answer{{Code: 200, Close: true}}},
		"goodbye, then a refusal": {func(s *h3Script) {
			s.control(h3Frame(0x07, []byte{0x04}))
			s.piece(quicconn.Reset, 1, quicconn.Code(0x10b)...)
			s.piece(quicconn.Last, 0, h3Head(":status: 200")...)
		}, []load.Answer{{Seq: 1, Cause: load.Closed, Again: true}, {Code: 200, Close: true}}},
		"a refusal before the goodbye": {func(s *h3Script) {
			s.piece(quicconn.Reset, 0, quicconn.Code(0x10b)...)
			s.piece(quicconn.Last, 1, h3Head(":status: 200")...)
		}, []load.Answer{{Cause: load.Closed, Again: true}, {Seq: 1, Code: 200, Close: true}}},
		"goodbye to all": {func(s *h3Script) { s.control(h3Frame(0x07, []byte{0x00})) }, nil},
	} {
		var s h3Script
		c.write(&s)
		for _, step := range []int{1, 13, 1 << 20} {
			if got := answers(t, http3Dialog(t, wire.Options{}, 2), s.Bytes(),
				step); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s, %d bytes at a time: got %+v, want %+v", name, step, got, c.want)
			}
		}
	}
}

func TestHTTP3StopsSendingAfterAGoodbye(t *testing.T) {
	d := http3Dialog(t, wire.Options{}, 2)
	if d.Room() == 0 {
		t.Fatal("no room at the beginning")
	}
	var s h3Script
	s.control(h3Frame(0x07, []byte{0x08}))
	if n, a := d.NextAnswer(s.Bytes(), false); n != s.Len() || !a.Partial || a.Close {
		t.Fatalf("read %d of %d, %+v", n, s.Len(), a)
	}
	if room := d.Room(); room != 0 {
		t.Errorf("room for %d after the goodbye", room)
	}
}

// A refusal may be read before the goodbye that is its reason: nothing more is sent on that connection either.
func TestHTTP3StopsSendingAfterARefusal(t *testing.T) {
	d := http3Dialog(t, wire.Options{}, 2)
	var s h3Script
	s.piece(quicconn.Reset, 0, quicconn.Code(0x10b)...)
	if n, a := d.NextAnswer(s.Bytes(), false); n != s.Len() || a.Cause != load.Closed || a.Close {
		t.Fatalf("read %d of %d, %+v", n, s.Len(), a)
	}
	if room := d.Room(); room != 0 {
		t.Errorf("room for %d after a refusal", room)
	}
}

// FuzzHTTP3Answers: whatever a server sends is taken in whole pieces, and never means more answers than were asked for.
func FuzzHTTP3Answers(f *testing.F) {
	add := func(write func(s *h3Script)) {
		var s h3Script
		write(&s)
		f.Add(s.Bytes(), uint8(3))
	}
	add(func(s *h3Script) {
		s.control(h3Frame(0x07, []byte{0x08}))
		s.piece(quicconn.Last, 1, append(h3Head(":status: 200", "content-length: 2"), h3Data("hi")...)...)
	})
	add(func(s *h3Script) {
		s.piece(quicconn.Part, 0, h3Head(":status: 103")...)
		s.piece(quicconn.Reset, 0, quicconn.Code(0x10b)...)
		s.piece(quicconn.Limit, 0, quicconn.Code(3)...)
	})
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		const asked = 4
		seen := map[uint64]bool{}
		for _, a := range answers(t, http3Dialog(t, wire.Options{Expect: wire.Expect{Body: "hi"}}, asked), in,
			int(step)+1) {
			if a.Cause == load.Malformed && a.Close {
				break
			}
			if seen[a.Seq] || a.Seq >= asked {
				t.Fatalf("an answer to request %d, which had one or was never sent", a.Seq)
			}
			seen[a.Seq] = true
		}
	})
}

// A row of a feed makes the same request as one without a feed.
func TestHTTP3FeedMakesTheSameRequest(t *testing.T) {
	long := strings.Repeat("long", 100)
	for _, value := range []string{"x", "two words", long} {
		with := wire.Options{HTTP3: true, Body: []byte("b={v}"),
			Headers: []string{"x-a-long-name-of-a-header: {v}", "cookie: c={v}"}, Feed: table("v", value)}
		without := wire.Options{HTTP3: true, Body: []byte("b=" + value),
			Headers: []string{"x-a-long-name-of-a-header: " + value, "cookie: c=" + value}}
		if got, want := h3Asked(t, with), h3Asked(t, without); got != want {
			t.Errorf("%q: with a feed\n%s\nwithout\n%s", value, got, want)
		}
	}
}

// h3Asked is a request as a server reads it.
func h3Asked(t *testing.T, o wire.Options) string {
	t.Helper()
	pieces := parse(t, "https://h/p", o).Dialog(0).AppendRequest(nil, 0)
	setup, n := quicconn.Read(pieces)
	r, m := quicconn.Read(pieces[n:])
	if setup.Kind != quicconn.Setup || r.Kind != quicconn.Request || n+m != len(pieces) {
		t.Fatalf("pieces %+v, %+v of %d bytes", setup, r, len(pieces))
	}
	var text strings.Builder
	for in := r.Data; len(in) > 0; {
		kind, a, err := quicvarint.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		length, b, err := quicvarint.Parse(in[a:])
		if err != nil {
			t.Fatal(err)
		}
		payload := in[a+b:][:length]
		in = in[a+b+int(length):]
		if kind == 0 {
			fmt.Fprintf(&text, "body %s\n", payload)
			continue
		}
		next := qpack.NewDecoder().Decode(payload)
		fields := map[string]string{}
		for {
			f, err := next()
			if err != nil {
				break
			}
			fields[f.Name] = f.Value
		}
		fmt.Fprintln(&text, fields)
	}
	return text.String()
}
