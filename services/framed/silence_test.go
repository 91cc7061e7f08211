package framed_test

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
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
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		for name, drip := range map[string]bool{"silent": false, "dripping": true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					conn, log, counters := startPipe(t, stage.Name)
					if _, err := conn.Write(submit("lastword", "")); err != nil {
						t.Fatal(err)
					}
					begun := time.Now()
					var dripping sync.WaitGroup
					if drip {
						dripping.Go(func() { dribble(conn) })
					}
					io.ReadAll(conn) // the answer, and in the end the end
					if lived := time.Since(begun); lived < idle || lived > idle+slack {
						t.Errorf("closed after %v, want %v to %v", lived, idle, idle+slack)
					}
					conn.Close()
					dripping.Wait()
					synctest.Wait() // the server has closed the connection, and counted it
					c := counters()
					if c.Idle != 1 || c.Responses != 1 || c.Connected != 0 {
						t.Errorf("counters are %+v, want 1 idle, 1 response, none connected", c)
					}
					if !strings.Contains(log.String(), "idle") || !strings.Contains(log.String(), "stage="+stage.Name) {
						t.Errorf("log lacks the idle client:\n%s", log)
					}
				})
			})
		}
	})
}

// dribble sends the front of a large frame, a byte every 20 s, until the connection
// ends.
func dribble(conn net.Conn) {
	frame := submit("dripdrip", strings.Repeat("x", 1000))
	for i := range frame {
		if _, err := conn.Write(frame[i : i+1]); err != nil {
			return
		}
		time.Sleep(20 * time.Second) // synctest's clock: the client's pace, not a wait for something
	}
}

// A client that asks and does not read is closed after the write timeout; where the
// answers wait in a buffer until the end, after the idle timeout and the write timeout.
func TestClientThatDoesNotReadIsLetGo(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		synctest.Test(t, func(t *testing.T) {
			conn, _, counters := startPipe(t, stage.Name)
			if _, err := conn.Write(submit("noreader", "")); err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			limit := stall
			if stage.Name == "buffered-noflush" {
				limit = idle + stall + slack
			}
			for counters().Connected > 0 {
				time.Sleep(time.Second) // synctest's clock
			}
			if lived := time.Since(begun); lived < stall || lived > limit+slack+time.Second {
				t.Errorf("let go after %v, want %v at most", lived, limit+slack)
			}
			if c := counters(); c.Stalled+c.Idle != 1 {
				t.Errorf("counters are %+v, want one connection closed", c)
			}
			conn.Close()
		})
	})
}

// A client that asks now and then stays, for as long as it likes.
func TestClientThatAsksNowAndThenStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, log, counters := startPipe(t, "batched")
		for range 30 {
			if _, err := conn.Write(submit("minutely", "")); err != nil {
				t.Fatal(err)
			}
			read(t, conn, framed.AckSize)
			time.Sleep(time.Minute) // synctest's clock
		}
		if c := counters(); c.Connected != 1 || c.Responses != 30 {
			t.Errorf("counters are %+v, want the client still there and 30 responses", c)
		}
		if log.String() != "" {
			t.Errorf("log:\n%s", log)
		}
		conn.Close()
	})
}

// startPipe serves a stage on one in-memory connection, on synctest's clock.
func startPipe(t *testing.T, stage string) (net.Conn, *servicetest.Log, func() framed.Counters) {
	t.Helper()
	pipes := servicetest.NewPipes()
	r := startOn(t, pipes, framed.Config{Stage: stage})
	conn := pipes.DialNow(t)
	synctest.Wait() // accepted
	return conn, r.Log, r.Counters
}
