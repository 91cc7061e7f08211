package framed_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/services/framed"
)

// Shutdown answers what was read, half a frame apart, and then ends the connection.
func TestShutdownAnswersWhatWasRead(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		conn := r.dial(t)
		write(t, conn, append(submits(3), submit("halfdone", "")[:9]...))
		r.await(t, "three requests", func(c framed.Counters) bool { return c.Requests == 3 })

		answers := make(chan []byte, 1)
		go func() {
			b, err := io.ReadAll(conn)
			if err != nil {
				t.Errorf("read answers: %v", err)
			}
			conn.Close()
			answers <- b
		}()
		if err := r.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if got := <-answers; !bytes.Equal(got, acks(3)) {
			t.Errorf("got %x, want 3 answers", got)
		}
		if c := r.Counters(); c.Connected != 0 || c.Responses != 3 {
			t.Errorf("counters are %+v, want nobody connected and 3 responses", c)
		}
		if _, err := net.Dial("tcp", r.addr); err == nil {
			t.Error("the port still accepts after Shutdown")
		}
	})
}

// Under load, a shutdown cuts between answers: no client sees part of one.
func TestShutdownUnderLoad(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		var clients sync.WaitGroup
		for range 4 {
			conn := r.dial(t)
			clients.Go(func() {
				for requests := submits(100); ; {
					if _, err := conn.Write(requests); err != nil {
						return // the server has gone
					}
				}
			})
			clients.Go(func() {
				n, _ := io.Copy(io.Discard, conn)
				if n%framed.AckSize != 0 {
					t.Errorf("%d bytes of answers: the last one is torn", n)
				}
				conn.Close() // releases the sender
			})
		}
		r.await(t, "load", func(c framed.Counters) bool { return c.Responses > 5000 })
		if err := r.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		clients.Wait()
	})
}

// A client that does not read cannot hold a shutdown up for longer than ctx allows.
func TestShutdownGivesUpOnTime(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := startOn(t, narrowListener(t), framed.Config{Stage: stage.Name, WriteTimeout: time.Hour})
		sendUntilHeldBack(t, narrow(r.dial(t)))
		expired, cancel := context.WithCancel(context.Background())
		cancel()
		err := r.Shutdown(expired)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1 connections closed with answers owed") {
			t.Errorf("Shutdown: %v, want the connection that was given up", err)
		}
	})
}

func TestServeRefusesMisuse(t *testing.T) {
	r := start(t, framed.Config{})
	listen := func() net.Listener {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return ln
	}
	r.mustServe(t) // Serve has begun
	if err := r.Serve(listen()); !errors.Is(err, framed.ErrServing) {
		t.Errorf("second Serve: %v, want ErrServing", err)
	}
	if err := r.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if err := r.Serve(listen()); !errors.Is(err, framed.ErrShutdown) {
		t.Errorf("Serve after Shutdown: %v, want ErrShutdown", err)
	}
}

// A listener that somebody else closes is an error, and not the end of a shutdown.
func TestServeReportsALostListener(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := framed.New(framed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := server.Serve(ln); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v, want net.ErrClosed", err)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}
