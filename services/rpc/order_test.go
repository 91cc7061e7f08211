package rpc_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// serveUnnumbered serves with answerUnnumbered until the test ends.
func serveUnnumbered(t *testing.T) (addr string) { return servicetest.ServeEach(t, answerUnnumbered) }

// answerUnnumbered answers as the published server does: one request after the other, with
// stream id 0, and calls that want no answer as all others. A heartbeat ends the connection.
// The answer's payload is the request's.
func answerUnnumbered(conn net.Conn) {
	head := make([]byte, rpc.HeaderSize)
	for {
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		h, err := rpc.DecodeHeader(head)
		if err != nil {
			return
		}
		body := make([]byte, h.Length)
		if _, err := io.ReadFull(conn, body); err != nil {
			return
		}
		asked, err := rpc.DecodeRequest(body)
		if err != nil || h.Length == 0 {
			return
		}
		answer := rpc.Response{Message: "success", Payload: asked.Payload}
		if asked.ServicePath == "" {
			answer = rpc.Response{Code: 201, Message: "no service"}
		}
		if _, err := conn.Write(frame(rpc.Header{}, rpc.AppendResponse(nil, &answer))); err != nil {
			return
		}
	}
}

// eachUnnumbered tests a client of each stage on a server that does not repeat stream ids.
func eachUnnumbered(t *testing.T, test func(t *testing.T, client *rpc.Client)) {
	for _, stage := range rpc.Stages {
		t.Run(stage.Name, func(t *testing.T) {
			client, err := rpc.NewClient(rpc.ClientConfig{Stage: stage.Name, Addr: serveUnnumbered(t), Conns: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			test(t, client)
		})
	}
}

// A server that does not repeat stream ids is called by many callers at a time, and each
// gets its own answer.
func TestAnswersWithoutStreamIDs(t *testing.T) {
	eachUnnumbered(t, func(t *testing.T, client *rpc.Client) {
		if err := client.Ping(t.Context()); err == nil {
			t.Error("a heartbeat was answered")
		}
		var callers sync.WaitGroup
		for i := range 20 {
			callers.Go(func() {
				for n := range 20 {
					want := fmt.Sprint("caller ", i, " call ", n)
					var reply helloworld.HelloReply
					if err := client.Call(t.Context(), helloworld.Path, &helloworld.HelloRequest{Msg: want}, &reply); err != nil || reply.Msg != want {
						t.Errorf("%s: got %q, %v", want, reply.Msg, err)
						return
					}
				}
			})
		}
		callers.Wait()
		var failed *rpc.Error
		if err := client.Call(t.Context(), "", &helloworld.HelloRequest{}, new(helloworld.HelloReply)); !errors.As(err, &failed) || failed.Code != 201 {
			t.Errorf("a call that fails: %v", err)
		}
	})
}

// Behind a call that wants no answer it is not known whose an answer without a stream id is.
func TestSendDoesNotGoWithAnswersWithoutStreamIDs(t *testing.T) {
	eachUnnumbered(t, func(t *testing.T, client *rpc.Client) {
		for range 3 {
			if err := client.Send(t.Context(), helloworld.Path, &helloworld.HelloRequest{Msg: "sent"}); err != nil {
				t.Fatal(err)
			}
		}
		var reply helloworld.HelloReply
		err := client.Call(t.Context(), helloworld.Path, &helloworld.HelloRequest{Msg: "called"}, &reply)
		if err == nil || !strings.Contains(err.Error(), "stream") {
			t.Errorf("got %q, %v", reply.Msg, err)
		}
	})
}
