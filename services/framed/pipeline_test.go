package framed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

// Many goroutines share one connection, and each gets its own answers: an answer that
// went to another's call would break the connection.
func TestCallersShareAConnection(t *testing.T) {
	const callers, calls = 50, 40
	r := start(t, framed.Config{})
	for _, outstanding := range []int{1, 7, 1000} {
		t.Run(fmt.Sprint(outstanding), func(t *testing.T) {
			conn, err := net.Dial("tcp", r.Addr)
			if err != nil {
				t.Fatal(err)
			}
			client := framed.NewClient(conn, outstanding)
			defer client.Close()
			var running sync.WaitGroup
			for caller := range callers {
				running.Go(func() {
					for i := range calls {
						name := fmt.Sprintf("%04d%04d", caller, i)
						if err := client.Submit(t.Context(), id(name), make([]byte, i*i)); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			running.Wait()
		})
	}
	r.await(t, "count of all", func(c framed.Counters) bool { return c.Requests == 3*callers*calls })
}

// A call that its ctx ends leaves the others and the connection alone, and its answer
// goes to no other call.
func TestCallThatIsGivenUpHarmsNoOther(t *testing.T) {
	s := script(t, 10)
	client := s.client
	ctx, cancel := context.WithCancel(t.Context())
	impatient := make(chan error)
	go func() { impatient <- client.Submit(ctx, id("impatien"), nil) }()
	s.request(t, "impatien")
	patient := make(chan error)
	go func() { patient <- client.Submit(t.Context(), id("patient1"), nil) }()
	s.request(t, "patient1")

	cancel()
	if err := <-impatient; !errors.Is(err, context.Canceled) {
		t.Errorf("the call that was given up: %v, want context.Canceled", err)
	}
	write(t, s.conn, ack("impatien"))
	write(t, s.conn, ack("patient1"))
	if err := <-patient; err != nil {
		t.Errorf("the other call: %v", err)
	}
	if err := client.Submit(ctx, id("too late"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call whose ctx has ended: %v", err)
	}
	go s.serve(t, "another1", ack("another1"))
	if err := client.Submit(t.Context(), id("another1"), nil); err != nil {
		t.Errorf("a call after all that: %v", err)
	}
}

// The limit holds calls back, not more than their ctx allows, and an answer makes room,
// also one that no call waits for.
func TestOutstandingIsLimited(t *testing.T) {
	s := script(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() { first <- s.client.Submit(ctx, id("request1"), nil) }()
	s.request(t, "request1")
	cancel()
	<-first

	expired, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.client.Submit(expired, id("request2"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call over the limit: %v, want the end of its ctx", err)
	}
	third := make(chan error)
	go func() { third <- s.client.Submit(t.Context(), id("request3"), nil) }()
	write(t, s.conn, ack("request1"))
	s.request(t, "request3") // and not request2, which never left
	write(t, s.conn, ack("request3"))
	if err := <-third; err != nil {
		t.Error(err)
	}
}

func TestCloseEndsCalls(t *testing.T) {
	s := script(t, 2)
	calls := make(chan error)
	for range 3 { // one waits for room
		go func() { calls <- s.client.Submit(t.Context(), id("unheard1"), nil) }()
	}
	s.request(t, "unheard1")
	s.request(t, "unheard1")
	if err := s.client.Close(); err != nil {
		t.Error(err)
	}
	for range 3 {
		if err := <-calls; !errors.Is(err, framed.ErrClientClosed) {
			t.Errorf("a call at Close: %v, want ErrClientClosed", err)
		}
	}
	if err := s.client.Conn(t.Context(), id("too late")); !errors.Is(err, framed.ErrClientClosed) {
		t.Errorf("a call after Close: %v, want ErrClientClosed", err)
	}
	if err := s.client.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// When the server goes, every call fails, at last with the one reason, and the goroutines
// are gone without a Close: see TestMain.
func TestServerEndsCalls(t *testing.T) {
	for name, tc := range map[string]struct {
		answer []byte
		want   error
	}{
		"no answer":      {nil, io.ErrUnexpectedEOF},
		"part of one":    {ack("request1")[:5], io.ErrUnexpectedEOF},
		"its own answer": {ack("request1"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := script(t, 10)
			go func() {
				s.serve(t, "request1", tc.answer)
				s.conn.Close()
			}()
			if err := s.client.Submit(t.Context(), id("request1"), nil); !errors.Is(err, tc.want) {
				t.Errorf("the call under way: %v, want %v", err, tc.want)
			}
			second := s.client.Submit(t.Context(), id("request2"), nil)
			third := s.client.Submit(t.Context(), id("request2"), nil)
			if second == nil || third == nil || second.Error() != third.Error() {
				t.Errorf("later calls: %v, then %v, want one reason", second, third)
			}
		})
	}
}

// A request that is refused is the business of its caller alone.
func TestRejectedCallLeavesTheConnection(t *testing.T) {
	s := script(t, 10)
	go s.serve(t, "rejected", framed.AppendAck(nil,
		framed.Ack{Command: framed.CommandSubmitAck, ID: id("rejected"), Result: 3}))
	err := s.client.Submit(t.Context(), id("rejected"), nil)
	if !errors.Is(err, framed.ErrRejected) || !strings.Contains(err.Error(), "result 3") {
		t.Errorf("Submit: %v, want ErrRejected with the result", err)
	}
	go s.serve(t, "accepted", ack("accepted"))
	if err := s.client.Submit(t.Context(), id("accepted"), nil); err != nil {
		t.Errorf("after a rejection: %v", err)
	}
}

func TestAnswerWithoutARequestBreaksTheConnection(t *testing.T) {
	s := script(t, 10)
	write(t, s.conn, ack("uncalled"))
	if _, err := s.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Fatalf("the server's end: %v, want the client gone", err)
	}
	err := s.client.Submit(t.Context(), id("request1"), nil)
	if err == nil || !strings.Contains(err.Error(), `answer to "uncalled"`) {
		t.Errorf("Submit: %v, want the reason", err)
	}
}

func TestCallsAllocateNothing(t *testing.T) {
	client := connect(t, start(t, framed.Config{}).Addr)
	payload, name := make([]byte, 100), id("allocate")
	ctx := t.Context()
	allocs := testing.AllocsPerRun(1000, func() {
		if err := client.Submit(ctx, name, payload); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for a call, client, server and runtime, want 0", allocs)
	}
}

// scripted is a client whose server is the test.
type scripted struct {
	client *framed.Client
	conn   net.Conn // the server's end
}

func script(t *testing.T, outstanding int) scripted {
	t.Helper()
	ln := servicetest.Listen(t)
	defer ln.Close()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	served, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	s := scripted{framed.NewClient(conn, outstanding), served}
	t.Cleanup(func() {
		served.Close()
		s.client.Close()
	})
	return s
}

// request reads one smallest submit and checks that it is name's.
func (s scripted) request(t *testing.T, name string) {
	t.Helper()
	want := submit(name, "")
	got := make([]byte, len(want))
	if _, err := io.ReadFull(s.conn, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("request is %x, %v, want %x", got, err, want)
	}
}

// serve answers name's submit.
func (s scripted) serve(t *testing.T, name string, answer []byte) {
	s.request(t, name)
	if _, err := s.conn.Write(answer); err != nil {
		t.Error(err)
	}
}
