package load_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/sys/tlsmem"
	"github.com/gohone/hone/internal/testkit/nettest"
	"github.com/gohone/hone/load"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lines is the tests' protocol: request and right answer number n are both "=n\n",
// padded with pad spaces before the newline in the request. An answer "!n\n" is an
// error status; anything else is malformed.
type lines struct{ pad int }

func (p lines) Dialog(int) load.Dialog { return &lineDialog{pad: bytes.Repeat([]byte{' '}, p.pad)} }

type lineDialog struct{ pad []byte }

func (d *lineDialog) AppendRequest(dst []byte, seq uint64) []byte {
	dst = strconv.AppendUint(append(dst, '='), seq, 10)
	return append(append(dst, d.pad...), '\n')
}

func (d *lineDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	end := bytes.IndexByte(in, '\n')
	if end < 0 {
		if eof && len(in) > 0 {
			return len(in), load.Answer{Cause: load.WrongLength, Close: true}
		}
		return 0, load.Answer{}
	}
	var a load.Answer
	switch in[0] {
	case '=':
	case '!':
		a.Cause = load.WrongStatus
	default:
		return end + 1, load.Answer{Cause: load.Malformed, Close: true}
	}
	for _, c := range in[1:end] {
		if c >= '0' && c <= '9' {
			a.Seq = a.Seq*10 + uint64(c-'0')
		}
	}
	return end + 1, a
}

// server accepts connections and gives each to handle, in a goroutine that ends at
// the latest when the test does. A handled connection is closed.
func serve(t testing.TB, network string, handle func(c net.Conn)) net.Listener {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	secure := network == "tls"
	if secure {
		network = "tcp"
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if secure {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{nettest.Certificate(t)}})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	conns := map[net.Conn]bool{}
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns[c] = true
			mu.Unlock()
			wg.Go(func() {
				// A handle that does not read at once must not hold the handshake up.
				if s, ok := c.(*tls.Conn); !ok || s.Handshake() == nil {
					handle(c)
				}
				c.Close()
				mu.Lock()
				delete(conns, c)
				mu.Unlock()
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for c := range conns {
			c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return l
}

// shake makes c a TLS connection that the event loop takes, and closes it if that goes wrong.
func shake(c net.Conn) (net.Conn, error) {
	s, err := tlsmem.Client(context.Background(), c,
		&tls.Config{InsecureSkipVerify: true, DynamicRecordSizingDisabled: true})
	if err != nil {
		c.Close()
		return nil, err
	}
	return s, nil
}

// echo gives every request back, which is its right answer.
func echo(c net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := c.Read(buf)
		if n > 0 {
			if _, err := c.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// swallow reads and never answers.
func swallow(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// opaque hides the kind of a connection, which makes the engine the portable one.
type opaque struct{ net.Conn }

// engines runs a test over every kind of connection.
func engines(t *testing.T, test func(t *testing.T, e kind)) {
	for _, e := range []kind{
		{"event loop over tcp", "tcp", false}, {"event loop over unix", "unix", false},
		{"event loop over tls", "tls", false},
		{"portable", "tcp", true},
	} {
		t.Run(e.name, func(t *testing.T) { test(t, e) })
	}
}

type kind struct {
	name, network string
	portable      bool
}

func (e kind) dialer(l net.Listener) load.Dialer {
	return func(ctx context.Context) (net.Conn, error) {
		// A short Plan.Timeout is meant for answers: a connect on a busy machine may
		// take longer. On loopback it always ends by itself.
		var d net.Dialer
		c, err := d.DialContext(context.WithoutCancel(ctx), l.Addr().Network(), l.Addr().String())
		switch {
		case err != nil:
			return nil, err
		case e.portable:
			return opaque{c}, nil
		case e.network == "tls":
			return shake(c)
		}
		return c, nil
	}
}

// patient is a timeout that no healthy connection reaches, however busy the machine.
const patient = 20 * time.Second

func open(t testing.TB, plan load.Plan, p load.Protocol, dial load.Dialer) *session {
	t.Helper()
	if plan.Timeout == 0 {
		plan.Timeout = patient
	}
	s, err := load.Open(context.Background(), plan, p, dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := s.Close(); err != nil && !errors.Is(err, load.ErrClosed) {
			t.Error(err)
		}
	})
	return &session{Session: s, t: t}
}

// session checks the identities of every slice it takes.
type session struct {
	*load.Session
	t           testing.TB
	outstanding uint64
}

func (s *session) slice(d, drain time.Duration) load.Slice {
	s.t.Helper()
	got, err := s.Slice(context.Background(), d, drain)
	if err != nil {
		s.t.Fatal(err)
	}
	s.check(got)
	return got
}

// sliceFor takes a stretch of one slice.
func (s *session) sliceFor(schedule load.Schedule, drain time.Duration) (got load.Slice) {
	s.t.Helper()
	err := s.Run(context.Background(), load.Stretch{Schedule: schedule, Drain: drain},
		func(one load.Slice) { got = one })
	if err != nil {
		s.t.Fatal(err)
	}
	s.check(got)
	return got
}

// sliceUntil takes a slice that ends when n events have come.
func (s *session) sliceUntil(events <-chan struct{}, n int) load.Slice {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		for range n {
			<-events
		}
	}()
	got, err := s.Slice(ctx, time.Hour, 0)
	if !errors.Is(err, context.Canceled) {
		s.t.Fatal(err)
	}
	s.check(got)
	return got
}

// sliceWhile takes drained slices of d and adds them up, as long as more wants it:
// how much a slice does depends on the machine.
func (s *session) sliceWhile(d time.Duration, more func(sum load.Slice) bool) (sum load.Slice) {
	s.t.Helper()
	for first := true; first || more(sum); first = false {
		got := s.slice(d, patient)
		sum.Add(got.Counts)
		sum.Unanswered, sum.Unsent = got.Unanswered, got.Unsent
		sum.Live, sum.Stalled = got.Live, got.Stalled
		sum.Reconnects += got.Reconnects
		if got.FailedLatency != nil {
			if sum.FailedLatency == nil {
				sum.FailedLatency = got.FailedLatency
			} else {
				sum.FailedLatency.Merge(got.FailedLatency)
			}
		}
	}
	return sum
}

func (s *session) check(got load.Slice) {
	s.t.Helper()
	if s.outstanding+got.Sent != got.Answered+got.Failed+got.Unanswered {
		s.t.Errorf("outstanding %d + sent %d != answered %d + failed %d + unanswered %d",
			s.outstanding, got.Sent, got.Answered, got.Failed, got.Unanswered)
	}
	s.outstanding = got.Unanswered
	if n := uint64(got.Service.TotalCount()); n != got.Answered {
		s.t.Errorf("%d latencies for %d right answers", n, got.Answered)
	}
	if got.WorkerWall <= 0 || got.WorkerCPU < 0 {
		s.t.Errorf("worker wall %v, cpu %v", got.WorkerWall, got.WorkerCPU)
	}
	if err := s.Totals().Balance(); err != nil {
		s.t.Error(err)
	}
}

// close ends the session and checks the final account.
func (s *session) close() load.Counts {
	s.t.Helper()
	c, err := s.Close()
	if err != nil {
		s.t.Error(err)
	}
	sum := uint64(0)
	for _, n := range c.Causes {
		sum += n
	}
	if sum < c.Failed || c.Causes[load.OK] != 0 {
		s.t.Errorf("causes %v do not cover %d failed", c.Causes, c.Failed)
	}
	return c
}

// eventLoop says whether the kind has an event loop here.
func (e kind) eventLoop() bool { return runtime.GOOS == "linux" && !e.portable }
