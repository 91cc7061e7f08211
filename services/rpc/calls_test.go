package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// eachPair runs story once for each stage of client and of server.
func eachPair(t *testing.T, story func(t *testing.T, client, server string)) {
	t.Helper()
	for _, c := range rpc.Stages {
		for _, s := range rpc.Stages {
			t.Run(c.Name+" to "+s.Name, func(t *testing.T) { story(t, c.Name, s.Name) })
		}
	}
}

// waiter is a handler that says when it is called and waits until it is told to go on,
// or its context ends.
type waiter struct {
	called chan string
	goOn   chan struct{}
	ended  chan error
}

func newWaiter() *waiter {
	return &waiter{called: make(chan string, 100), goOn: make(chan struct{}), ended: make(chan error, 100)}
}

const waitPath = "/wait"

func (w *waiter) register(s *rpc.Server) error {
	return rpc.Register(s, waitPath, func(ctx context.Context, req *request1) (*reply1, error) {
		w.called <- req.Msg
		select {
		case <-w.goOn:
			return &reply1{Msg: "late " + req.Msg}, nil
		case <-ctx.Done():
			w.ended <- ctx.Err()
			return nil, ctx.Err()
		}
	})
}

// Many callers at a time get each their own answer.
func TestEveryCallerGetsItsOwnAnswer(t *testing.T) {
	eachPair(t, func(t *testing.T, from, to string) {
		r := start(t, rpc.Config{Stage: to}, registerZoo)
		c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: time.Minute, Conns: 3, Window: 8})
		var callers sync.WaitGroup
		for caller := range 20 {
			callers.Go(func() {
				for i := range 25 {
					msg := fmt.Sprintf("%d of %d %s", i, caller, strings.Repeat(".", i*caller))
					path := []string{"/zoo.Zoo/Echo", "/zoo.Inline/Echo"}[i%2]
					var reply helloworld.HelloReply
					if err := c.Call(context.Background(), path, &request1{Msg: msg}, &reply); err != nil || reply.Msg != msg {
						t.Errorf("%s: %q, %v, want %q", path, reply.Msg, err, msg)
						return
					}
				}
			})
		}
		callers.Wait()
		if err := c.Ping(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// An answer with a code is an error with that code and message, and its metadata comes
// with it.
func TestErrorsCarryCodeAndMessage(t *testing.T) {
	eachPair(t, func(t *testing.T, from, to string) {
		r := start(t, rpc.Config{Stage: to}, registerZoo)
		c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: time.Minute})
		var got rpc.Metadata
		ctx := rpc.CaptureMetadata(context.Background(), &got)
		err := c.Call(ctx, "/zoo.Zoo/Refuse", &request1{Msg: "it"}, new(reply1))
		var e *rpc.Error
		if !errors.As(err, &e) || *e != (rpc.Error{Code: 1234, Message: "refused it"}) || rpc.CodeOf(err) != 1234 {
			t.Errorf("error is %v", err)
		}
		if string(got["why"]) != "it" || len(got) != 2 {
			t.Errorf("metadata of the answer is %q", got)
		}
		if err := c.Call(context.Background(), "/missing", &request1{}, new(reply1)); rpc.CodeOf(err) != rpc.CodeNotFound {
			t.Errorf("unknown path: %v", err)
		}
		hello(t, c)
	})
}

// Metadata goes both ways, and the call's end goes with it.
func TestMetadataGoesBothWays(t *testing.T) {
	eachPair(t, func(t *testing.T, from, to string) {
		r := start(t, rpc.Config{Stage: to}, registerZoo)
		c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: time.Minute})
		for _, service := range []string{"/zoo.Zoo/", "/zoo.Inline/"} {
			var got rpc.Metadata
			ctx := rpc.WithMetadata(context.Background(), rpc.Metadata{"key": []byte("value"), "other": nil})
			var reply reply1
			err := c.Call(rpc.CaptureMetadata(ctx, &got), service+"Metadata", &request1{}, &reply)
			if err != nil || reply.Msg != "value" || string(got["key"]) != "value" || string(got["also"]) != "this" {
				t.Errorf("%s: %v, reply %q, metadata %q", service, err, reply.Msg, got)
			}
			if err := c.Call(ctx, service+"Timeout", &request1{}, &reply); err != nil || reply.Msg != "some" {
				t.Errorf("%s: end of the call at the server: %q, %v", service, reply.Msg, err)
			}
		}
		bad := rpc.WithMetadata(context.Background(), rpc.Metadata{"\xff": nil})
		if err := c.Call(bad, helloworld.Path, &request1{}, new(reply1)); err == nil {
			t.Error("a key that is not UTF-8 was sent")
		}
		hello(t, c)
	})
}

// A call that times out is over on both sides, and its late answer meets no other call.
func TestCallThatTimesOutIsOver(t *testing.T) {
	eachPair(t, func(t *testing.T, from, to string) {
		w := newWaiter()
		r := start(t, rpc.Config{Stage: to}, w.register, registerZoo)
		for name, call := range map[string]func() error{
			"the client's timeout": func() error {
				c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: 50 * time.Millisecond})
				return c.Call(context.Background(), waitPath, &request1{Msg: "a"}, new(reply1))
			},
			"the context's": func() error {
				c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: time.Hour})
				ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
				defer cancel()
				return c.Call(ctx, waitPath, &request1{Msg: "a"}, new(reply1))
			},
		} {
			// The server may be the first to see that the time is up: then it says so.
			if err := call(); !errors.Is(err, context.DeadlineExceeded) && rpc.CodeOf(err) != rpc.CodeDeadline {
				t.Errorf("%s: %v, want that the time is up", name, err)
			}
			if err := <-w.ended; !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: the handler's context ended with %v", name, err)
			}
		}
	})
}

// A caller that cancels is gone at once; the answer that comes later is dropped.
func TestLateAnswerMeetsNoOtherCall(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		w := newWaiter()
		r := start(t, rpc.Config{}, w.register, registerZoo)
		c := r.client(t, rpc.ClientConfig{Stage: stage.Name, Timeout: time.Minute, Conns: 1, Window: 4})
		ctx, cancel := context.WithCancelCause(context.Background())
		gone := errors.New("the caller is gone")
		over := make(chan error)
		go func() { over <- c.Call(ctx, waitPath, &request1{Msg: "a"}, new(reply1)) }()
		<-w.called
		cancel(gone)
		if err := <-over; !errors.Is(err, gone) {
			t.Errorf("canceled call: %v, want the cause", err)
		}
		for range 20 { // around the window, past the slot that is still owed an answer
			hello(t, c)
		}
		close(w.goOn)
		for i := range 20 {
			msg := fmt.Sprint("after ", i)
			var reply reply1
			if err := c.Call(context.Background(), "/zoo.Inline/Echo", &request1{Msg: msg}, &reply); err != nil || reply.Msg != msg {
				t.Errorf("%q, %v, want %q", reply.Msg, err, msg)
			}
		}
	})
}

// Requests that want no answer are served, and cost no place in the window.
func TestSend(t *testing.T) {
	eachPair(t, func(t *testing.T, from, to string) {
		got := make(chan string, 100)
		r := start(t, rpc.Config{Stage: to}, func(s *rpc.Server) error {
			return rpc.RegisterInline(s, "/note", func(_ context.Context, req *request1, _ *reply1) error {
				got <- req.Msg
				return nil
			})
		})
		c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: time.Minute, Conns: 1, Window: 2})
		for i := range 10 {
			if err := c.Send(context.Background(), "/note", &request1{Msg: fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
			if msg := <-got; msg != fmt.Sprint(i) {
				t.Errorf("got %q, want %d", msg, i)
			}
		}
		hello(t, c)
	})
}

// Callers beyond the window wait for a place, and get one.
func TestCallersWaitForRoom(t *testing.T) {
	w := newWaiter()
	r := start(t, rpc.Config{}, w.register)
	c := r.client(t, rpc.ClientConfig{Timeout: time.Minute, Conns: 1, Window: 4})
	var callers sync.WaitGroup
	for range 40 {
		callers.Go(func() {
			var reply reply1
			if err := c.Call(context.Background(), waitPath, &request1{Msg: "x"}, &reply); err != nil || reply.Msg != "late x" {
				t.Errorf("%q, %v", reply.Msg, err)
			}
		})
	}
	for range 4 {
		<-w.called
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := c.Call(ctx, waitPath, &request1{}, new(reply1)); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "room") {
		t.Errorf("a call that finds no room: %v", err)
	}
	if n := r.Counters().Calls; n != 4 {
		t.Errorf("%d calls at the server, want the window", n)
	}
	close(w.goOn)
	callers.Wait()
}

// What cannot be sent is refused before it is, and harms no other call.
func TestWhatCannotBeSent(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		r := start(t, rpc.Config{}, registerZoo)
		c := r.client(t, rpc.ClientConfig{Stage: stage.Name, Timeout: time.Minute, MaxBody: 10_000})
		for name, call := range map[string]func() error{
			"request over the limit": func() error {
				return c.Call(context.Background(), helloworld.Path, &request1{Msg: strings.Repeat("x", 10_000)}, new(reply1))
			},
			"argument that cannot be encoded": func() error {
				return c.Call(context.Background(), helloworld.Path, make(chan int), new(reply1))
			},
			"path that is not UTF-8": func() error {
				return c.Call(context.Background(), "\xff", &request1{}, new(reply1))
			},
			"reply that is not a pointer": func() error {
				return c.Call(context.Background(), helloworld.Path, &request1{}, struct{ Msg string }{})
			},
			"context that is over": func() error {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				return c.Call(ctx, helloworld.Path, &request1{}, new(reply1))
			},
			"answer over the limit": func() error {
				return c.Call(context.Background(), "/zoo.Zoo/Large", &request1{}, new(reply1))
			},
		} {
			if err := call(); err == nil {
				t.Errorf("%s: no error", name)
			} else if !strings.HasPrefix(err.Error(), "call ") {
				t.Errorf("%s: %v does not say which call", name, err)
			}
			hello(t, c)
		}
	})
}

// Interceptors stand around the calls of both sides, the first outermost, inline calls
// included.
func TestInterceptors(t *testing.T) {
	eachPair(t, func(t *testing.T, from, to string) {
		trace := func(name string) rpc.Interceptor {
			return func(ctx context.Context, path string, req any, next rpc.Handler) (any, error) {
				if path != "/zoo.Zoo/Echo" && path != "/zoo.Inline/Echo" {
					return nil, rpc.Errorf(2000, "%s does not let %s pass", name, path)
				}
				reply, err := next(ctx, req)
				if err == nil {
					reply.(*reply1).Msg += " " + name
				}
				return reply, err
			}
		}
		r := start(t, rpc.Config{Stage: to, Interceptors: []rpc.Interceptor{trace("outer"), trace("inner")}}, registerZoo)
		tries := 0
		c := r.client(t, rpc.ClientConfig{Stage: from, Timeout: time.Minute, Interceptors: []rpc.ClientInterceptor{
			func(ctx context.Context, path string, req, reply any, next rpc.Invoker) error {
				err := next(ctx, path, req, reply)
				if rpc.CodeOf(err) == 2000 && tries == 0 {
					tries++
					err = next(ctx, path, req, reply)
				}
				return err
			},
			func(ctx context.Context, path string, req, reply any, next rpc.Invoker) error {
				req.(*request1).Msg += "!"
				return next(ctx, path, req, reply)
			},
		}})
		for _, path := range []string{"/zoo.Zoo/Echo", "/zoo.Inline/Echo"} {
			var reply reply1
			if err := c.Call(context.Background(), path, &request1{Msg: "hi"}, &reply); err != nil || reply.Msg != "hi! inner outer" {
				t.Errorf("%s: %q, %v", path, reply.Msg, err)
			}
		}
		req := &request1{Msg: "hi"}
		err := c.Call(context.Background(), helloworld.Path, req, new(reply1))
		if rpc.CodeOf(err) != 2000 || !strings.Contains(err.Error(), "outer does not let") || req.Msg != "hi!!" || tries != 1 {
			t.Errorf("%v after %d more tries with %q", err, tries, req.Msg)
		}
		if err := c.Send(context.Background(), "/zoo.Zoo/Echo", &request1{}); err != nil {
			t.Error(err)
		}
	})
}

// A client survives its server: it dials again.
func TestClientDialsAgain(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		first, stop := startOn(t, ln, rpc.Config{})
		c := first.client(t, rpc.ClientConfig{Stage: stage.Name, Timeout: time.Minute})
		hello(t, c)
		stop()
		if err := c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1)); err == nil {
			t.Error("a call without a server succeeded")
		}
		if ln, err = net.Listen("tcp", first.Addr); err != nil {
			t.Skipf("the port was taken by another program: %v", err)
		}
		_, stop = startOn(t, ln, rpc.Config{})
		defer stop()
		eventually(t, "a call that succeeds", func() bool {
			return c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1)) == nil
		})
		hello(t, c)
		c.Close()
	})
}

// Close ends the calls under way, and there are none after it.
func TestCloseEndsCalls(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		w := newWaiter()
		r := start(t, rpc.Config{}, w.register)
		defer close(w.goOn)
		c := r.client(t, rpc.ClientConfig{Stage: stage.Name, Timeout: time.Minute})
		over := make(chan error)
		go func() { over <- c.Call(context.Background(), waitPath, &request1{}, new(reply1)) }()
		<-w.called
		c.Close()
		if err := <-over; !errors.Is(err, rpc.ErrClosed) {
			t.Errorf("call under way: %v, want ErrClosed", err)
		}
		if err := c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1)); !errors.Is(err, rpc.ErrClosed) {
			t.Errorf("call after Close: %v, want ErrClosed", err)
		}
		c.Close()
	})
}
