package tlsidle_test

import (
	"bufio"
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

// slow are ways of being slow: each takes a client to where it does no more.
var slow = []struct {
	name  string
	cause tlsidle.Cause
	begin func(t *testing.T, r *running)
}{
	{"silent", tlsidle.CauseHandshakeSlow, func(t *testing.T, r *running) {
		r.Dial(t)
	}},
	{"half a hello", tlsidle.CauseHandshakeSlow, func(t *testing.T, r *running) {
		write(t, r.Dial(t), hello(t)[:100])
	}},
	{"a hello and no more", tlsidle.CauseHandshakeSlow, func(t *testing.T, r *running) {
		write(t, r.Dial(t), hello(t))
	}},
	{"idle", tlsidle.CauseIdle, func(t *testing.T, r *running) {
		r.dial(t, 0)
	}},
	{"idle after an answer", tlsidle.CauseIdle, func(t *testing.T, r *running) {
		conn := r.dial(t, 0)
		ask(t, conn, bufio.NewReader(conn), "/", 200)
	}},
	{"half a request", tlsidle.CauseRequestSlow, func(t *testing.T, r *running) {
		write(t, r.dial(t, 0), good[:len(good)/2])
	}},
	{"half a request after a whole one", tlsidle.CauseRequestSlow, func(t *testing.T, r *running) {
		write(t, r.dial(t, tls.VersionTLS12), good+good[:len(good)/2])
	}},
	{"half a record", tlsidle.CauseRequestSlow, func(t *testing.T, r *running) {
		held := &holdBack{TCPConn: r.Dial(t)}
		conn := handshake(t, held, 0)
		held.half = true
		write(t, conn, good)
	}},
}

// hello is what a TLS client sends first.
func hello(t *testing.T) string {
	client, server := net.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() { tls.Client(client, clientConfig(0)).Handshake() })
	b := make([]byte, 1<<14)
	n, err := server.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	server.Close()
	wg.Wait()
	client.Close()
	return string(b[:n])
}

// holdBack sends the first half of what is written, once half is set.
type holdBack struct {
	*net.TCPConn
	half bool
}

func (h *holdBack) Write(b []byte) (int, error) {
	n := len(b)
	if h.half {
		b = b[:n/2]
	}
	if _, err := h.TCPConn.Write(b); err != nil {
		return 0, err
	}
	return n, nil
}

// Slow clients, more of each kind than there are workers, hold no other up.
func TestSlowClientsHoldNoOtherUp(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{
			Stage: stage, HandshakeTimeout: time.Hour, RequestTimeout: time.Hour, IdleTimeout: time.Hour,
		})
		const each = 10
		for _, kind := range slow {
			for range each {
				kind.begin(t, r)
			}
		}
		r.await(t, "every slow client", func(c tlsidle.Counters) bool { return c.Connected == each*len(slow) })
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { r.mustServe(t) })
		}
		wg.Wait()
		if c := r.Counters(); c.Connected < each*len(slow) {
			t.Errorf("%d slow clients were ended before their time: %+v", each*len(slow)-c.Connected, c)
		}
	})
}

// More clients that stop within the handshake than parked has places for handshakes
// (256) lose them to those who come after.
func TestStoppedHandshakesMakeRoom(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage, HandshakeTimeout: time.Hour})
		for i, first := range []string{hello(t), hello(t)[:100]} {
			const stopped = 270
			for range stopped {
				write(t, r.Dial(t), first)
			}
			r.await(t, "every stopped client", func(c tlsidle.Counters) bool { return int(c.Accepted) == (stopped+1)*i+stopped })
			r.mustServe(t)
		}
	})
}

// Each way of being slow ends at the timeout that is for it, and is counted under its
// name.
func TestSlowClientsAreLetGo(t *testing.T) {
	const soon = 50 * time.Millisecond
	for _, kind := range slow {
		t.Run(kind.name, func(t *testing.T) {
			ownStages(t, func(t *testing.T, stage string) {
				if stage != "parked" && kind.name == "half a record" {
					t.Skip("counts as idle here: crypto/tls gives no sign of a record that is not whole")
				}
				cfg := tlsidle.Config{Stage: stage, HandshakeTimeout: time.Hour, RequestTimeout: time.Hour, IdleTimeout: time.Hour}
				switch kind.cause {
				case tlsidle.CauseHandshakeSlow:
					cfg.HandshakeTimeout = soon
				case tlsidle.CauseRequestSlow:
					cfg.RequestTimeout = soon
				case tlsidle.CauseIdle:
					cfg.IdleTimeout = soon
				}
				r := start(t, cfg)
				kind.begin(t, r)
				r.await(t, "the end", func(c tlsidle.Counters) bool { return c.Ended[kind.cause] == 1 && c.Connected == 0 })
				if !strings.Contains(r.Log.String(), kind.cause.String()) || !strings.Contains(r.Log.String(), "stage="+stage) {
					t.Errorf("log lacks %q:\n%s", kind.cause, r.Log)
				}
			})
		})
	}
}

// A request that comes a byte at a time does not get more time with each byte.
func TestDrippingDoesNotProlong(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := start(t, tlsidle.Config{Stage: stage, RequestTimeout: 100 * time.Millisecond})
		conn := r.dial(t, 0)
		tick := time.NewTicker(time.Millisecond) // the client's pace
		defer tick.Stop()
		write(t, conn, "GET / HTTP/1.1\r\nX: ")
		for i := 0; r.Counters().Ended[tlsidle.CauseRequestSlow] == 0; i++ {
			if i == maxDrips {
				t.Fatalf("%d bytes were taken, one by one", i)
			}
			io.WriteString(conn, "x")
			<-tick.C
		}
	})
}

// maxDrips is below the longest head: that is not what ends the connection.
const maxDrips = tlsidle.MaxHeaderBytes - 100

// Clients that ask and never read are held to the answer that is on its way, others are
// served, and after the timeout they are reset.
func TestClientsThatDoNotRead(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), tlsidle.Config{Stage: stage, WriteTimeout: 100 * time.Millisecond})
		const deaf = 20
		var wg sync.WaitGroup
		defer wg.Wait()
		for range deaf {
			raw := servicetest.Narrow(r.Dial(t))
			conn := handshake(t, raw, 0)
			wg.Go(func() {
				defer raw.Close()
				for { // until the server resets the connection
					if _, err := io.WriteString(conn, strings.Repeat(good, 100)); err != nil {
						return
					}
				}
			})
		}
		r.mustServe(t)
		r.await(t, "the end of all", func(c tlsidle.Counters) bool { return c.Ended[tlsidle.CauseStalled] == deaf })
		r.mustServe(t)
	})
}

// A client that reads late, but reads, gets everything.
func TestLateReaderGetsEverything(t *testing.T) {
	ownStages(t, func(t *testing.T, stage string) {
		r := startOn(t, servicetest.ListenNarrow(t, servicetest.NarrowSize), tlsidle.Config{Stage: stage})
		raw := servicetest.Narrow(r.Dial(t))
		conn := handshake(t, raw, 0)
		const requests = 10
		sent := make(chan error, 1)
		go func() {
			_, err := io.WriteString(conn, strings.Repeat(good, requests-1)+lastly)
			sent <- err
		}()
		r.await(t, "an answer under way", func(c tlsidle.Counters) bool { return c.Requests > 0 })
		got, err := io.ReadAll(conn)
		if err != nil || strings.Count(string(got), string(tlsidle.Document())) != requests {
			t.Errorf("got %d documents, %v; want %d", strings.Count(string(got), string(tlsidle.Document())), err, requests)
		}
		if err := <-sent; err != nil {
			t.Error(err)
		}
	})
}
