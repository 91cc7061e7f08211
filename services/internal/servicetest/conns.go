package servicetest

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Read reads exactly n bytes.
func Read(t testing.TB, conn net.Conn, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(conn, b); err != nil {
		t.Fatalf("read %d bytes: %v", n, err)
	}
	return b
}

// Write writes b whole.
func Write(t testing.TB, conn net.Conn, b []byte) {
	t.Helper()
	if _, err := conn.Write(b); err != nil {
		t.Fatalf("send requests: %v", err)
	}
}

// maxTaken is far more than the buffers of two sockets hold: a server that takes more while its answers are not read
// keeps them.
const maxTaken = 64 << 20

// SendUntilStopped sends requests until a write makes no headway for a while, or fails with
// one of others. A server that takes them for ever is an error.
func SendUntilStopped(t testing.TB, conn net.Conn, requests []byte, others ...error) {
	for taken := 0; taken < maxTaken; {
		conn.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
		n, err := conn.Write(requests)
		if taken += n; err == nil {
			continue
		}
		for _, other := range append(others, os.ErrDeadlineExceeded) {
			if errors.Is(err, other) {
				return
			}
		}
		t.Errorf("send without reading: %v, want to be held back", err)
		return
	}
	t.Errorf("the server took %d MB of a client that reads nothing", maxTaken>>20)
}

// ServeEach runs answer on each connection, which it closes then, until the test ends.
func ServeEach(t testing.TB, answer func(net.Conn)) (addr string) {
	t.Helper()
	ln := Listen(t)
	var conns sync.WaitGroup
	t.Cleanup(func() { ln.Close(); conns.Wait() })
	conns.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { defer conn.Close(); answer(conn) })
		}
	})
	return ln.Addr().String()
}

// NarrowSize keeps the buffers that answers pass small, in bytes, so that a client that never
// reads is felt after some thousand requests and not after megabytes. The other direction
// keeps its size: there, small buffers make TCP wait for whole windows.
const NarrowSize = 4096

// Narrow makes the client receive into a small buffer.
func Narrow(conn *net.TCPConn) *net.TCPConn {
	conn.SetReadBuffer(NarrowSize)
	return conn
}

// ListenNarrow returns a listener whose connections send from buffers of that size.
func ListenNarrow(t testing.TB, size int) net.Listener {
	t.Helper()
	return narrowed{Listen(t), size}
}

type narrowed struct {
	net.Listener
	size int
}

func (l narrowed) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		conn.(*net.TCPConn).SetWriteBuffer(l.size)
	}
	return conn, err
}

// ListenShort returns a real listener in a process that is short of descriptors at first.
func ListenShort(t testing.TB, failures int) net.Listener {
	t.Helper()
	return &short{Listen(t), failures}
}

type short struct {
	net.Listener
	failures int
}

func (l *short) Accept() (net.Conn, error) {
	if l.failures > 0 {
		l.failures--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// Pipes is a listener of in-memory connections, which synctest's clock can see block.
type Pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

// NewPipes returns a listener without connections.
func NewPipes() *Pipes {
	return &Pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Dial connects.
func (p *Pipes) Dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// DialNow connects, or ends the test.
func (p *Pipes) DialNow(t testing.TB) net.Conn {
	t.Helper()
	conn, err := p.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// Accept returns the next connection that is dialled.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (p *Pipes) Close() error { close(p.closed); return nil }

// Addr is no address that can be dialled.
func (p *Pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// RaceDetector says whether the race detector runs, which allocates, and has a sync.Pool drop
// what is put back, at random.
func RaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Heap returns the live heap in bytes.
func Heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Allocated returns how many bytes the process allocates during work.
func Allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
