package rpc_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eachStage runs story once for each stage.
func eachStage(t *testing.T, story func(t *testing.T, stage rpc.Stage)) {
	t.Helper()
	servicetest.EachStage(t, rpc.Stages, story)
}

// running is a server on a loopback port, and the lines that it logs.
type running struct {
	*rpc.Server
	servicetest.Running
}

// start serves helloworld and what register adds, until the test ends; the server must
// then shut down in order.
func start(t testing.TB, cfg rpc.Config, register ...func(*rpc.Server) error) *running {
	t.Helper()
	r, stop := startOn(t, servicetest.Listen(t), cfg, register...)
	t.Cleanup(stop)
	return r
}

// startOn is start on ln; the caller stops it.
func startOn(t testing.TB, ln net.Listener, cfg rpc.Config, register ...func(*rpc.Server) error) (*running, func()) {
	t.Helper()
	r := new(running)
	var stop func()
	r.Server, r.Running, stop = servicetest.Start(t, ln, func(log *slog.Logger) (*rpc.Server, error) {
		cfg.Log = log
		return greeter(cfg, register...)
	})
	return r, stop
}

// greeter makes a server of helloworld and what register adds.
func greeter(cfg rpc.Config, register ...func(*rpc.Server) error) (*rpc.Server, error) {
	s, err := rpc.New(cfg)
	if err != nil {
		return nil, err
	}
	for _, add := range append(register, helloworld.Register) {
		if err := add(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// client makes a client of the server, closed when the test ends.
func (r *running) client(t testing.TB, cfg rpc.ClientConfig) *rpc.Client {
	t.Helper()
	cfg.Addr = r.Addr
	return client(t, cfg)
}

func client(t testing.TB, cfg rpc.ClientConfig) *rpc.Client {
	t.Helper()
	c, err := rpc.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// hello calls SayHello and wants its answer.
func hello(t testing.TB, c *rpc.Client) {
	t.Helper()
	var reply helloworld.HelloReply
	err := c.Call(context.Background(), helloworld.Path, &helloworld.HelloRequest{Msg: "hello"}, &reply)
	if err != nil || reply.Msg != "world" {
		t.Errorf("call: %q, %v, want world", reply.Msg, err)
	}
}

// mustServe checks that a client that comes now is served.
func (r *running) mustServe(t testing.TB) {
	t.Helper()
	c := r.client(t, rpc.ClientConfig{Stage: "naive", Timeout: time.Minute})
	hello(t, c)
	c.Close()
}

// await waits until the counters are as wanted; the test's own deadline bounds it.
func (r *running) await(t testing.TB, what string, ok func(rpc.Counters) bool) {
	t.Helper()
	servicetest.Await(t, what, r.Counters, ok)
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	servicetest.Await(t, what, ok, func(so bool) bool { return so })
}

// frame is a frame with body.
func frame(h rpc.Header, body []byte) []byte {
	h.Length = uint32(len(body))
	return append(rpc.AppendHeader(nil, h), body...)
}

// request is a call of path as a frame.
func request(stream uint16, path string, payload []byte) []byte {
	return frame(rpc.Header{Stream: stream}, rpc.AppendRequest(nil, &rpc.Request{ServicePath: path, Payload: payload}))
}

// helloRequest is a call of SayHello with "hello" as a frame, helloAnswer its answer.
func helloRequest(stream uint16) []byte {
	return request(stream, helloworld.Path, []byte("\x81\xa3Msg\xa5hello"))
}

func helloAnswer(stream uint16) []byte {
	return frame(rpc.Header{Stream: stream}, rpc.AppendResponse(nil, &rpc.Response{Payload: []byte("\x81\xa3Msg\xa5world")}))
}

// readAnswer reads one frame whole.
func readAnswer(t testing.TB, conn net.Conn) (rpc.Header, []byte) {
	t.Helper()
	b := make([]byte, rpc.HeaderSize)
	if _, err := io.ReadFull(conn, b); err != nil {
		t.Fatalf("read header of answer: %v", err)
	}
	h, err := rpc.DecodeHeader(b)
	if err != nil {
		t.Fatalf("answer %x: %v", b, err)
	}
	body := make([]byte, h.Length)
	if _, err := io.ReadFull(conn, body); err != nil {
		t.Fatalf("read answer: %v", err)
	}
	return h, append(b, body...)
}

// write writes all.
var write = servicetest.Write
