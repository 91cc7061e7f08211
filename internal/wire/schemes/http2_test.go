package schemes_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// http2Dialog is a connection that has sent that many requests.
func http2Dialog(t testing.TB, o wire.Options, requests int) load.Controller {
	t.Helper()
	o.HTTP2 = true
	d := parse(t, "http://h", o).Dialog(0).(load.Controller)
	for seq := range requests {
		d.AppendRequest(nil, uint64(seq))
	}
	return d
}

func TestHTTP2NamesWhatIsWrongWithAnAnswer(t *testing.T) {
	ok := load.Answer{Code: 200}
	malformed := load.Answer{Cause: load.Malformed, Close: true}
	second := load.Answer{Seq: 1, Code: 200}
	for name, c := range map[string]struct {
		write func(s *script)
		want  []load.Answer
	}{
		"without body": {func(s *script) { s.head(1, true, ":status: 200", "date: now") }, []load.Answer{ok}},
		"with body": {func(s *script) {
			s.head(1, false, ":status: 200", "content-length: 5")
			s.data(1, false, "hel")
			s.data(1, true, "lo")
		}, []load.Answer{ok}},
		"with padding": {func(s *script) {
			block := append([]byte{7, 0, 0, 0, 3, 2}, fields(":status: 200", "content-length: 2")...)
			s.frame(1, 4|8|32, 1, append(block, make([]byte, 7)...)...)
			s.frame(0, 1|8, 1, append([]byte("\xc8hi"), make([]byte, 200)...)...)
		}, []load.Answer{ok}},
		"out of turn": {func(s *script) {
			s.head(3, true, ":status: 200")
			s.head(1, true, ":status: 404")
		}, []load.Answer{second, {Code: 404, Cause: load.WrongStatus}}},
		"interim": {func(s *script) {
			s.head(1, false, ":status: 103", "link: x")
			s.head(1, false, ":status: 100")
			s.head(1, true, ":status: 204")
		}, []load.Answer{{Code: 204}}},
		"trailers": {func(s *script) {
			s.head(1, false, ":status: 200")
			s.data(1, false, "x")
			s.head(1, true, "grpc-status: 0")
		}, []load.Answer{ok}},
		"a failed call": {func(s *script) {
			s.head(1, false, ":status: 200", "content-type: application/grpc")
			s.data(1, false, "x")
			s.head(1, true, "grpc-status: 14", "grpc-message: no")
		}, []load.Answer{{Code: load.FirstGRPCCode + 14, Cause: load.WrongStatus}}},
		"a failed call after a right one": {func(s *script) {
			s.head(1, false, ":status: 200", "content-type: application/grpc+proto")
			s.head(3, false, ":status: 200", "content-type: application/grpc+proto")
			s.head(1, true, "grpc-status: 0")
			s.head(3, true, "grpc-status: 5")
		}, []load.Answer{ok, {Seq: 1, Code: load.FirstGRPCCode + 5, Cause: load.WrongStatus}}},
		"a failed call without a body": {func(s *script) {
			s.head(1, true, ":status: 200", "content-type: application/grpc", "grpc-status: 12")
		}, []load.Answer{{Code: load.FirstGRPCCode + 12, Cause: load.WrongStatus}}},
		"a failed call without a content type": {func(s *script) {
			s.head(1, false, ":status: 200")
			s.head(1, true, "grpc-status: 3")
		}, []load.Answer{{Code: load.FirstGRPCCode + 3, Cause: load.WrongStatus}}},
		"a call without a status": {func(s *script) {
			s.head(1, false, ":status: 200", "content-type: application/grpc")
			s.data(1, true, "x")
		}, []load.Answer{{Code: 200, Cause: load.Malformed}}},
		"a call with a status of HTTP": {func(s *script) {
			s.head(1, true, ":status: 503", "content-type: application/grpc", "grpc-status: 14")
		}, []load.Answer{{Code: 503, Cause: load.WrongStatus}}},
		"a status that is not a number": {func(s *script) {
			s.head(1, true, ":status: 200", "grpc-status: OK")
		}, []load.Answer{{Cause: load.Malformed}}},
		"a code that gRPC does not have": {func(s *script) {
			s.head(1, true, ":status: 200", "grpc-status: 404")
		}, []load.Answer{{Code: load.FirstGRPCCode + 99, Cause: load.WrongStatus}}},
		"gRPC-Web, with its status in the body": {func(s *script) {
			s.head(1, false, ":status: 200", "content-type: application/grpc-web+proto")
			s.data(1, true, "x")
		}, []load.Answer{ok}},
		"in pieces": {func(s *script) {
			block := fields(":status: 200", "x: "+strings.Repeat("y", 100))
			s.frame(1, 1, 1, block[:9]...)
			s.continuation(1, false, block[9:30])
			s.continuation(1, true, block[30:])
		}, []load.Answer{ok}},
		"between other frames": {func(s *script) {
			s.frame(4, 1, 0)
			s.ping(1)
			s.window(1, 5)
			s.frame(0x77, 0, 9, 1, 2, 3)
			s.head(1, true, ":status: 200")
		}, []load.Answer{ok}},
		"a literal status": {func(s *script) { s.head(1, true, ":status: 418") },
			[]load.Answer{{Code: 418, Cause: load.WrongStatus}}},
		"refused": {func(s *script) {
			s.reset(1, 7)
			s.head(3, true, ":status: 200")
		}, []load.Answer{{Cause: load.WrongStatus, Again: true}, second}},
		"broken off": {func(s *script) {
			s.head(1, false, ":status: 200")
			s.reset(1, 2)
		}, []load.Answer{{Code: 200, Cause: load.WrongLength}}},
		"too short": {func(s *script) {
			s.head(1, false, ":status: 200", "content-length: 3")
			s.data(1, true, "hi")
		}, []load.Answer{{Code: 200, Cause: load.WrongLength}}},
		"a body of none": {func(s *script) {
			s.head(1, false, ":status: 204")
			s.data(1, true, "hi")
		}, []load.Answer{{Code: 204, Cause: load.WrongLength}}},
		"the end in a body": {func(s *script) {
			s.head(1, false, ":status: 200")
			s.data(1, false, "hi")
		}, []load.Answer{{Code: 200, Cause: load.WrongLength, Close: true}}},
		"a body first": {func(s *script) {
			s.data(1, false, "hi")
			s.data(1, true, "again")
			s.head(3, true, ":status: 200")
		}, []load.Answer{{Cause: load.Malformed}, second}},
		"no status": {func(s *script) { s.head(1, true, "date: now") },
			[]load.Answer{{Cause: load.Malformed}}},
		"two statuses": {func(s *script) { s.head(1, true, ":status: 200", ":status: 200") },
			[]load.Answer{{Cause: load.Malformed}}},
		"a late status": {func(s *script) { s.head(1, true, "date: now", ":status: 200") },
			[]load.Answer{{Cause: load.Malformed}}},
		"upper case": {func(s *script) { s.head(1, true, ":status: 200", "Date: now") },
			[]load.Answer{{Cause: load.Malformed}}},
		"a switch of protocols": {func(s *script) { s.head(1, false, ":status: 101") },
			[]load.Answer{{Cause: load.Malformed}}},
		"trailers that go on": {func(s *script) {
			s.head(1, false, ":status: 200")
			s.head(1, false, "x: y")
		}, []load.Answer{{Code: 200, Cause: load.Malformed}}},
		"answered twice": {func(s *script) {
			s.head(1, true, ":status: 200")
			s.head(1, true, ":status: 200")
		}, []load.Answer{ok, {Cause: load.ExtraBytes, Partial: true, Close: true}}},
		"never asked":         {func(s *script) { s.head(5, true, ":status: 200") }, []load.Answer{malformed}},
		"a stream of its own": {func(s *script) { s.head(2, true, ":status: 200") }, []load.Answer{malformed}},
		"a push": {func(s *script) {
			s.frame(5, 4, 1, 0, 0, 0, 2)
		}, []load.Answer{malformed}},
		"an index of no table": {func(s *script) {
			s.frame(1, 4, 1, 0x80|62)
		}, []load.Answer{malformed}},
		"a table we refused": {func(s *script) {
			s.frame(1, 4, 1, 0x21, 0x88)
		}, []load.Answer{malformed}},
		"another frame in a block": {func(s *script) {
			s.frame(1, 0, 1, fields(":status: 200")...)
			s.ping(1)
		}, []load.Answer{malformed}},
		"a block without end": {func(s *script) {
			s.frame(1, 0, 1, fields(":status: 200")...)
			for range 10 {
				s.continuation(1, false, bytes.Repeat([]byte{0x88}, 16000))
			}
		}, []load.Answer{malformed}},
		"an oversized frame": {func(s *script) { s.frame(0x77, 0, 0, make([]byte, 1<<14+1)...) },
			[]load.Answer{malformed}},
		"too much padding":    {func(s *script) { s.frame(0, 8, 1, 9, 0) }, []load.Answer{malformed}},
		"a broken setting":    {func(s *script) { s.frame(4, 0, 0, 1, 2, 3, 4, 5) }, []load.Answer{malformed}},
		"a window of nothing": {func(s *script) { s.window(0, 0) }, []load.Answer{malformed}},
		"a flood of pings": {func(s *script) {
			for range 10_000 {
				s.ping(1)
			}
		}, []load.Answer{malformed}},
		"a goodbye that leaves one out": {func(s *script) {
			s.head(1, false, ":status: 200")
			s.goAway(1)
			s.data(1, true, "x")
		}, []load.Answer{{Code: 200, Close: true}}},
		"a goodbye after both": {func(s *script) {
			s.goAway(1<<31 - 1)
			s.goAway(3)
			s.head(3, true, ":status: 200")
			s.head(1, true, ":status: 200")
		}, []load.Answer{second, {Code: 200, Close: true}}},
		"a goodbye to all": {func(s *script) { s.goAway(0) }, nil}, // the engine loses them with the connection
	} {
		s := newScript()
		c.write(s)
		for _, step := range []int{1, 7, s.Len()} {
			if got := answers(t, http2Dialog(t, wire.Options{}, 2), s.Bytes(),
				step); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s, in steps of %d: got %+v, want %+v", name, step, got, c.want)
			}
		}
	}
	for name, in := range map[string]string{
		"HTTP/1.1":     "HTTP/1.1 400 Bad Request\r\n\r\n",
		"no settings":  "\x00\x00\x01\x01\x05\x00\x00\x00\x01\x88",
		"only an echo": "\x00\x00\x00\x04\x01\x00\x00\x00\x00",
	} {
		got := answers(t, http2Dialog(t, wire.Options{}, 2), []byte(in), 1)
		if len(got) != 1 || got[0] != malformed {
			t.Errorf("%s: got %+v, want %+v", name, got, malformed)
		}
	}
}

// Where the request is a call of gRPC, an answer of another kind is not one to it.
func TestHTTP2CallsAreAnsweredByCalls(t *testing.T) {
	s := newScript()
	s.head(1, false, ":status: 200", "content-type: text/html")
	s.data(1, true, "welcome")
	s.head(3, true, ":status: 404")
	s.head(5, true, ":status: 200", "grpc-status: 0")
	o := wire.Options{Headers: []string{"Content-Type: application/grpc", "TE: trailers"}, Body: make([]byte, 5)}
	got := answers(t, http2Dialog(t, o, 3), s.Bytes(), 7)
	want := []load.Answer{{Code: 200, Cause: load.WrongKind}, {Seq: 1, Code: 404, Cause: load.WrongStatus},
		{Seq: 2, Code: 200}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestHTTP2ChecksAnswers(t *testing.T) {
	length := int64(5)
	for name, c := range map[string]struct {
		e    wire.Expect
		want load.Cause
	}{
		"status":       {wire.Expect{Status: []string{"2xx"}}, load.OK},
		"wrong status": {wire.Expect{Status: []string{"201"}}, load.WrongStatus},
		"length":       {wire.Expect{Length: &length}, load.WrongLength},
		"text":         {wire.Expect{Body: `":1`}, load.OK},
		"wrong text":   {wire.Expect{Body: "b"}, load.WrongBody},
		"json":         {wire.Expect{JSON: "a=1"}, load.OK},
		"wrong json":   {wire.Expect{JSON: "a=2"}, load.WrongBody},
	} {
		s := newScript()
		for _, stream := range []uint32{1, 3} { // the state of the first must not leak into the second
			s.head(stream, false, ":status: 200")
			s.data(stream, false, `{"a"`)
		}
		for _, stream := range []uint32{1, 3} {
			s.data(stream, true, `:1}`)
		}
		got := answers(t, http2Dialog(t, wire.Options{Expect: c.e}, 2), s.Bytes(), 5)
		if len(got) != 2 || got[0].Cause != c.want || got[1].Cause != c.want {
			t.Errorf("%s: got %+v, want both %v", name, got, c.want)
		}
	}
}

func TestHTTP2AnswersDoNotAllocate(t *testing.T) {
	d := http2Dialog(t, wire.Options{Body: []byte("ping")}, 0)
	var buf []byte
	s := newScript(4, 1<<30)
	s.window(0, 1<<30)
	n, _ := d.NextAnswer(s.Bytes(), false)
	if n != s.Len() {
		t.Fatalf("read %d bytes of %d", n, s.Len())
	}
	// All answers are written before, each with another head, which is the dearer case.
	const rounds = 1000
	var stream [][]byte
	for seq := range uint64(rounds + 2) {
		s.Reset()
		s.head(uint32(2*seq+1), false, ":status: 200", fmt.Sprint("date: ", 1e6+seq), "content-length: 4")
		s.data(uint32(2*seq+1), true, "pong")
		stream = append(stream, bytes.Clone(s.Bytes()))
	}
	seq := uint64(0)
	exchange := func() {
		buf = d.AppendRequest(buf[:0], seq)
		n, a := d.NextAnswer(stream[0], false)
		if want := (load.Answer{Seq: seq, Code: 200}); n != len(stream[0]) || a != want {
			t.Fatalf("got %+v after %d bytes, want %+v after %d", a, n, want, len(stream[0]))
		}
		stream, seq = stream[1:], seq+1
	}
	exchange() // warms up
	if n := testing.AllocsPerRun(rounds, exchange); n != 0 {
		t.Errorf("%v allocations per answer", n)
	}
}
