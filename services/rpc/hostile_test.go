package rpc_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// A server that answers nonsense costs the call, and the connection where it is unknown
// how it goes on; the client says what was wrong.
func TestNonsenseFromTheServer(t *testing.T) {
	answer := func(change func(h *rpc.Header, body *[]byte)) func(rpc.Header) []byte {
		return func(asked rpc.Header) []byte {
			h, body := rpc.Header{Stream: asked.Stream}, rpc.AppendResponse(nil, &rpc.Response{Payload: []byte("\x81\xa3Msg\xa5world")})
			change(&h, &body)
			return frame(h, body)
		}
	}
	for name, c := range map[string]struct {
		answer func(asked rpc.Header) []byte
		want   string
	}{
		"another stream id":        {answer(func(h *rpc.Header, _ *[]byte) { h.Stream += 1 }), "stream"},
		"stream id of another use": {answer(func(h *rpc.Header, _ *[]byte) { h.Stream ^= 0x8000 }), "stream"},
		"malformed envelope":       {answer(func(_ *rpc.Header, body *[]byte) { *body = []byte{0x12, 0xff} }), "decode response"},
		"no reply":                 {answer(func(_ *rpc.Header, body *[]byte) { *body = nil }), "decode reply"},
		"reply nested deep": {answer(func(_ *rpc.Header, body *[]byte) {
			*body = append([]byte{0x22, 0xe8, 0x07}, strings.Repeat("\x91", 1000)...)
		}), "nested deeper"},
		"wrong magic":            {func(rpc.Header) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") }, "wrong magic 0x48"},
		"length over the limit":  {func(rpc.Header) []byte { return claim(0xFFFFFFFF) }, "body too long"},
		"the end":                {func(rpc.Header) []byte { return nil }, "EOF"},
		"the end within a frame": {func(h rpc.Header) []byte { return helloAnswer(h.Stream)[:20] }, "unexpected EOF"},
	} {
		eachStage(t, func(t *testing.T, stage rpc.Stage) {
			t.Run(name, func(t *testing.T) {
				caller := client(t, rpc.ClientConfig{Stage: stage.Name, Conns: 1, Timeout: time.Minute,
					Dial: func(context.Context) (net.Conn, error) {
						ours, theirs := net.Pipe()
						go func() { // ends with the client
							defer theirs.Close()
							answerWith(theirs, c.answer)
						}()
						return ours, nil
					}})
				for range 2 { // also after dialling again
					err := caller.Call(context.Background(), helloworld.Path, &request1{Msg: "hello"}, new(reply1))
					if err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("call: %v, want an error with %q", err, c.want)
					}
				}
			})
		})
	}
}

// answerWith answers requests until an answer is no frame.
func answerWith(conn net.Conn, answer func(rpc.Header) []byte) {
	for {
		b := make([]byte, rpc.HeaderSize)
		if _, err := io.ReadFull(conn, b); err != nil {
			return
		}
		h, err := rpc.DecodeHeader(b)
		if err != nil {
			return
		}
		if _, err := io.CopyN(io.Discard, conn, int64(h.Length)); err != nil {
			return
		}
		out := answer(h)
		if _, err := conn.Write(out); err != nil || !isFrame(out) {
			return
		}
	}
}

// isFrame says whether b begins with a whole frame.
func isFrame(b []byte) bool {
	if len(b) < rpc.HeaderSize {
		return false
	}
	h, err := rpc.DecodeHeader(b)
	return err == nil && len(b)-rpc.HeaderSize >= int(h.Length)
}

// An answer that comes twice ends the connection; the first one counts.
func TestAnswerThatComesTwice(t *testing.T) {
	c := client(t, rpc.ClientConfig{Conns: 1, Timeout: time.Minute, Dial: func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			answerWith(theirs, func(h rpc.Header) []byte { return append(helloAnswer(h.Stream), helloAnswer(h.Stream)...) })
		}()
		return ours, nil
	}})
	ok := 0
	for range 20 {
		// A call may meet the connection that the one before it ended.
		err := c.Call(context.Background(), helloworld.Path, &request1{Msg: "hello"}, new(reply1))
		switch {
		case err == nil:
			ok++
		case !strings.Contains(err.Error(), "answer to no request") && !strings.Contains(err.Error(), "connection"):
			t.Errorf("call: %v", err)
		}
	}
	if ok == 0 {
		t.Error("no call succeeded")
	}
}

// Dialling that fails fails the call, with the reason.
func TestNoServerListens(t *testing.T) {
	ln := servicetest.Listen(t)
	addr := ln.Addr().String()
	ln.Close()
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		c := client(t, rpc.ClientConfig{Stage: stage.Name, Addr: addr, Timeout: time.Minute})
		err := c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1))
		if err == nil || !strings.Contains(err.Error(), "call "+helloworld.Path+": dial tcp "+addr) {
			t.Errorf("call: %v", err)
		}
		if err := c.Ping(context.Background()); err == nil || !strings.Contains(err.Error(), "ping: dial tcp") {
			t.Errorf("ping: %v", err)
		}
	})
}

// A dial that hangs ends with the call.
func TestDialThatHangs(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		c := client(t, rpc.ClientConfig{Stage: stage.Name, Timeout: 20 * time.Millisecond, Dial: func(ctx context.Context) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		over := make(chan error)
		for range 3 {
			go func() { over <- c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1)) }()
		}
		for range 3 {
			if err := <-over; err == nil || !strings.Contains(err.Error(), context.DeadlineExceeded.Error()) {
				t.Errorf("call: %v", err)
			}
		}
	})
}
