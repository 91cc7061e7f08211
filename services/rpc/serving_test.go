package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
)

// waitRequest is a call of the waiter as a frame.
func waitRequest(stream uint16, msg string) []byte {
	return request(stream, waitPath, rpc.AppendText([]byte("\x81\xa3Msg"), msg))
}

// A handler that blocks holds up no other call on a pipelined connection: answers are matched
// by stream id.
func TestBlockingHandlerHoldsUpNoOther(t *testing.T) {
	w := newWaiter()
	conn := start(t, rpc.Config{}, w.register).Dial(t)
	write(t, conn, append(waitRequest(1, "a"), helloRequest(2)...))
	if _, got := readAnswer(t, conn); !bytes.Equal(got, helloAnswer(2)) {
		t.Errorf("first answer is %x, want the quick one's", got)
	}
	close(w.goOn)
	if h, got := readAnswer(t, conn); h.Stream != 1 || !bytes.Contains(got, []byte("late a")) {
		t.Errorf("second answer is %q", got)
	}
}

// Inline answers leave in order.
func TestInlineAnswersAreInOrder(t *testing.T) {
	conn := start(t, rpc.Config{}).Dial(t)
	for round := range 20 {
		var sent, want []byte
		for i := range uint16(400) {
			sent, want = append(sent, helloRequest(i)...), append(want, helloAnswer(i)...)
		}
		write(t, conn, sent)
		got := make([]byte, len(want))
		if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("round %d: answers out of order, %v", round, err)
		}
	}
}

// No more than MaxCalls of one connection are in handlers; the rest waits unread, and
// gets its turn.
func TestCallsOfOneConnectionAreBounded(t *testing.T) {
	w := newWaiter()
	r := start(t, rpc.Config{MaxCalls: 3}, w.register)
	conn := r.Dial(t)
	var sent []byte
	for i := range uint16(10) {
		sent = append(sent, waitRequest(i, "x")...)
	}
	write(t, conn, sent)
	for range 3 {
		<-w.called
	}
	r.mustServe(t)
	if n := r.Counters().Calls; n != 3 {
		t.Errorf("%d calls in handlers, want 3", n)
	}
	close(w.goOn)
	for range 10 {
		if _, got := readAnswer(t, conn); !bytes.Contains(got, []byte("late x")) {
			t.Errorf("answer is %q", got)
		}
	}
	if n := len(w.called); n != 7 {
		t.Errorf("%d more calls, want 7", n)
	}
}

// A client that is gone for certain ends the contexts of its calls.
func TestCallsEndWithTheirConnection(t *testing.T) {
	w := newWaiter()
	r := start(t, rpc.Config{}, w.register)
	conn := r.Dial(t)
	write(t, conn, waitRequest(1, "x"))
	<-w.called
	conn.SetLinger(0)
	conn.Close() // a reset
	if err := <-w.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("context ended with %v", err)
	}
	r.await(t, "end of the connection", func(c rpc.Counters) bool { return c.Connected == 0 })
}

// A client that ends its side gets the answers to all it asked for.
func TestHalfClosedClientIsAnswered(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		w := newWaiter()
		conn := start(t, rpc.Config{Stage: stage.Name}, w.register).Dial(t)
		write(t, conn, append(waitRequest(1, "a"), helloRequest(2)...))
		if err := conn.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		<-w.called
		close(w.goOn)
		got, err := io.ReadAll(conn)
		if err != nil || !bytes.Contains(got, []byte("late a")) || !bytes.Contains(got, helloAnswer(2)) {
			t.Errorf("got %q, %v, want two answers", got, err)
		}
	})
}

// Shutdown has what was read answered, and lets nothing more in.
func TestShutdownAnswersWhatWasRead(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		w := newWaiter()
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		r, stop := startOn(t, ln, rpc.Config{Stage: stage.Name}, w.register)
		conn, idle := r.Dial(t), r.Dial(t)
		write(t, idle, helloRequest(1))
		readAnswer(t, idle)
		write(t, conn, waitRequest(7, "a"))
		<-w.called
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		if rest, err := io.ReadAll(idle); err != nil || len(rest) > 0 { // cut: the shutdown has begun
			t.Errorf("idle client got %x, %v, want the end", rest, err)
		}
		if c, err := net.Dial("tcp", r.Addr); err == nil {
			t.Error("a new client was let in")
			c.Close()
		}
		close(w.goOn)
		got, err := io.ReadAll(conn)
		if err != nil || !bytes.Contains(got, []byte("late a")) {
			t.Errorf("got %q, %v, want the answer", got, err)
		}
		conn.Close()
		idle.Close()
		<-stopped
	})
}

// A shutdown whose time is up ends the contexts of the calls that are left, and says so.
func TestShutdownInAHurry(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		w := newWaiter()
		ln := servicetest.Listen(t)
		r, stop := startOn(t, ln, rpc.Config{Stage: stage.Name}, w.register)
		defer stop()
		conn := r.Dial(t)
		write(t, conn, waitRequest(1, "x"))
		<-w.called
		ctx, cancel := context.WithCancelCause(context.Background())
		hurry := errors.New("no more time")
		cancel(hurry)
		if err := r.Shutdown(ctx); !errors.Is(err, hurry) || !strings.Contains(err.Error(), "1 connections closed with answers owed") {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-w.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the handler's context ended with %v", err)
		}
		if err := r.Serve(ln); !errors.Is(err, rpc.ErrShutdown) {
			t.Errorf("Serve after Shutdown: %v", err)
		}
		if err := rpc.RegisterService(r.Server, "late", zoo{}); !errors.Is(err, rpc.ErrShutdown) && !errors.Is(err, rpc.ErrServing) {
			t.Errorf("registration after Shutdown: %v", err)
		}
	})
}

// Clients that ask and never read are paused, then reset; memory stays bounded and
// others are served meanwhile.
func TestClientThatNeverReadsIsReset(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		for path, size := range map[string]int{
			"/zoo.Inline/Echo": 30_000, "/zoo.Zoo/Echo": 30_000, "/zoo.Inline/Bulk": 1, "/zoo.Zoo/Bulk": 1,
		} {
			t.Run(path, func(t *testing.T) {
				r := start(t, rpc.Config{Stage: stage.Name, MaxCalls: 8, WriteTimeout: 400 * time.Millisecond}, registerZoo)
				ask := request(1, path, rpc.AppendText([]byte("\x81\xa3Msg"), strings.Repeat("x", size)))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				const clients = 4
				over := make(chan error, clients)
				for range clients {
					conn := r.Dial(t)
					go func() { // ends with the reset
						for {
							if _, err := conn.Write(ask); err != nil {
								over <- err
								return
							}
						}
					}()
				}
				r.mustServe(t)
				for range clients {
					if err := <-over; err == nil {
						t.Error("no error")
					}
				}
				r.await(t, "count of the stalled", func(c rpc.Counters) bool { return c.Stalled == clients && c.Connected <= 1 })
				runtime.ReadMemStats(&after)
				if held := (int64(after.HeapSys) - int64(before.HeapSys)) >> 20; held > 200 {
					t.Errorf("the heap grew by %d MB for %d clients", held, clients)
				}
				r.Logged(t, "does not read its answers")
				r.mustServe(t)
			})
		}
	})
}

// One client more than MaxConns is closed at once, and counted.
func TestConnectionsAreBounded(t *testing.T) {
	r := start(t, rpc.Config{MaxConns: 1})
	first := r.Dial(t)
	write(t, first, helloRequest(1))
	readAnswer(t, first)
	if got, err := io.ReadAll(r.Dial(t)); len(got) > 0 {
		t.Errorf("one too many got %x, %v", got, err)
	}
	r.await(t, "count of the refused", func(c rpc.Counters) bool { return c.Refused == 1 && c.Connected == 1 })
}
