package schemes_test

import (
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/tap"
)

// typicalAnswer is what a net/http handler that writes two bytes sends.
const typicalAnswer = "HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 04:57:26 GMT\r\nContent-Length: 2\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\n\r\nok"

// BenchmarkHTTPAnswer reads one answer and builds the next request, as the engine does
// for every request of a closed loop.
func BenchmarkHTTPAnswer(b *testing.B) {
	feed := &wire.Feed{Names: []string{"id"}, Rows: [][]string{{"1"}, {"22"}, {"a b"}}}
	for _, c := range []struct {
		name, answer string
		options      wire.Options
	}{
		{"typical", typicalAnswer, wire.Options{}},
		{"chunked", "HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 04:57:26 GMT\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", wire.Options{}},
		{"mix", typicalAnswer, wire.Options{Requests: []wire.Request{{}, {Path: "/b", Weight: 3}}}},
		{"feed", typicalAnswer, wire.Options{Body: []byte("id={id}"), Feed: feed}},
		{"check-body", typicalAnswer, wire.Options{Expect: wire.Expect{Body: "ok"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := httpDialog(b, c.options, 1)
			in, out := []byte(c.answer), make([]byte, 0, 1<<10)
			b.ReportAllocs()
			seq := uint64(1)
			for b.Loop() {
				for rest := in; len(rest) > 0; {
					n, _ := d.NextAnswer(rest, false)
					rest = rest[n:]
				}
				out = d.AppendRequest(out[:0], seq)
				seq++
			}
		})
	}
}

// BenchmarkTap is what the connection of a session that is sampled costs beside the others.
func BenchmarkTap(b *testing.B) {
	target, err := schemes.Parse("http://h", wire.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, conn := range map[string]int{"copied and counted": 0, "counted": 1, "neither": 1000} {
		b.Run(name, func(b *testing.B) {
			d := tap.New(target).Dialog(conn)
			in, out, seq := []byte(typicalAnswer), make([]byte, 0, 1<<10), uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				out = d.AppendRequest(out[:0], seq)
				d.NextAnswer(in, false)
				seq++
			}
		})
	}
}
