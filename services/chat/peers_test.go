package chat_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

// A client that sends a byte at a time is served, and holds no other client up meanwhile.
func TestSlowSenderHoldsNoOtherUp(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		slow, listener := r.member(t, "slow", "hall"), r.user(t, "listener", "", "hall")
		frame := chat.AppendMessage(nil, 3, []byte("one byte at a time"))
		for i := range frame {
			write(t, slow, frame[i:i+1])
			if i%8 == 3 { // after the length, inside the id, inside the text
				r.mustServe(t)
			}
		}
		hear(t, listener, "slow", "hall", "one byte at a time")
		if got, want := read(t, slow, chat.AckSize), chat.AppendAck(nil, 3, chat.Accepted); !bytes.Equal(got, want) {
			t.Errorf("the slow sender got %x, want %x", got, want)
		}
	})
}

// A recipient that never reads is reset, counted and logged with its name; the sender
// and a third member go on. The stages that write in turn wait WriteTimeout for it, final
// does not wait at all.
func TestRecipientThatNeverReadsIsReset(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		timeout := 500 * time.Millisecond
		if stage == "final" {
			timeout = time.Hour
		}
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), chat.Config{Stage: stage, WriteTimeout: timeout})
		deaf := servicetest.Narrow(r.member(t, "deaf", "hall"))
		talker, third := r.user(t, "talker", "", "hall"), r.user(t, "third", "", "hall")
		gone := func(c chat.Counters) bool { return c.Stalled+c.Slow == 1 && c.Connected == 2 }
		text := noise(10_000)
		for !gone(r.Counters()) {
			must(t, talker.Say(t.Context(), text))
			hear(t, third, "talker", "hall", string(text))
		}
		if c := r.Counters(); stage == "final" && c.Slow != 1 {
			t.Errorf("counters are %+v, want a slow client", c)
		}
		r.Logged(t, "reset connection: client ", deaf.LocalAddr().String(), "user=deaf", "stage="+stage)
		r.mustServe(t)
	})
}

// Clients that send and never read cost the server bounded memory and the others
// nothing: they are held back, or in final reset when their queue is full.
func TestClientsThatNeverReadTakeNoMemory(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), chat.Config{Stage: stage, WriteTimeout: time.Hour})
		var senders sync.WaitGroup
		var conns []*net.TCPConn
		for _, name := range []string{"deaf-1", "deaf-2", "deaf-3", "deaf-4"} {
			conns = append(conns, servicetest.Narrow(r.member(t, name, "hall-"+name)))
		}
		before := servicetest.Heap()
		for _, conn := range conns {
			senders.Go(func() { sendUntilStopped(t, conn) })
		}
		senders.Wait()
		if grown := int64(servicetest.Heap()-before) >> 20; grown > 8 {
			t.Errorf("heap grew by %d MB for 4 clients that never read", grown)
		}
		r.mustServe(t)
	})
}

// All queues together have a bound of their own.
func TestQueuesAreBoundedTogether(t *testing.T) {
	r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), chat.Config{WriteTimeout: time.Hour, QueueBytes: 64 << 20, QueueTotalBytes: 1 << 20})
	for _, name := range []string{"deaf-1", "deaf-2", "deaf-3"} {
		servicetest.Narrow(r.member(t, name, "hall"))
	}
	talker := r.user(t, "talker", "", "hall")
	for r.Counters().Slow < 3 {
		must(t, talker.Say(t.Context(), noise(60_000)))
	}
	r.mustServe(t)
}

// A client that falls behind and catches up gets every message, in order.
func TestQueueKeepsOrder(t *testing.T) {
	const buffer = 64 << 10 // with smaller ones TCP takes a minute to catch up
	r := startOn(t, servicetest.ListenNarrow(t, buffer), chat.Config{WriteTimeout: time.Hour, QueueBytes: 64 << 20})
	conn := r.member(t, "late", "hall")
	conn.SetReadBuffer(buffer)
	late := chat.NewClient(conn)
	talker := r.user(t, "talker", "", "hall")
	const messages = 500 // 2.5 MB: more than the sockets hold
	for i := range messages {
		must(t, talker.Say(t.Context(), noise(5000+i)))
	}
	for i := range messages {
		hear(t, late, "talker", "hall", string(noise(5000+i)))
	}
	must(t, late.Ping(t.Context()))
}

// Over the limit a client is turned away at once, until another leaves.
func TestConnectionLimit(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage, MaxConns: 2})
		first, _ := r.Dial(t), r.Dial(t)
		r.await(t, "two clients", func(c chat.Counters) bool { return c.Connected == 2 })

		if _, err := io.ReadAll(r.Dial(t)); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the third client: %v, want the end of the connection", err)
		}
		r.await(t, "the refusal", func(c chat.Counters) bool {
			return c.Refused == 1 && c.Connected == 2 && strings.Contains(r.Log.String(), "limit reached")
		})
		first.Close()
		r.await(t, "one client left", func(c chat.Counters) bool { return c.Connected == 1 })
		must(t, r.user(t, "ann", "", "hall").Ping(t.Context()))
	})
}

// A shortage of descriptors passes: the server waits and then accepts again.
func TestAcceptSurvivesShortage(t *testing.T) {
	r := startOn(t, servicetest.ListenShort(t, 2), chat.Config{})
	r.mustServe(t)
	if n := strings.Count(r.Log.String(), "accept connection"); n != 2 {
		t.Errorf("%d lines about accepting, want 2:\n%s", n, r.Log)
	}
}

// sendUntilStopped sends pings until a write makes no headway for a while, or the
// server resets the connection.
func sendUntilStopped(t *testing.T, conn net.Conn) {
	var requests []byte
	for i := range uint32(500) {
		requests = chat.AppendPing(requests, i)
	}
	servicetest.SendUntilStopped(t, conn, requests, syscall.ECONNRESET, syscall.EPIPE)
}
