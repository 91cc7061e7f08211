package framed_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

// Shutdown answers what was read, half a frame apart, and then ends the connection.
func TestShutdownAnswersWhatWasRead(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		conn := r.Dial(t)
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
			t.Errorf("counters are %+v, want none connected and 3 responses", c)
		}
		if _, err := net.Dial("tcp", r.Addr); err == nil {
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
			conn := r.Dial(t)
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
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), framed.Config{Stage: stage.Name, WriteTimeout: time.Hour})
		servicetest.SendUntilStopped(t, servicetest.Narrow(r.Dial(t)), submits(200))
		servicetest.GivesUpOnTime(t, r)
	})
}

func TestServeRefusesMisuse(t *testing.T) {
	r := start(t, framed.Config{})
	r.mustServe(t) // Serve has begun
	servicetest.RefusesMisuse(t, r, framed.ErrServing, framed.ErrShutdown)
}

// A listener that is closed without Shutdown is an error, and not the end of a shutdown.
func TestServeReportsALostListener(t *testing.T) {
	server, err := framed.New(framed.Config{})
	servicetest.ReportsALostListener(t, server, err)
}
