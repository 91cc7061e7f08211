package framed_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"

	"go.uber.org/goleak"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eachStage runs story once for each stage.
func eachStage(t *testing.T, story func(t *testing.T, stage framed.Stage)) {
	t.Helper()
	servicetest.EachStage(t, framed.Stages, story)
}

// running is a server on a loopback port, and the lines that it logs.
type running struct {
	*framed.Server
	servicetest.Running
}

// start serves cfg until the test ends; the server must then shut down in order.
func start(t testing.TB, cfg framed.Config) *running {
	t.Helper()
	return startOn(t, servicetest.Listen(t), cfg)
}

func startOn(t testing.TB, ln net.Listener, cfg framed.Config) *running {
	t.Helper()
	r := new(running)
	var stop func()
	r.Server, r.Running, stop = servicetest.Start(t, ln, func(log *slog.Logger) (*framed.Server, error) {
		cfg.Log = log
		return framed.New(cfg)
	})
	t.Cleanup(stop)
	return r
}

// mustServe checks that a client that comes now is served, in a way that each stage
// can: by a client that ends its side and waits.
func (r *running) mustServe(t testing.TB) {
	t.Helper()
	conn := r.Dial(t)
	got := exchange(t, conn, submit("bystand1", "x"), submit("bystand2", ""))
	if want := append(ack("bystand1"), ack("bystand2")...); !bytes.Equal(got, want) {
		t.Errorf("a bystander got %x, want %x", got, want)
	}
}

// exchange sends the fragments, ends the sending side and returns all that comes back.
func exchange(t testing.TB, conn *net.TCPConn, fragments ...[]byte) []byte {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		for _, f := range fragments {
			if _, err := conn.Write(f); err != nil {
				sent <- err
				return
			}
		}
		sent <- conn.CloseWrite()
	}()
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Errorf("read answers: %v", err)
	}
	if err := <-sent; err != nil {
		t.Errorf("send requests: %v", err)
	}
	return got
}

// read reads exactly n bytes, write writes all.
var read, write = servicetest.Read, servicetest.Write

// await waits until the counters are as wanted; the test's own deadline bounds it.
func (r *running) await(t testing.TB, what string, ok func(framed.Counters) bool) {
	t.Helper()
	servicetest.Await(t, what, r.Counters, ok)
}

// id is a string of 8 bytes as an ID.
func id(s string) framed.ID { return framed.ID([]byte(s)) }

// submit is a submit as a frame, ack its answer.
func submit(name, payload string) []byte {
	return framed.AppendRequest(nil, framed.Submit{Command: framed.CommandSubmit, ID: id(name), Payload: []byte(payload)})
}

func ack(name string) []byte {
	return framed.AppendAck(nil, framed.Ack{Command: framed.CommandSubmitAck, ID: id(name)})
}

// submits is n submits of 37 bytes with ids from 0, acks their answers.
func submits(n int) []byte {
	var b []byte
	for i := range n {
		b = append(b, submit(fmt.Sprintf("%08d", i), "24 bytes of payload data")...)
	}
	return b
}

func acks(n int) []byte {
	var b []byte
	for i := range n {
		b = append(b, ack(fmt.Sprintf("%08d", i))...)
	}
	return b
}
