package framed_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

// A client that sends a byte at a time is served, and holds no other client up meanwhile.
func TestSlowSenderHoldsNoOtherUp(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		slow := r.Dial(t)
		frame := submit("slowpoke", "one byte at a time")
		for i := range frame {
			write(t, slow, frame[i:i+1])
			if i%8 == 3 { // after the length, inside the id, inside the payload
				r.mustServe(t)
			}
		}
		if got := exchange(t, slow); !bytes.Equal(got, ack("slowpoke")) {
			t.Errorf("the slow sender got %x, want its answer", got)
		}
	})
}

// Clients that send and never read are held back; they cost the server bounded memory
// and the other clients nothing.
func TestClientsThatNeverReadAreHeldBack(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), framed.Config{Stage: stage.Name, WriteTimeout: time.Hour})
		before := servicetest.Heap()
		var senders sync.WaitGroup
		for range 4 {
			conn := servicetest.Narrow(r.Dial(t))
			senders.Go(func() { servicetest.SendUntilStopped(t, conn, submits(200)) })
		}
		senders.Wait()
		if grown := int64(servicetest.Heap()-before) >> 20; grown > 8 {
			t.Errorf("heap grew by %d MB for 4 clients that never read", grown)
		}
		r.mustServe(t)
		if c := r.Counters(); c.Connected < 4 {
			t.Errorf("%d clients connected, want those held back still there", c.Connected)
		}
	})
}

// One that goes on not reading is reset after WriteTimeout, and logged.
func TestStalledClientIsReset(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), framed.Config{Stage: stage.Name, WriteTimeout: 500 * time.Millisecond})
		stalled := servicetest.Narrow(r.Dial(t))
		requests := submits(200)
		for {
			if _, err := stalled.Write(requests); err != nil {
				break // the reset
			}
		}
		r.await(t, "count of the stall", func(c framed.Counters) bool { return c.Stalled == 1 && c.Connected == 0 })
		r.Logged(t, "does not read its answers", stalled.LocalAddr().String(), "stage="+stage.Name)
		r.mustServe(t)
	})
}

// Over the limit a client is turned away at once, until another leaves.
func TestConnectionLimit(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name, MaxConns: 2})
		first, _ := r.Dial(t), r.Dial(t)
		r.await(t, "two clients", func(c framed.Counters) bool { return c.Connected == 2 })

		if _, err := io.ReadAll(r.Dial(t)); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the third client: %v, want the end of the connection", err)
		}
		if c := r.Counters(); c.Refused != 1 || c.Connected != 2 {
			t.Errorf("counters are %+v, want 1 refused and 2 connected", c)
		}
		r.await(t, "log of the refusal", func(framed.Counters) bool {
			return strings.Contains(r.Log.String(), "limit reached")
		})

		first.Close()
		r.await(t, "one client left", func(c framed.Counters) bool { return c.Connected == 1 })
		r.mustServe(t)
	})
}

// A shortage of descriptors passes: the server waits and then accepts again.
func TestAcceptSurvivesShortage(t *testing.T) {
	r := startOn(t, servicetest.ListenShort(t, 2), framed.Config{})
	r.mustServe(t)
	if n := strings.Count(r.Log.String(), "accept connection"); n != 2 {
		t.Errorf("%d lines about accepting, want 2:\n%s", n, r.Log)
	}
}
