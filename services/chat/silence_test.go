package chat_test

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

// The defaults, and the slack of the check: a quarter of the shorter timeout, twice.
const (
	idle  = 5 * time.Minute
	stall = 10 * time.Second
	slack = stall / 2
)

// A client that falls silent is closed after five minutes, and so is one that only sends
// what is refused, or a byte now and then.
func TestIdleClientIsClosed(t *testing.T) {
	babble := map[string]func(i int) []byte{
		"silent":   func(int) []byte { return nil },
		"refused":  func(int) []byte { return chat.AppendJoin(nil, 7, "not a room") },
		"dripping": func(i int) []byte { return chat.AppendMessage(nil, 7, make([]byte, 1000))[i : i+1] },
	}
	eachStage(t, func(t *testing.T, stage string) {
		for name, next := range babble {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					conn, log, counters := startPipe(t, stage)
					write(t, conn, chat.AppendLogin(nil, 1, "ann", ""))
					begun := time.Now()
					var talking sync.WaitGroup
					talking.Go(func() {
						for i := 0; ; i++ {
							if _, err := conn.Write(next(i)); err != nil {
								return
							}
							time.Sleep(20 * time.Second) // synctest's clock: the client's pace, not a wait for something
						}
					})
					io.Copy(io.Discard, conn) // the acks, and in the end the end
					if lived := time.Since(begun); lived < idle || lived > idle+slack {
						t.Errorf("closed after %v, want %v to %v", lived, idle, idle+slack)
					}
					conn.Close()
					talking.Wait()
					synctest.Wait()
					if c := counters(); c.Idle != 1 || c.Connected != 0 {
						t.Errorf("counters are %+v, want 1 idle, none connected", c)
					}
					if !strings.Contains(log.String(), "idle") || !strings.Contains(log.String(), "user=ann") {
						t.Errorf("log lacks the idle client:\n%s", log)
					}
				})
			})
		}
	})
}

// A ping now and then keeps a user connected for as long as she likes.
func TestPingKeepsAUserConnected(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		synctest.Test(t, func(t *testing.T) {
			conn, log, counters := startPipe(t, stage)
			c := chat.NewClient(conn)
			must(t, c.Login(t.Context(), "ann", ""))
			for range 30 {
				time.Sleep(4 * time.Minute) // synctest's clock
				must(t, c.Ping(t.Context()))
			}
			if c := counters(); c.Connected != 1 || log.String() != "" {
				t.Errorf("counters are %+v, want the user still there; log:\n%s", c, log)
			}
			c.Close()
		})
	})
}

// A client that asks and does not read is closed after the write timeout.
func TestClientThatDoesNotReadIsLetGo(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		synctest.Test(t, func(t *testing.T) {
			conn, _, counters := startPipe(t, stage)
			write(t, conn, chat.AppendLogin(nil, 1, "ann", ""))
			begun := time.Now()
			for counters().Connected > 0 {
				time.Sleep(time.Second) // synctest's clock
			}
			if lived := time.Since(begun); lived < stall || lived > stall+slack+time.Second {
				t.Errorf("let go after %v, want %v to %v", lived, stall, stall+slack)
			}
			if c := counters(); c.Stalled != 1 {
				t.Errorf("counters are %+v, want one stalled", c)
			}
			conn.Close()
		})
	})
}

// startPipe serves a stage on one in-memory connection, on synctest's clock.
func startPipe(t *testing.T, stage string) (net.Conn, *servicetest.Log, func() chat.Counters) {
	t.Helper()
	pipes := servicetest.NewPipes()
	r := startOn(t, pipes, chat.Config{Stage: stage})
	conn := pipes.DialNow(t)
	synctest.Wait() // accepted
	return conn, r.Log, r.Counters
}
