package chat_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/services/chat"
)

// A client that sends a byte at a time is served, and holds nobody up meanwhile.
func TestSlowSenderHoldsNobodyUp(t *testing.T) {
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
		r := startOn(t, narrowListener(t, narrowSize), chat.Config{Stage: stage, WriteTimeout: timeout})
		deaf := narrow(r.member(t, "deaf", "hall"))
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
		log := r.log.String()
		for _, want := range []string{"reset connection: client ", deaf.LocalAddr().String(), "user=deaf", "stage=" + stage} {
			if !strings.Contains(log, want) {
				t.Errorf("log lacks %q:\n%s", want, log)
			}
		}
		r.mustServe(t)
	})
}

// Clients that send and never read cost the server bounded memory and the others
// nothing: they are held back, or in final reset when their queue is full.
func TestClientsThatNeverReadTakeNoMemory(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := startOn(t, narrowListener(t, narrowSize), chat.Config{Stage: stage, WriteTimeout: time.Hour})
		var senders sync.WaitGroup
		var conns []*net.TCPConn
		for _, name := range []string{"deaf-1", "deaf-2", "deaf-3", "deaf-4"} {
			conns = append(conns, narrow(r.member(t, name, "hall-"+name)))
		}
		before := heap()
		for _, conn := range conns {
			senders.Go(func() { sendUntilStopped(t, conn) })
		}
		senders.Wait()
		if grown := int64(heap()-before) >> 20; grown > 8 {
			t.Errorf("heap grew by %d MB for 4 clients that never read", grown)
		}
		r.mustServe(t)
	})
}

// All queues together have a bound of their own.
func TestQueuesAreBoundedTogether(t *testing.T) {
	r := startOn(t, narrowListener(t, narrowSize), chat.Config{WriteTimeout: time.Hour, QueueBytes: 64 << 20, QueueTotalBytes: 1 << 20})
	for _, name := range []string{"deaf-1", "deaf-2", "deaf-3"} {
		narrow(r.member(t, name, "hall"))
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
	r := startOn(t, narrowListener(t, buffer), chat.Config{WriteTimeout: time.Hour, QueueBytes: 64 << 20})
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
		first, _ := r.dial(t), r.dial(t)
		r.await(t, "two clients", func(c chat.Counters) bool { return c.Connected == 2 })

		if _, err := io.ReadAll(r.dial(t)); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the third client: %v, want the end of the connection", err)
		}
		r.await(t, "the refusal", func(c chat.Counters) bool {
			return c.Refused == 1 && c.Connected == 2 && strings.Contains(r.log.String(), "limit reached")
		})
		first.Close()
		r.await(t, "one client left", func(c chat.Counters) bool { return c.Connected == 1 })
		must(t, r.user(t, "ann", "", "hall").Ping(t.Context()))
	})
}

// A shortage of descriptors passes: the server waits and then accepts again.
func TestAcceptSurvivesShortage(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := startOn(t, &shortListener{Listener: ln, failures: 2}, chat.Config{})
	r.mustServe(t)
	if n := strings.Count(r.log.String(), "accept connection"); n != 2 {
		t.Errorf("%d lines about accepting, want 2:\n%s", n, r.log)
	}
}

// shortListener is a real listener in a process that is short of descriptors at first.
type shortListener struct {
	net.Listener
	failures int
}

func (l *shortListener) Accept() (net.Conn, error) {
	if l.failures > 0 {
		l.failures--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// narrowSize keeps the buffers that broadcasts and acks pass small, in bytes, so that a
// client that never reads is felt soon and not after megabytes.
const narrowSize = 4096

// narrowed is a listener whose connections send from small buffers.
type narrowed struct {
	net.Listener
	size int
}

func narrowListener(t *testing.T, size int) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return narrowed{ln, size}
}

func (l narrowed) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		conn.(*net.TCPConn).SetWriteBuffer(l.size)
	}
	return conn, err
}

// narrow makes the client receive into a small buffer.
func narrow(conn *net.TCPConn) *net.TCPConn {
	conn.SetReadBuffer(narrowSize)
	return conn
}

// sendUntilStopped sends pings until a write makes no headway for a while, or the
// server resets the connection.
func sendUntilStopped(t *testing.T, conn net.Conn) {
	var requests []byte
	for i := range uint32(500) {
		requests = chat.AppendPing(requests, i)
	}
	for {
		conn.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
		if _, err := conn.Write(requests); err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
				t.Errorf("send without reading: %v, want to be held back or reset", err)
			}
			return
		}
	}
}

// heap returns the live heap in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
