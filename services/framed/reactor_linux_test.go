package framed_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

// The last two stages decode in place: a frame is answered wherever the network cuts it.
func TestFragmentedAtEveryByte(t *testing.T) {
	for _, stage := range []string{"batched", "reactor"} {
		t.Run(stage, func(t *testing.T) {
			r := start(t, framed.Config{Stage: stage})
			conn := r.Dial(t)
			conn.SetNoDelay(true)
			sent := append(submit("first001", "some payload"), submit("second02", "")...)
			sent = append(sent, submit("third003", strings.Repeat("long ", 30))...)
			want := append(append(ack("first001"), ack("second02")...), ack("third003")...)
			received := uint64(0)
			for cut := range len(sent) {
				write(t, conn, sent[:cut])
				received += uint64(cut)
				r.await(t, "first fragment", func(c framed.Counters) bool { return c.BytesReceived == received })
				write(t, conn, sent[cut:])
				received += uint64(len(sent) - cut)
				if got := read(t, conn, len(want)); !bytes.Equal(got, want) {
					t.Fatalf("cut at byte %d: got %x, want %x", cut, got, want)
				}
			}
		})
	}
}

// The largest frame grows in memory of its own, cut where sizes of that memory end.
func TestLargestFrameInFragments(t *testing.T) {
	r := start(t, framed.Config{Stage: "reactor"})
	conn := r.Dial(t)
	frame := submit("largest1", strings.Repeat("x", framed.MaxPayload))
	received := uint64(0)
	for _, cuts := range [][]int{{1, 2, 3, 4, 5}, {63, 64, 65}, {4096, 8192, 16384, 32768}, {13, framed.MaxFrame - 1}} {
		from := 0
		for _, to := range append(cuts, len(frame)) {
			write(t, conn, frame[from:to])
			received += uint64(to - from)
			from = to
			r.await(t, "fragment", func(c framed.Counters) bool { return c.BytesReceived == received })
		}
		if got := read(t, conn, framed.AckSize); !bytes.Equal(got, ack("largest1")) {
			t.Fatalf("cut at %d: got %x", cuts, got)
		}
	}
}

// More than any buffer holds, in one go.
func TestHugeBatch(t *testing.T) {
	const n = 200_000
	r := start(t, framed.Config{Stage: "reactor"})
	if got, want := exchange(t, r.Dial(t), submits(n)), acks(n); !bytes.Equal(got, want) {
		t.Errorf("%d answers of %d, or wrong ones", len(got)/framed.AckSize, n)
	}
}

// A client that has ended its side still gets all its answers, also those that wait
// because it began to read late.
func TestHalfClosedClientGetsItsAnswers(t *testing.T) {
	const n = 5000
	r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), framed.Config{Stage: "reactor"})
	conn := servicetest.Narrow(r.Dial(t))
	sent := make(chan error, 1)
	go func() {
		_, err := conn.Write(submits(n))
		if err == nil {
			err = conn.CloseWrite()
		}
		sent <- err
	}()
	r.await(t, "answers that wait", func(c framed.Counters) bool { return c.Requests > c.Responses })
	got, err := io.ReadAll(conn)
	if err != nil || !bytes.Equal(got, acks(n)) {
		t.Errorf("%d answers of %d, or wrong ones, %v", len(got)/framed.AckSize, n, err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	r.await(t, "end", func(c framed.Counters) bool { return c.Connected == 0 && c.Requests == n && c.Lost == 0 })
}

// What was sent before a hangup is answered, even if no client reads it, and the
// connection goes.
func TestHangupBehindData(t *testing.T) {
	r := start(t, framed.Config{Stage: "reactor"})
	const rounds = 50
	for i := range rounds {
		conn := r.Dial(t)
		if i%2 == 1 {
			conn.SetLinger(0) // a reset, which may overtake the requests
		}
		write(t, conn, submits(3))
		conn.Close()
	}
	r.await(t, "end of all", func(c framed.Counters) bool {
		return c.Connected == 0 && c.Accepted == rounds && c.Requests >= rounds/2*3
	})
	r.mustServe(t)
}

// A frame that a client leaves unfinished makes its end a loss.
func TestEndWithinAFrameIsALoss(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		conn := r.Dial(t)
		if got := exchange(t, conn, submit("complete", ""), submit("halfdone", "xyz")[:15]); !bytes.Equal(got, ack("complete")) {
			t.Errorf("got %x, want one answer", got)
		}
		r.await(t, "end", func(c framed.Counters) bool { return c.Connected == 0 })
		if c := r.Counters(); c.Lost != 1 {
			t.Errorf("counters are %+v, want 1 lost", c)
		}
	})
}

// Answers that a client does not take are bounded by what one read asks for.
func TestManyClientsThatNeverRead(t *testing.T) {
	const clients = 60
	r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), framed.Config{Stage: "reactor", WriteTimeout: time.Hour})
	before := servicetest.Heap()
	var senders sync.WaitGroup
	for range clients {
		conn := servicetest.Narrow(r.Dial(t))
		senders.Go(func() { servicetest.SendUntilStopped(t, conn, submits(200)) })
	}
	senders.Wait()
	// 64 kB of smallest requests have 70 kB of answers.
	if grown := int64(servicetest.Heap()-before) >> 10; grown > clients*80 {
		t.Errorf("heap grew by %d kB for %d clients that never read", grown, clients)
	}
	r.mustServe(t)
}

// Nothing runs for a connection that is idle.
func TestThousandsOfConnections(t *testing.T) {
	const clients = 3000
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < 3*clients {
		t.Skipf("needs %d descriptors, may have %d, %v", 3*clients, limit.Cur, err)
	}
	r := start(t, framed.Config{Stage: "reactor"})
	r.mustServe(t)
	goroutines := runtime.NumGoroutine()
	conns := make([]*net.TCPConn, clients)
	for i := range conns {
		conns[i] = r.Dial(t)
	}
	for round := range 3 {
		for _, conn := range conns {
			write(t, conn, submits(2))
		}
		for i, conn := range conns {
			if got := read(t, conn, 2*framed.AckSize); !bytes.Equal(got, acks(2)) {
				t.Fatalf("round %d, connection %d: got %x", round, i, got)
			}
		}
	}
	if c := r.Counters(); c.Connected != clients {
		t.Errorf("%d clients connected, want %d", c.Connected, clients)
	}
	if more := runtime.NumGoroutine() - goroutines; more > 10 {
		t.Errorf("%d goroutines more than without the connections", more)
	}
	for _, conn := range conns[:clients/2] {
		conn.Close()
	}
	r.await(t, "half of them gone", func(c framed.Counters) bool { return c.Connected == clients/2 })
	for range 10 { // in places that others have left
		r.mustServe(t)
	}
}

// A loop must let itself be stopped: a garbage collection waits for every thread.
func TestCollectionsRunUnderLoad(t *testing.T) {
	for _, procs := range []int{1, 2} {
		t.Run(fmt.Sprintf("GOMAXPROCS=%d", procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			r := start(t, framed.Config{Stage: "reactor"})
			stop := flood(t, r, 2)
			for range 20 {
				runtime.GC()
			}
			r.mustServe(t) // one client of many, and one loop for all
			stop()
		})
	}
}

// flood has clients send without a pause, and read, until the returned function is called.
func flood(t *testing.T, r *running, clients int) (stop func()) {
	t.Helper()
	var running sync.WaitGroup
	conns := make([]*net.TCPConn, clients)
	for i := range conns {
		conn := r.Dial(t)
		conns[i] = conn
		requests := submits(3000) // more than one read takes
		running.Go(func() {
			for {
				if _, err := conn.Write(requests); err != nil {
					return // closed by stop
				}
			}
		})
		running.Go(func() { io.Copy(io.Discard, conn) })
	}
	r.await(t, "load", func(c framed.Counters) bool { return c.Responses > 10_000 })
	return func() {
		for _, conn := range conns {
			conn.Close()
		}
		running.Wait()
	}
}

// Many clients at a time, frames of all sizes, cut anywhere: each gets its own answers.
func TestStress(t *testing.T) {
	r := start(t, framed.Config{Stage: "reactor"})
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(client)))
			for round := range 6 {
				var sent, want []byte
				for i := range 150 {
					name := fmt.Sprintf("%d%d%06d", client, round, i)
					sent = append(sent, submit(name, strings.Repeat("\x02", randomSize(rng)))...)
					want = append(want, ack(name)...)
				}
				var fragments [][]byte
				for len(sent) > 0 {
					n := min(1+randomSize(rng), len(sent))
					fragments = append(fragments, sent[:n])
					sent = sent[n:]
				}
				conn, err := net.Dial("tcp", r.Addr)
				if err != nil {
					t.Error(err)
					return
				}
				if got := exchange(t, conn.(*net.TCPConn), fragments...); !bytes.Equal(got, want) {
					t.Errorf("client %d, round %d: %d bytes of answers, want %d, or wrong ones", client, round, len(got), len(want))
				}
				conn.Close()
			}
		})
	}
	clients.Wait()
}

func randomSize(rng *rand.Rand) int {
	return rng.IntN([]int{4, 40, 400, framed.MaxPayload + 1}[rng.IntN(4)])
}

// The loops' own clock: silent clients go, whether they send nothing or never a whole
// frame.
func TestReactorClosesIdleClients(t *testing.T) {
	r := start(t, framed.Config{Stage: "reactor", IdleTimeout: 100 * time.Millisecond})
	silent, dripping := r.Dial(t), r.Dial(t)
	dripped := make(chan struct{})
	go func() {
		defer close(dripped)
		for frame := submit("dripping", strings.Repeat("x", 60_000)); len(frame) > 0; frame = frame[1:] {
			if _, err := dripping.Write(frame[:1]); err != nil {
				return
			}
			time.Sleep(time.Millisecond) // the client's pace
		}
	}()
	io.ReadAll(silent)
	<-dripped
	r.await(t, "end of both", func(c framed.Counters) bool { return c.Idle == 2 && c.Connected == 0 })
	for _, client := range []*net.TCPConn{silent, dripping} {
		if log := r.Log.String(); !strings.Contains(log, client.LocalAddr().String()) {
			t.Errorf("log lacks %v:\n%s", client.LocalAddr(), log)
		}
	}
}

// A log that blocks holds up the connections that are told of, and no others.
func TestBlockedLogHoldsNoOtherUp(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		r.Log.Lock() // blocks all that log
		unblock := sync.OnceFunc(r.Log.Unlock)
		defer unblock()
		culprits := []*net.TCPConn{r.Dial(t), r.Dial(t), r.Dial(t)}
		for _, culprit := range culprits {
			write(t, culprit, field(0))
		}
		r.mustServe(t)
		if c := r.Counters(); c.BadFrames[framed.FrameTooShort] != 0 {
			t.Error("a connection was counted before it was told of")
		}
		unblock()
		for _, culprit := range culprits {
			culprit.Close()
		}
		r.await(t, "three bad frames", func(c framed.Counters) bool { return c.BadFrames[framed.FrameTooShort] == 3 })
	})
}

// A client that goes on sending after a bad frame does not hold the connection open.
func TestSenderAfterABadFrameIsCutOff(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		conn := r.Dial(t)
		write(t, conn, field(0))
		for requests := submits(100); ; {
			if _, err := conn.Write(requests); err != nil {
				break // the end of the server's patience
			}
		}
		r.await(t, "end", func(c framed.Counters) bool { return c.Connected == 0 && c.BadFrames[framed.FrameTooShort] == 1 })
	})
}

func TestReactorOnAUnixSocket(t *testing.T) {
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	r := startOn(t, ln, framed.Config{Stage: "reactor"})
	conn, err := net.Dial("unix", r.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for range 3 {
		write(t, conn, submits(1000))
		if got := read(t, conn, 1000*framed.AckSize); !bytes.Equal(got, acks(1000)) {
			t.Fatalf("got %x", got)
		}
	}
}

// With clients that do not read and some that linger, too, a shutdown ends on time.
func TestShutdownEndsAllKindsOfConnections(t *testing.T) {
	r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), framed.Config{Stage: "reactor", WriteTimeout: time.Hour})
	idle, partial, lingering := r.Dial(t), r.Dial(t), r.Dial(t)
	write(t, partial, submit("halfdone", "xyz")[:15])
	write(t, lingering, field(0))
	servicetest.SendUntilStopped(t, servicetest.Narrow(r.Dial(t)), submits(200))
	r.await(t, "four clients", func(c framed.Counters) bool { return c.Accepted == 4 && c.BytesReceived > 19 })
	for _, conn := range []*net.TCPConn{idle, partial, lingering} {
		defer conn.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := r.Shutdown(ctx); err == nil || !strings.Contains(err.Error(), "answers owed") {
		t.Errorf("Shutdown: %v, want the connection that does not read", err)
	}
	if c := r.Counters(); c.Connected != 0 {
		t.Errorf("counters are %+v, want none connected", c)
	}
}
