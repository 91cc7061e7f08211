package rpc

import (
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// While a write does not end and the queue is full, senders and makers wait; they go on
// once it is taken, and all that was sent is written in order.
func TestOutboxMakesAnswersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		o := newOutbox(w)
		full := make([]byte, maxQueued)
		go o.send([]byte("a")) // writes, and does not return before it is read
		synctest.Wait()
		if err := o.waitForRoom(); err != nil {
			t.Fatal(err)
		}
		if err := o.send(full); err != nil { // there is room yet
			t.Fatal(err)
		}
		var gone atomic.Int32
		go func() { o.send([]byte("b")); gone.Add(1) }()
		synctest.Wait()
		go func() { o.waitForRoom(); gone.Add(1) }()
		synctest.Wait()
		if gone.Load() != 0 {
			t.Fatalf("%d went on beside a full queue", gone.Load())
		}
		got := make([]byte, 1+maxQueued+1)
		if _, err := io.ReadFull(r, got); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if gone.Load() != 2 || got[0] != 'a' || got[1] != 0 || got[len(got)-1] != 'b' {
			t.Errorf("%d went on; first byte %q, last %q", gone.Load(), got[0], got[len(got)-1])
		}
	})
}

// Once a write has failed no goroutine waits any more, and all get the error.
func TestOutboxEndsWithAFailedWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		o := newOutbox(w)
		failed := make(chan error, 4)
		go func() { failed <- o.sendTogether([]byte("a")) }()
		synctest.Wait()
		if err := o.send(make([]byte, maxQueued)); err != nil {
			t.Fatal(err)
		}
		go func() { failed <- o.send([]byte("b")) }()
		go func() { failed <- o.sendTogether([]byte("c")) }()
		go func() { failed <- o.waitForRoom() }()
		synctest.Wait()
		lost := errors.New("lost")
		r.CloseWithError(lost)
		for range 4 {
			if err := <-failed; !errors.Is(err, lost) {
				t.Errorf("got %v, want the write's error", err)
			}
		}
	})
}
