package tlsidle_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/tlsidle"
)

// Shutdown closes idle connections in order, at once.
func TestShutdownClosesTheIdle(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage})
		const clients = 5
		var conns []*tls.Conn
		for range clients {
			conn := r.dial(t, 0)
			write(t, conn, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
			b := make([]byte, 1)
			if _, err := io.ReadFull(conn, b); err != nil {
				t.Fatal(err)
			}
			conns = append(conns, conn)
		}
		if err := r.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		for _, conn := range conns {
			if rest, err := io.ReadAll(conn); err != nil || !strings.HasSuffix(string(rest), "\r\n\r\n") {
				t.Errorf("client got %q, %v; want the rest of an answer and the end", rest, err)
			}
		}
		if c := r.Counters(); c.Connected != 0 {
			t.Errorf("%d connected after Shutdown", c.Connected)
		}
		if _, err := net.Dial("tcp", r.Addr); err == nil {
			t.Error("the port still accepts after Shutdown")
		}
	})
}

// Shutdown ends clients that are anywhere on their way, too.
func TestShutdownEndsSlowClients(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		for _, kind := range slow {
			r := start(t, tlsidle.Config{Stage: stage})
			kind.begin(t, r)
			r.await(t, "the client", func(c tlsidle.Counters) bool { return c.Connected == 1 })
			if err := r.Shutdown(context.Background()); err != nil {
				t.Errorf("%s: Shutdown: %v", kind.name, err)
			}
			if c := r.Counters(); c.Connected != 0 {
				t.Errorf("%s: still connected after Shutdown", kind.name)
			}
		}
	})
}

// Under load, no client sees part of an answer.
func TestShutdownUnderLoad(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage})
		var clients sync.WaitGroup
		defer clients.Wait()
		for range 8 {
			conn := r.dial(t, 0)
			clients.Go(func() {
				for {
					if _, err := io.WriteString(conn, good+good); err != nil {
						return // the server has gone
					}
				}
			})
			clients.Go(func() {
				// The server may reset the connection while requests are on their way to it.
				got, _ := io.ReadAll(conn)
				if n := strings.Count(string(got), "HTTP/1.1 200"); n != strings.Count(string(got), string(tlsidle.Document())) {
					t.Errorf("%d heads of answers: the last answer is torn", n)
				}
				conn.NetConn().Close() // releases the sender
			})
		}
		r.await(t, "load", func(c tlsidle.Counters) bool { return c.Responses > 100 })
		if err := r.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
	})
}

// A client that does not read cannot hold a shutdown up for longer than ctx allows.
func TestShutdownGivesUpOnTime(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), tlsidle.Config{Stage: stage, WriteTimeout: time.Hour})
		raw := servicetest.Narrow(r.Dial(t))
		conn := handshake(t, raw, 0)
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			io.WriteString(conn, strings.Repeat(good, 1000))
		}()
		r.await(t, "an answer under way", func(c tlsidle.Counters) bool { return c.Requests > 0 })
		servicetest.GivesUpOnTime(t, r)
		conn.NetConn().Close()
		<-sent
	})
}

// Connections beyond the limit are closed, counted and logged; places come back.
func TestLimitOfConnections(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage, MaxConns: 2})
		first, second := r.dial(t, 0), r.dial(t, 0)
		if _, err := tls.Dial("tcp", r.Addr, clientConfig(0)); err == nil {
			t.Error("a third client got in")
		}
		r.await(t, "the refusal", func(c tlsidle.Counters) bool {
			return c.Ended[tlsidle.CauseRefused] == 1 && strings.Contains(r.Log.String(), tlsidle.CauseRefused.String())
		})
		first.Close()
		r.await(t, "the first client's end", func(c tlsidle.Counters) bool { return c.Connected == 1 })
		r.mustServe(t)
		second.Close()
	})
}

// A flood of faults is counted in full and logged in part.
func TestFloodOfFaultsIsBounded(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage})
		const flood = 60
		for range flood {
			conn := r.Dial(t)
			write(t, conn, "GET / HTTP/1.1\r\n\r\n") // no TLS
			io.ReadAll(conn)
		}
		r.await(t, "every fault", func(c tlsidle.Counters) bool { return c.Ended[tlsidle.CauseHandshake] == flood })
		if err := r.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if n := strings.Count(r.Log.String(), "\n"); n >= flood || !strings.Contains(r.Log.String(), "suppressed=") {
			t.Errorf("%d lines for %d faults:\n%s", n, flood, r.Log)
		}
	})
}

// A client that vanishes frees its place.
func TestVanishedClients(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage})
		for i := range 20 {
			raw := r.Dial(t)
			conn := handshake(t, raw, 0)
			write(t, conn, good[:i])
			if i%2 == 0 {
				raw.SetLinger(0) // a reset
			}
			raw.Close()
		}
		r.await(t, "the end of all", func(c tlsidle.Counters) bool { return c.Accepted == 20 && c.Connected == 0 })
		r.mustServe(t)
	})
}

func TestServeRefusesMisuse(t *testing.T) {
	r := start(t, tlsidle.Config{})
	r.mustServe(t) // Serve has begun
	servicetest.RefusesMisuse(t, r, tlsidle.ErrServing, tlsidle.ErrShutdown)
}

// A listener that is closed without Shutdown is an error, and not the end of a shutdown.
func TestServeReportsALostListener(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		server, err := tlsidle.New(tlsidle.Config{Stage: stage})
		servicetest.ReportsALostListener(t, server, err)
	})
}

// A server that never served needs no shutdown, and survives one.
func TestShutdownWithoutServe(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		server, err := tlsidle.New(tlsidle.Config{Stage: stage})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := server.Shutdown(t.Context()); err != nil {
				t.Errorf("Shutdown: %v", err)
			}
		}
	})
}
