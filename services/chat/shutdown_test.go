package chat_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

// Shutdown acks what was read, half a frame apart, and then ends the connection.
func TestShutdownAcksWhatWasRead(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		conn := r.member(t, "ann", "hall")
		half := chat.AppendMessage(nil, 9, []byte("half of it"))[:12]
		write(t, conn, append(chat.AppendPing(chat.AppendPing(nil, 3), 4), half...))
		r.await(t, "two pings", func(c chat.Counters) bool { return c.Requests == 4 })

		got := make(chan []byte, 1)
		go func() {
			b, err := io.ReadAll(conn)
			if err != nil {
				t.Errorf("read acks: %v", err)
			}
			conn.Close()
			got <- b
		}()
		must(t, r.Shutdown(context.Background()))
		want := chat.AppendAck(chat.AppendAck(nil, 3, chat.Accepted), 4, chat.Accepted)
		if b := <-got; !bytes.Equal(b, want) {
			t.Errorf("got %x, want %x", b, want)
		}
		if c := r.Counters(); c.Connected != 0 {
			t.Errorf("counters are %+v, want none connected", c)
		}
		if _, err := net.Dial("tcp", r.Addr); err == nil {
			t.Error("the port still accepts after Shutdown")
		}
	})
}

// Under load, a shutdown cuts between frames: no client sees part of one,
// from any writer.
func TestShutdownUnderLoad(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage, QueueBytes: 1 << 30, QueueTotalBytes: 1 << 30})
		var conns []net.Conn
		for i := range 4 {
			conns = append(conns, r.member(t, fmt.Sprint("user-", i), "hall"))
		}
		var clients sync.WaitGroup
		for _, conn := range conns {
			acked := make(chan struct{}, 4)
			clients.Go(func() {
				for request := chat.AppendMessage(nil, 1, noise(1000)); ; {
					if _, err := conn.Write(request); err != nil {
						return // the server has gone
					}
					if _, open := <-acked; !open {
						return
					}
				}
			})
			clients.Go(func() {
				defer conn.Close() // releases the sender
				defer close(acked)
				readWholeFrames(t, conn, acked)
			})
		}
		r.await(t, "load", func(c chat.Counters) bool { return c.Deliveries > 100 })
		if err := r.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		clients.Wait()
		if t.Failed() {
			t.Logf("counters are %+v, log is\n%s", r.Counters(), r.Log)
		}
	})
}

// readWholeFrames reads until the server ends the connection, which has to be between
// two frames, and says when an ack comes.
func readWholeFrames(t *testing.T, conn io.Reader, acked chan<- struct{}) {
	in := bufio.NewReader(conn)
	for {
		head, err := in.Peek(chat.HeaderSize)
		if err == io.EOF && len(head) == 0 {
			return
		}
		if err != nil {
			t.Errorf("after %d bytes of a frame: %v", len(head), err)
			return
		}
		ack := chat.Command(head[4]) == chat.CommandAck
		if n, err := in.Discard(int(head[2])<<8 | int(head[3])); err != nil {
			t.Errorf("after %d bytes of a frame: %v", n, err)
			return
		}
		if ack {
			acked <- struct{}{}
		}
	}
}

// A client that does not read cannot hold a shutdown up for longer than ctx allows.
func TestShutdownGivesUpOnTime(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), chat.Config{Stage: stage, WriteTimeout: time.Hour, QueueBytes: 1 << 30, QueueTotalBytes: 1 << 30})
		conn := servicetest.Narrow(r.member(t, "deaf", "hall"))
		if stage == "final" { // queues, and does not hold back
			write(t, conn, bytes.Repeat(chat.AppendPing(nil, 1), 100_000))
			r.await(t, "the requests", func(c chat.Counters) bool { return c.Requests == 100_002 })
		} else {
			sendUntilStopped(t, conn)
		}
		servicetest.GivesUpOnTime(t, r)
	})
}

func TestServeRefusesMisuse(t *testing.T) {
	r := start(t, chat.Config{})
	r.mustServe(t) // Serve has begun
	servicetest.RefusesMisuse(t, r, chat.ErrServing, chat.ErrShutdown)
}

// A listener that is closed without Shutdown is an error, and not the end of a shutdown.
func TestServeReportsALostListener(t *testing.T) {
	server, err := chat.New(chat.Config{})
	servicetest.ReportsALostListener(t, server, err)
}
