package schemes_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/tap"
)

// One wrong answer in 300 is found, on whatever connection and however it comes, and all answers are counted.
func TestTapCountsWrongAnswers(t *testing.T) {
	for _, size := range []int{20, 30_000} {
		for engine := range engines {
			var n atomic.Int64
			right, wrong := strings.Repeat("r", size), strings.Repeat("r", size-1)+"w"
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1)%300 == 0 {
					io.WriteString(w, wrong)
				} else {
					io.WriteString(w, right)
				}
			}))
			const requests = 3000
			all := sampledOf(t, engine, server.URL, wire.Options{}, 1, requests)
			server.Close()
			counts := map[string]int{}
			for _, s := range all {
				counts[string(s.Body[size-1:])] += s.Count
			}
			// A window that is open takes an answer that comes meanwhile, so some are missing.
			if counts["w"] < 8 || counts["w"] > 10 || counts["r"] < requests*9/10 || counts["r"] > requests {
				t.Errorf("%d bytes over the %s: %v", size, engine, counts)
			}
		}
	}
}

// Bodies that differ by nature are not counted for long, and cost no memory then.
func TestTapStopsCountingBodiesThatDiffer(t *testing.T) {
	target, err := schemes.Parse("http://h/", wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := tap.New(target).Dialog(1)
	seq, request := uint64(0), make([]byte, 0, 1<<10)
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n00000000")
	exchange := func() {
		request = d.AppendRequest(request[:0], seq)
		seq++
		copy(answer[len(answer)-8:], fmt.Appendf(answer[:0:0], "%08d", seq))
		if n, a := d.NextAnswer(answer, false); n != len(answer) || a.Partial {
			t.Fatal(n, a)
		}
	}
	for range 200 {
		exchange()
	}
	copy(answer[len(answer)-8:], "no count")
	plain := func() {
		request = d.AppendRequest(request[:0], seq)
		seq++
		d.NextAnswer(answer, false)
	}
	if n := testing.AllocsPerRun(1000, plain); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}

// Bodies are compared to their end, and longer ones than are copied by their front and their length.
func TestTapReadsLongBodies(t *testing.T) {
	for size, whole := range map[int]bool{100_000: true, 3_000_000: true, 9_000_000: false} {
		body := bytes.Repeat([]byte("x"), size)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(body) }))
		before := sampledOf(t, "portable", server.URL, wire.Options{}, 1, 8)
		body = bytes.Clone(body)
		body[size-1] = 'y'
		after := sampledOf(t, "portable", server.URL, wire.Options{}, 1, 8)
		server.Close()
		if len(before) == 0 || len(after) == 0 {
			t.Fatalf("%d bytes: %d and %d answers", size, len(before), len(after))
		}
		if a, b := before[0], after[0]; (a.Content != b.Content) != whole || (a.Body != nil) != whole ||
			a.Length != int64(size) {
			t.Errorf("%d bytes: contents %x and %x, length %d", size, a.Content, b.Content, a.Length)
		}
	}
}
