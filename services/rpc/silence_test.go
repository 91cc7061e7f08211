package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// The defaults, and the slack of the check: twice a quarter of the shorter timeout.
const (
	idle  = 2 * time.Minute
	stall = 10 * time.Second
	slack = stall / 2
)

// A client that falls silent is closed after two minutes, and so is one that sends a
// byte now and then but never a whole frame.
func TestIdleClientIsClosed(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		for name, drip := range map[string]bool{"silent": false, "dripping": true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := startPipes(t, rpc.Config{Stage: stage.Name})
					conn := p.DialNow(t)
					go conn.Write(helloRequest(1)) // naive reads field by field: the pipe has no buffer
					readAnswer(t, conn)
					begun := time.Now()
					var dripping sync.WaitGroup
					if drip {
						dripping.Go(func() { dribble(conn) })
					}
					io.ReadAll(conn)
					if lived := time.Since(begun); lived < idle || lived > idle+slack {
						t.Errorf("closed after %v, want %v to %v", lived, idle, idle+slack)
					}
					conn.Close()
					dripping.Wait()
					synctest.Wait() // the server counts the end after it closes the connection
					if c := p.Counters(); c.Idle != 1 || c.Frames != 1 || c.Connected != 0 {
						t.Errorf("counters are %+v, want 1 idle, 1 frame, none connected", c)
					}
				})
			})
		}
	})
}

// dribble sends the front of a large frame, a byte every 20 s, until the connection
// ends.
func dribble(conn net.Conn) {
	frame := request(1, strings.Repeat("x", 1000), nil)
	for i := range frame {
		if _, err := conn.Write(frame[i : i+1]); err != nil {
			return
		}
		time.Sleep(20 * time.Second) // synctest's clock: the client's pace, not a wait for something
	}
}

// A client that waits for a slow handler is not idle.
func TestClientOfASlowHandlerStays(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		synctest.Test(t, func(t *testing.T) {
			w := newWaiter()
			p := startPipes(t, rpc.Config{Stage: stage.Name}, w.register)
			conn := p.DialNow(t)
			go conn.Write(waitRequest(1, "x"))
			<-w.called
			time.Sleep(10 * idle) // synctest's clock
			close(w.goOn)
			readAnswer(t, conn)
			go conn.Write(helloRequest(2))
			if _, got := readAnswer(t, conn); !bytes.Equal(got, helloAnswer(2)) {
				t.Errorf("after the slow answer came %x", got)
			}
			conn.Close()
			synctest.Wait()
			if n := p.Counters().Idle; n != 0 {
				t.Error("the client counts as idle")
			}
		})
	})
}

// A client of pipelined finds out by a heartbeat that its server has gone without a
// word, and dials again.
func TestHeartbeatFindsADeadConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := startPipes(t, rpc.Config{})
		dead, theirs := net.Pipe()
		defer theirs.Close()
		go io.Copy(io.Discard, theirs) // reads, and never answers
		first := true
		c := client(t, rpc.ClientConfig{Conns: 1, Timeout: time.Hour, Dial: func(ctx context.Context) (net.Conn, error) {
			if first {
				first = false
				return dead, nil
			}
			return p.Dial(ctx)
		}})
		begun := time.Now()
		err := c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1))
		if err == nil || !strings.Contains(err.Error(), "no answer to a heartbeat") {
			t.Errorf("call: %v", err)
		}
		// Two intervals of 5 s, and the clock's steps of a quarter of one.
		if took := time.Since(begun); took < 10*time.Second || took > 15*time.Second {
			t.Errorf("noticed after %v", took)
		}
		hello(t, c)
		time.Sleep(10 * time.Minute) // synctest's clock: heartbeats keep the connection alive
		if n := p.Counters().Connected; n != 1 {
			t.Errorf("%d connections after a while, want the one", n)
		}
		hello(t, c)
		c.Close()
	})
}

// pooled sends a heartbeat on a connection that was idle before it trusts it.
func TestPooledChecksIdleConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := startPipes(t, rpc.Config{})
		gate := &silencer{}
		c := client(t, rpc.ClientConfig{Stage: "pooled", Timeout: time.Minute, Dial: func(ctx context.Context) (net.Conn, error) {
			conn, err := p.Dial(ctx)
			return gate.wrap(conn), err
		}})
		hello(t, c)
		time.Sleep(time.Minute) // synctest's clock
		hello(t, c)
		if n := gate.dialled; n != 1 {
			t.Errorf("%d connections, want the idle one used again", n)
		}
		time.Sleep(time.Minute)
		gate.silence()
		hello(t, c)
		if n := gate.dialled; n != 2 {
			t.Errorf("%d connections, want a second one", n)
		}
		c.Close()
	})
}

// silencer makes connections fall silent.
type silencer struct {
	dialled int
	current *silent
}

type silent struct {
	net.Conn
	mute chan struct{} // closed: what is written is lost
}

func (s *silencer) wrap(conn net.Conn) net.Conn {
	s.dialled++
	s.current = &silent{conn, make(chan struct{})}
	return s.current
}

func (s *silencer) silence() { close(s.current.mute) }

func (s *silent) Write(b []byte) (int, error) {
	select {
	case <-s.mute:
		return len(b), nil
	default:
		return s.Conn.Write(b)
	}
}

// The client's timeout is kept by its clock within a twentieth, and what a server owes
// for good ends the connection.
func TestTimeoutWithoutAnswer(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		synctest.Test(t, func(t *testing.T) {
			dialled := 0
			c := client(t, rpc.ClientConfig{Stage: stage.Name, Conns: 1, Window: 4, Heartbeat: time.Hour,
				Dial: func(context.Context) (net.Conn, error) {
					ours, theirs := net.Pipe()
					go func() { io.Copy(io.Discard, theirs); theirs.Close() }() // ends with the client
					dialled++
					return ours, nil
				}})
			for range 4 {
				begun := time.Now()
				err := c.Call(context.Background(), helloworld.Path, &request1{}, new(reply1))
				if !errors.Is(err, context.DeadlineExceeded) {
					// The call whose end makes it too many may hear of that first.
					t.Errorf("call: %v, want that the time is up", err)
				}
				if took := time.Since(begun); took < 2*time.Second || took > 2200*time.Millisecond {
					t.Errorf("took %v, want 2 s to 2.2 s", took)
				}
			}
			want := 4 // a connection each
			if stage.Name == "pipelined" {
				want = 2 // more than half of the window of 4 is 3
			}
			if dialled != want {
				t.Errorf("%d connections dialled, want %d", dialled, want)
			}
			c.Close()
			synctest.Wait()
		})
	})
}

// pipes is a server of in-memory connections.
type pipes struct {
	*rpc.Server
	*servicetest.Pipes
}

func startPipes(t *testing.T, cfg rpc.Config, register ...func(*rpc.Server) error) pipes {
	t.Helper()
	conns := servicetest.NewPipes()
	r, stop := startOn(t, conns, cfg, register...)
	t.Cleanup(stop)
	return pipes{r.Server, conns}
}
