package framed

import (
	"bytes"
	"log/slog"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/services/internal/servicetest"
)

// FuzzAnswer holds the reactor's decoder, fed in pieces, against the one of the first
// stages: the same answers, the same fault, and no more memory than what has come.
func FuzzAnswer(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, in []byte, piece uint16) {
		want, wantBad := answerStream(in)
		got, gotBad := answerLink(t, in, int(piece)+1)
		if !bytes.Equal(got, want) {
			t.Errorf("reactor answers %x, stream %x", got, want)
		}
		if (gotBad == nil) != (wantBad == nil) || gotBad != nil && *gotBad != *wantBad {
			t.Errorf("reactor fails with %v, stream with %v", gotBad, wantBad)
		}
	})
}

// answerLink answers in as a loop does when it arrives in pieces of this size.
func answerLink(t *testing.T, in []byte, piece int) (answers []byte, bad *FrameError) {
	l, k, seen := &loop{out: make([]byte, (loopRead/MinFrame+1)*AckSize)}, new(link), 0
	for len(in) > 0 {
		n := min(piece, len(in), loopRead)
		whole, bad := l.answer(k, in[:n])
		in, seen = in[n:], seen+n
		answers = append(answers, l.out[:whole*AckSize]...)
		if bad != nil {
			return answers, bad.(*FrameError)
		}
		if len(k.part) > min(seen, MaxFrame-1) || cap(k.part) > max(64, 2*len(k.part)) {
			t.Fatalf("a front of %d bytes in memory of %d after %d bytes", len(k.part), cap(k.part), seen)
		}
	}
	return answers, nil
}

// What links hold at the same time stays apart, takes at most twice its size, and what
// is kept for later is bounded.
func TestBuffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var store buffers
		held, want := make([][]byte, 5), make([][]byte, 5)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			i := rapid.IntRange(0, 4).Draw(t, "link")
			more := bytes.Repeat([]byte{byte(rapid.IntRange(0, 255).Draw(t, "byte"))},
				rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, MaxFrame)).Draw(t, "size"))
			if len(held[i])+len(more) > MaxFrame {
				held[i], want[i] = store.free(held[i]), nil
				continue
			}
			held[i], want[i] = store.append(held[i], more), append(want[i], more...)
			for j := range held {
				if !bytes.Equal(held[j], want[j]) {
					t.Fatalf("buffer %d holds other bytes than it was given", j)
				}
			}
			if n := len(held[i]); cap(held[i]) > max(64, 2*n) {
				t.Fatalf("%d bytes in memory of %d", n, cap(held[i]))
			}
		}
		for class, unused := range store.unused {
			if kept := len(unused) << (class + smallestClass); kept > maxUnused {
				t.Fatalf("%d bytes are kept of class %d", kept, class)
			}
		}
	})
}

// Connections are dealt out in turn.
func TestConnectionsAreDealtOutInTurn(t *testing.T) {
	const loops, rounds = 3, 4
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(loops))
	server, r, stop := servicetest.Start(t, servicetest.Listen(t), func(*slog.Logger) (*Server, error) {
		return New(Config{Stage: "reactor"})
	})
	for range loops * rounds {
		client, err := Dial(t.Context(), r.Addr)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if err := client.Submit(t.Context(), ID([]byte("00000001")), nil); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	all := server.reactor.loops
	if len(all) != loops {
		t.Fatalf("%d loops, want one for each of %d processors", len(all), loops)
	}
	for i, l := range all {
		if n := l.traffic.requests.Load(); n != rounds {
			t.Errorf("loop %d answered %d requests, want %d", i, n, rounds)
		}
	}
}
