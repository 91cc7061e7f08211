package schemes_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/http2/hpack"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// take feeds the server's bytes to d and wants them all consumed, with that many answers.
func take(t *testing.T, d load.Dialog, s *script, n int) (got []load.Answer) {
	t.Helper()
	in := s.Bytes()
	for len(in) > 0 {
		used, a := d.NextAnswer(in, false)
		if used == 0 {
			t.Fatalf("%d bytes are left: %q", len(in), in)
		}
		in = in[used:]
		if !a.Partial {
			got = append(got, a)
		}
	}
	if len(got) != n {
		t.Fatalf("got answers %+v, want %d", got, n)
	}
	s.Reset()
	return got
}

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

func TestHTTP2RequestIsTheWireFormat(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	d := parse(t, "https://example.test:443/a%20b?c=d#frag", wire.Options{
		HTTP2: true, Headers: []string{"X-Long: " + long, "Authorization: secret"}, Body: []byte("hello"),
	}).Dialog(0).(load.Controller)
	hello := d.AppendControl(nil)
	if !bytes.HasPrefix(hello, []byte(preface)) {
		t.Fatalf("the connection begins with %q", hello)
	}
	if f := framesOf(hello[len(preface):]); f[0].kind != 4 || f[1].kind != 8 {
		t.Errorf("the preface is followed by %+v, want SETTINGS and WINDOW_UPDATE", f)
	}
	want := "[:method=POST :scheme=https :path=/a%20b?c=d :authority=example.test user-agent=hone " +
		"content-length=5 x-long=" + long + " authorization=secret]"
	server := hpack.NewDecoder(4096, nil) // one for the connection, as servers have it
	for seq := range uint64(3) {
		frames := framesOf(d.AppendRequest(nil, seq))
		var block []byte
		for i, f := range frames[:len(frames)-1] {
			if (f.kind == 1) != (i == 0) || i > 0 && f.kind != 9 || f.stream != uint32(2*seq+1) ||
				len(f.payload) > 16384 {
				t.Errorf("frame %d of the head: %+v", i, f)
			}
			block = append(block, f.payload...)
		}
		if last := frames[len(frames)-2]; last.flags != 4 {
			t.Errorf("the head ends with flags %x", last.flags)
		}
		fields, err := server.DecodeFull(block)
		var got []string
		for _, f := range fields {
			got = append(got, f.Name+"="+f.Value)
		}
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("request %d: %v, %v", seq, got, err)
		}
		if body := frames[len(frames)-1]; body.kind != 0 || body.flags != 1 || string(body.payload) != "hello" {
			t.Errorf("body: %+v", body)
		}
	}
}

// bodyOf adds up the DATA frames by stream: "1:100 3:50." where the dot ends a stream.
func bodyOf(in []byte) string {
	sum, end, order := map[uint32]int{}, map[uint32]string{}, []uint32{}
	for _, f := range framesOf(in) {
		if f.kind != 0 {
			continue
		}
		if _, seen := sum[f.stream]; !seen {
			order = append(order, f.stream)
		}
		sum[f.stream] += len(f.payload)
		if f.flags&1 != 0 {
			end[f.stream] = "."
		}
	}
	var all []string
	for _, stream := range order {
		all = append(all, fmt.Sprint(stream, ":", sum[stream], end[stream]))
	}
	return strings.Join(all, " ")
}

func TestHTTP2BodiesKeepToTheServersWindows(t *testing.T) {
	const maxStreams, window = 3, 4
	o := wire.Options{HTTP2: true, Body: make([]byte, 50_000)}
	d := parse(t, "http://h", o).Dialog(0).(load.Controller)
	d.AppendControl(nil)
	want := func(when string, sent []byte, bodies string, room int) {
		t.Helper()
		if got := bodyOf(sent); got != bodies || d.Room() != room {
			t.Errorf("%s: sent %q, room %d, want %q, %d", when, got, d.Room(), bodies, room)
		}
	}
	want("before the settings", nil, "", 1)
	want("request 0", d.AppendRequest(nil, 0), "1:50000.", 0)
	s := newScript(maxStreams, 10, window, 20_000)
	take(t, d, s, 0)
	want("settings", d.AppendControl(nil), "", 9)
	want("request 1, to the end of the connection's window", d.AppendRequest(nil, 1), "3:15535", 0)
	s.window(0, 30_000)
	take(t, d, s, 0)
	want("more for the connection", d.AppendControl(nil), "3:4465", 8)
	want("request 2", d.AppendRequest(nil, 2), "5:20000", 7)
	s.window(5, 1_000)
	s.window(3, 100_000)
	take(t, d, s, 0)
	want("more for streams", d.AppendControl(nil), "3:5535", 0)
	s.settings(window, 5_000)
	s.window(0, 100_000)
	take(t, d, s, 0)
	want("smaller windows", d.AppendControl(nil), "3:24465.", 7)
	s.settings(window, 50_000)
	take(t, d, s, 0)
	want("larger windows", d.AppendControl(nil), "5:30000.", 7)
	want("request 3", d.AppendRequest(nil, 3), "7:45535", 0)
	s.head(7, true, ":status: 413")
	take(t, d, s, 1)
	control := framesOf(d.AppendControl(nil))
	if len(control) != 1 || control[0].kind != 3 || control[0].stream != 7 {
		t.Errorf("answered early: sent %+v, want RST_STREAM", control)
	}
	s.reset(7, 0) // crosses ours
	s.window(7, 5)
	s.data(7, true, "late")
	s.settings(maxStreams, 2)
	take(t, d, s, 0)
	want("fewer streams than are open", d.AppendControl(nil), "", 0)
}

func TestHTTP2AnswersTheServersControlFrames(t *testing.T) {
	d := http2Dialog(t, wire.Options{}, 1)
	s := newScript()
	s.ping(9)
	s.settings()
	s.head(1, false, ":status: 200")
	for range 600 { // 9.8 MB: more than half of the stream's window
		s.data(1, false, strings.Repeat("x", 16384))
	}
	take(t, d, s, 0)
	var got []string
	for _, f := range framesOf(d.AppendControl(nil)) {
		got = append(got, fmt.Sprintf("%d/%d/%d/%x", f.kind, f.flags, f.stream, f.payload))
	}
	// PING comes back with its bytes, 2^23 bytes are given back to the stream.
	if want := "[4/1/0/ 6/1/0/0902030405060708 4/1/0/ 8/0/1/00800000]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if again := d.AppendControl(nil); len(again) > 0 {
		t.Errorf("sent twice: %q", again)
	}
	s.data(1, true, "")
	take(t, d, s, 1)
}

func TestHTTP2GivesWindowsBackInTime(t *testing.T) {
	d := http2Dialog(t, wire.Options{}, 1)
	s := newScript()
	s.head(1, false, ":status: 200")
	take(t, d, s, 0)
	d.AppendControl(nil)
	for range 100 {
		s.frame(0, 8, 1, append([]byte{255}, make([]byte, 16383)...)...) // padding counts too
	}
	left := map[uint32]int{0: 1 << 30, 1: 1 << 24}
	for range 400 { // 655 MB
		for in := s.Bytes(); len(in) > 0; {
			n, a := d.NextAnswer(in, false)
			if n == 0 || a.Close {
				t.Fatalf("%d bytes are left: %+v", len(in), a)
			}
			in = in[n:]
		}
		for stream := range left {
			if left[stream] -= s.Len() - 100*9; left[stream] < 0 {
				t.Fatalf("the server overran the window of stream %d by %d bytes", stream, -left[stream])
			}
		}
		for _, f := range framesOf(d.AppendControl(nil)) {
			left[f.stream] += int(binary.BigEndian.Uint32(f.payload))
		}
	}
	for stream, most := range map[uint32]int{0: 1 << 30, 1: 1 << 24} {
		if left[stream] > most || left[stream] < most/2 {
			t.Errorf("the window of stream %d has become %d, want %d to %d", stream, left[stream], most/2, most)
		}
	}
}

func TestHTTP2LeavesWhenStreamsRunOut(t *testing.T) {
	const last = 1<<30 - 1 // stream 2^31-1
	d := http2Dialog(t, wire.Options{}, 0)
	take(t, d, newScript(), 0)
	frames := framesOf(d.AppendRequest(nil, last)[len(preface):])
	if f := frames[len(frames)-1]; f.stream != 1<<31-1 || d.Room() != 0 {
		t.Errorf("the last request has stream %d, room for %d more", f.stream, d.Room())
	}
	s := &script{}
	s.head(1<<31-1, true, ":status: 200")
	if got, want := take(t, d, s, 1)[0], (load.Answer{Seq: last, Code: 200, Close: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestHTTP2TakesNoRequestsAfterAGoodbye(t *testing.T) {
	d := http2Dialog(t, wire.Options{}, 1)
	s := newScript()
	s.head(1, true, ":status: 200")
	s.goAway(1)
	in := s.Bytes()
	n, a := d.NextAnswer(in, false)
	if a != (load.Answer{Code: 200}) {
		t.Fatalf("got %+v", a)
	}
	// It belongs to no request, and the connection is of no use any more.
	n2, a := d.NextAnswer(in[n:], false)
	if want := (load.Answer{Partial: true, Close: true, Leaving: true, Unread: 1}); n+n2 != len(in) || a != want ||
		d.Room() != 0 {
		t.Errorf("got %+v and room %d, want %+v and none", a, d.Room(), want)
	}
}
