package framed_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/server"
)

// Whatever the requests and wherever the network cuts them, each stage gives the same
// bytes: one answer to each request, in order.
func TestStagesAnswerAlike(t *testing.T) {
	servers := make(map[string]*running)
	for _, stage := range framed.Stages {
		servers[stage.Name] = start(t, framed.Config{Stage: stage.Name})
	}
	rapid.Check(t, func(rt *rapid.T) {
		requests := rapid.SliceOfN(request(), 0, 40).Draw(rt, "requests")
		var sent, want []byte
		for _, r := range requests {
			sent = framed.AppendRequest(sent, r)
			want = framed.AppendAck(want, framed.Ack{Command: r.Command.Ack(), ID: r.ID})
		}
		fragments := cut(rt, sent)
		for _, stage := range framed.Stages {
			got := exchange(t, servers[stage.Name].Dial(t), fragments...)
			if !bytes.Equal(got, want) {
				rt.Fatalf("%s: %d requests got %d bytes\n%x\nwant %d\n%x", stage.Name, len(requests), len(got), got, len(want), want)
			}
		}
	})
}

// request draws a request: mostly small, sometimes as large as can be.
func request() *rapid.Generator[framed.Submit] {
	return rapid.Custom(func(t *rapid.T) framed.Submit {
		size := rapid.OneOf(
			rapid.IntRange(0, 60),
			rapid.IntRange(0, 60),
			rapid.IntRange(4070, 4100), // about a bufio buffer
			rapid.SampledFrom([]int{16 << 10, framed.MaxPayload - 1, framed.MaxPayload}),
		).Draw(t, "size")
		return framed.Submit{
			Command: rapid.SampledFrom([]framed.Command{framed.CommandConn, framed.CommandSubmit}).Draw(t, "command"),
			ID:      framed.ID(rapid.SliceOfN(rapid.Byte(), framed.IDSize, framed.IDSize).Draw(t, "id")),
			Payload: bytes.Repeat([]byte{2}, size), // looks like a submit to a decoder that lost its place
		}
	})
}

// cut cuts b at up to 60 places.
func cut(t *rapid.T, b []byte) [][]byte {
	var fragments [][]byte
	for range 60 {
		if len(b) < 2 {
			break
		}
		n := rapid.OneOf(rapid.IntRange(1, min(20, len(b))), rapid.IntRange(1, len(b))).Draw(t, "cut")
		fragments = append(fragments, b[:n])
		b = b[n:]
	}
	return append(fragments, b)
}

// A client that waits for each answer gets it, with one request outstanding and with
// many, except from the stage that keeps the published bug.
func TestAnswersAreNotWithheld(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		if stage.Name == "buffered-noflush" {
			t.Skip("withholds answers on purpose: see TestNoflushWithholdsAnswers")
		}
		conn := start(t, framed.Config{Stage: stage.Name}).Dial(t)
		for _, n := range []int{1, 2, 16, 64, 292, 293, 2000} {
			sent := make(chan error, 1)
			go func() {
				_, err := conn.Write(submits(n))
				sent <- err
			}()
			if got, want := read(t, conn, n*framed.AckSize), acks(n); !bytes.Equal(got, want) {
				t.Fatalf("%d outstanding: got %x, want %x", n, got, want)
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The published bug: 292 answers fit the write buffer and stay there; the 293rd makes
// the buffer overflow, and only then does the client hear anything.
func TestNoflushWithholdsAnswers(t *testing.T) {
	r := start(t, framed.Config{Stage: "buffered-noflush"})
	conn := r.Dial(t)
	all := submits(293)
	write(t, conn, all[:292*37])
	r.await(t, "292 requests", func(c framed.Counters) bool { return c.Requests == 292 })
	if c := r.Counters(); c.Responses != 0 {
		t.Fatalf("%d responses left the server, want all 292 withheld", c.Responses)
	}

	write(t, conn, all[292*37:])
	got := read(t, conn, 4096)
	got = append(got, exchange(t, conn)...) // the rest comes with the end
	if !bytes.Equal(got, acks(293)) {
		t.Errorf("got %x, want 293 answers", got)
	}
}

func TestCountersTellWhatHappened(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		stays, goes := r.Dial(t), r.Dial(t)
		r.await(t, "two clients", func(c framed.Counters) bool { return c.Connected == 2 })
		exchange(t, goes, submits(500))
		write(t, stays, submits(300)) // more than a write buffer of answers
		read(t, stays, 200*framed.AckSize)
		r.await(t, "one client left", func(c framed.Counters) bool { return c.Connected == 1 && c.Requests == 800 })
		exchange(t, stays)
		r.await(t, "the end of all", func(c framed.Counters) bool { return c.Connected == 0 })
		if got, want := r.Counters(), (framed.Counters{
			Counts: server.Counts{Accepted: 2}, Requests: 800, Responses: 800,
			BytesReceived: 800 * 37, BytesSent: 800 * framed.AckSize,
		}); got != want {
			t.Errorf("counters are %+v, want %+v", got, want)
		}
		if log := r.Log.String(); log != "" {
			t.Errorf("clients without fault were logged:\n%s", log)
		}
	})
}
