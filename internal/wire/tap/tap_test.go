package tap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// echo is a protocol whose requests and answers are one byte; it is for one connection at a time.
type echo struct{ answered *uint64 }

func (e echo) Dialog(int) load.Dialog                      { *e.answered = 0; return e }
func (e echo) AppendRequest(dst []byte, seq uint64) []byte { return append(dst, byte(seq)) }
func (e echo) NextAnswer(in []byte, _ bool) (int, load.Answer) {
	if len(in) == 0 {
		return 0, load.Answer{}
	}
	*e.answered++
	return 1, load.Answer{Seq: *e.answered - 1}
}

// Samples get rarer, and depend on the number of the request alone.
func TestSamplesLessAndLess(t *testing.T) {
	var answered uint64
	tap := New(schemes.Target{Protocol: echo{&answered}})
	d := tap.Dialog(0)
	const requests = 1_000_000
	var buf []byte
	for seq := range uint64(requests) {
		buf = d.AppendRequest(buf[:0], seq)
		if n, _ := d.NextAnswer(buf, false); n != 1 {
			t.Fatal("no answer")
		}
	}
	sampled, last := 0, uint64(0)
	for _, w := range tap.windows {
		if len(w.answers) != len(w.requests) || len(w.requests) != w.want {
			t.Fatalf("%d answers to %d of %d requests", len(w.answers), len(w.requests), w.want)
		}
		sampled += len(w.answers)
		last = w.requests[0].seq
	}
	if len(tap.windows[0].requests) != first || sampled < 1000 || sampled > 2000 || last < requests*8/10 {
		t.Errorf("%d sampled, the first %d in a row, the last from %d on", sampled, len(tap.windows[0].requests), last)
	}
}

// A connection that ends with requests outstanding leaves a window that is read as far as it
// went, and the next dialog begins another one.
func TestOutlivesItsConnection(t *testing.T) {
	var answered uint64
	tap := New(schemes.Target{Protocol: echo{&answered}})
	d := tap.Dialog(0)
	d.AppendRequest(nil, 0)
	d.AppendRequest(nil, 1)
	d.NextAnswer([]byte{0}, false)
	d = tap.Dialog(0)
	for seq := range uint64(200) {
		d.AppendRequest(nil, seq)
		d.NextAnswer([]byte{0}, false)
	}
	if n := len(tap.windows); n < 2 || len(tap.windows[0].answers) != 1 || len(tap.windows[1].answers) != then {
		t.Errorf("%d windows: %+v", n, tap.windows)
	}
}

// What is not sampled costs no memory: the event loop must not allocate.
func TestAllocatesNothingBetweenSamples(t *testing.T) {
	var answered uint64
	tap := New(schemes.Target{Protocol: echo{&answered}})
	d, seq, buf := tap.Dialog(0), uint64(0), make([]byte, 0, 16)
	exchange := func() {
		buf = d.AppendRequest(buf[:0], seq)
		d.NextAnswer(buf, false)
		seq++
	}
	for range 100_000 {
		exchange()
	}
	for tap.asked < tap.due || d.(*dialog).window != nil {
		exchange()
	}
	for range 2 * then { // over the sample that was due
		exchange()
	}
	if n := testing.AllocsPerRun(1000, exchange); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}

// Answers in pieces that are cut anywhere do not stop the reading, and none is made up.
func FuzzReadsAnything(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 0)
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), 7)
	f.Add([]byte("\x00\x00\x01\x01\x04\x00\x00\x00\x01\x88\x00\x00\x02\x00\x01\x00\x00\x00\x01ok"), 0)
	f.Add([]byte("\x00\x00\x00\x0e\x8100000000\x00"), 0)
	f.Add([]byte("\x11\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00"), 3)
	f.Fuzz(func(t *testing.T, raw []byte, missing int) {
		missing = max(0, missing%1000)
		for name, o := range map[string]wire.Options{
			"http://h/": {}, "http://h/2": {HTTP2: true}, "http://h/head": {Method: "HEAD"},
			"framed://h:80": {}, "rpc://h:80": {}, "chat://h:80": {},
			"tcp://h:80": {Frame: wire.Frame{IDOffset: 4, IDWidth: 4}, Body: make([]byte, 8)},
		} {
			target, err := schemes.Parse(name, o)
			if err != nil {
				t.Fatal(err)
			}
			tap := New(target)
			w := &window{want: 1, requests: []copiedRequest{{bytes: raw}}, raw: raw}
			w.answers = []copiedAnswer{{to: len(raw), size: len(raw) + missing}}
			tap.windows = append(tap.windows, w)
			if all := tap.Answers(); len(all) > 1 || len(all) == 1 && all[0].Length < 0 {
				t.Errorf("%s: %+v of one answer", name, all)
			}
		}
	})
}

// What one start has to itself is no difference: its port, and a token in each form that it has in a URL or a header.
func TestOwnWordsOfAStart(t *testing.T) {
	tap := New(schemes.Target{Address: "127.0.0.1:8080"}, "tok+/= &", "tok+/= &longer", "7")
	own := ownWords{port: portOf(tap.target.Address), values: tap.values}
	got := string(own.neutral([]byte("GET /7?t=tok%2B%2F%3D%20%26&l=tok%2B%2F%3D%20%26longer HTTP/1.1\r\nHost: h:8080\r\nA: tok+/= &")))
	if want := "GET /7?t={value}&l={value} HTTP/1.1\r\nHost: h:{port}\r\nA: {value}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := string(ownWords{}.neutral([]byte("as it is"))); got != "as it is" {
		t.Error(got)
	}
}

// Of many connections the ones on which answers are counted are drawn, and the same for the same random numbers; of few
// it is all.
func TestCountedConnectionsAreDrawn(t *testing.T) {
	chosen := func(n int, seed uint64) (all []int) {
		tap := New(schemes.Target{Protocol: echo{new(uint64)}})
		tap.CountOn(n, rand.New(rand.NewPCG(seed, 1)))
		for conn := range n {
			if tap.counts(conn) {
				all = append(all, conn)
			}
		}
		return all
	}
	one, again, other := chosen(200, 1), chosen(200, 1), chosen(200, 2)
	if len(one) != countConns || !slices.Equal(one, again) || slices.Equal(one, other) || one[countConns-1] < countConns {
		t.Errorf("drawn: %v, again %v, otherwise %v", one, again, other)
	}
	if few := chosen(3, 1); len(few) != 3 {
		t.Errorf("of three connections: %v", few)
	}
	if tap := New(schemes.Target{}); !tap.counts(0) || tap.counts(countConns) {
		t.Error("without a draw it is not the first ones")
	}
}
