package framed_test

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

	"github.com/gohone/hone/services/framed"
)

// A client that sends a byte at a time is served, and holds nobody up meanwhile.
func TestSlowSenderHoldsNobodyUp(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		slow := r.dial(t)
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
		r := startOn(t, narrowListener(t), framed.Config{Stage: stage.Name, WriteTimeout: time.Hour})
		before := heap()
		var senders sync.WaitGroup
		for range 4 {
			conn := narrow(r.dial(t))
			senders.Go(func() { sendUntilHeldBack(t, conn) })
		}
		senders.Wait()
		if grown := int64(heap()-before) >> 20; grown > 8 {
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
		r := startOn(t, narrowListener(t), framed.Config{Stage: stage.Name, WriteTimeout: 500 * time.Millisecond})
		stalled := narrow(r.dial(t))
		requests := submits(200)
		for {
			if _, err := stalled.Write(requests); err != nil {
				break // the reset
			}
		}
		r.await(t, "count of the stall", func(c framed.Counters) bool { return c.Stalled == 1 && c.Connected == 0 })
		log := r.log.String()
		for _, want := range []string{"does not read its answers", stalled.LocalAddr().String(), "stage=" + stage.Name} {
			if !strings.Contains(log, want) {
				t.Errorf("log lacks %q:\n%s", want, log)
			}
		}
		r.mustServe(t)
	})
}

// Over the limit a client is turned away at once, until another leaves.
func TestConnectionLimit(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name, MaxConns: 2})
		first, _ := r.dial(t), r.dial(t)
		r.await(t, "two clients", func(c framed.Counters) bool { return c.Connected == 2 })

		if _, err := io.ReadAll(r.dial(t)); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the third client: %v, want the end of the connection", err)
		}
		if c := r.Counters(); c.Refused != 1 || c.Connected != 2 {
			t.Errorf("counters are %+v, want 1 refused and 2 connected", c)
		}
		r.await(t, "log of the refusal", func(framed.Counters) bool {
			return strings.Contains(r.log.String(), "limit reached")
		})

		first.Close()
		r.await(t, "one client left", func(c framed.Counters) bool { return c.Connected == 1 })
		r.mustServe(t)
	})
}

// A shortage of descriptors passes: the server waits and then accepts again.
func TestAcceptSurvivesShortage(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := startOn(t, &shortListener{Listener: ln, failures: 2}, framed.Config{})
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

// narrowSize keeps the buffers that answers pass small, in bytes, so that a client
// that never reads is felt after some thousand requests and not after megabytes. The
// other direction keeps its size: there, small buffers make TCP wait for whole windows.
const narrowSize = 4096

// narrowed is a listener whose connections send from small buffers.
type narrowed struct{ net.Listener }

func narrowListener(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return narrowed{ln}
}

func (l narrowed) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		conn.(*net.TCPConn).SetWriteBuffer(narrowSize)
	}
	return conn, err
}

// narrow makes the client receive into a small buffer.
func narrow(conn *net.TCPConn) *net.TCPConn {
	conn.SetReadBuffer(narrowSize)
	return conn
}

// sendUntilHeldBack sends until a write makes no headway for a while.
func sendUntilHeldBack(t *testing.T, conn net.Conn) {
	requests := submits(200)
	for {
		conn.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
		if _, err := conn.Write(requests); err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("send without reading: %v, want to be held back", err)
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
