package load_test

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/load"
	"pgregory.net/rapid"
)

// each answers request number n (from 0, by connection) with what answer makes of
// the request's line; nil ends the connection.
func each(answer func(n int, line []byte) []byte) func(net.Conn) {
	return func(c net.Conn) {
		r := bufio.NewReaderSize(c, 1<<20)
		for n := 0; ; n++ {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			a := answer(n, bytes.Clone(line))
			if a == nil {
				return
			}
			if _, err := c.Write(a); err != nil {
				return
			}
		}
	}
}

func TestWrongAnswersAreReplacedAndKeptApart(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, each(func(n int, line []byte) []byte {
			if n%3 == 2 {
				line[0] = '!'
			}
			return line
		}))
		s := open(t, load.Plan{Connections: 3, Depth: 2}, lines{}, e.dialer(l))
		got := s.sliceWhile(10*time.Millisecond, func(sum load.Slice) bool { return sum.Failed < 5 })
		if got.Causes[load.WrongStatus] != got.Failed || got.Answered < got.Failed {
			t.Errorf("got %+v", got.Counts)
		}
		if got.FailedLatency == nil || uint64(got.FailedLatency.TotalCount()) != got.Failed {
			t.Errorf("latency of wrong answers is not apart")
		}
	})
}

func TestAnswersMayBeSplitOrLargerThanTheBuffer(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, func(c net.Conn) {
			each(func(n int, line []byte) []byte {
				if n%2 == 0 {
					for _, b := range line[:len(line)-1] {
						if _, err := c.Write([]byte{b}); err != nil {
							return nil
						}
					}
					return line[len(line)-1:]
				}
				long := append(line[:len(line)-1], bytes.Repeat([]byte{' '}, 300_000)...)
				return append(long, '\n')
			})(c)
		})
		s := open(t, load.Plan{Connections: 2, Depth: 3}, lines{}, e.dialer(l))
		got := s.sliceWhile(10*time.Millisecond, func(sum load.Slice) bool { return sum.BytesReceived < 2_000_000 })
		if got.Failed+got.Unanswered > 0 {
			t.Errorf("got %+v", got.Counts)
		}
	})
}

func TestAnswersBeforeTheEndOfAConnectionCount(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		var conns atomic.Int32
		l := serve(t, e.network, func(c net.Conn) {
			if conns.Add(1) > 1 {
				echo(c)
				return
			}
			// Take all four requests, answer three, and close.
			r := bufio.NewReader(c)
			var all []byte
			for range 4 {
				line, _ := r.ReadSlice('\n')
				all = append(all, line...)
			}
			_, _ = c.Write(all[:bytes.LastIndexByte(all[:len(all)-1], '\n')+1])
		})
		s := open(t, load.Plan{Connections: 1, Depth: 4, Timeout: patient}, lines{}, e.dialer(l))
		sum := s.sliceWhile(5*time.Millisecond, func(sum load.Slice) bool { return sum.Answered < 10 })
		lost := sum.Causes[load.Closed] + sum.Causes[load.Reset]
		if sum.Reconnects != 1 || sum.Live != 1 || lost != sum.Failed || sum.Lost != lost || sum.Failed < 1 ||
			sum.Failed > 4 {
			t.Errorf("reconnects %d, live %d, %+v", sum.Reconnects, sum.Live, sum.Counts)
		}
	})
}

func TestResetConnectionsAreReplaced(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		if e.network != "tcp" {
			t.Skip("Unix sockets know no reset by linger")
		}
		var conns atomic.Int32
		l := serve(t, e.network, func(c net.Conn) {
			if conns.Add(1) > 2 {
				echo(c)
				return
			}
			_, _ = c.Read(make([]byte, 1))
			_ = c.(*net.TCPConn).SetLinger(0)
		})
		s := open(t, load.Plan{Connections: 2, Depth: 1}, lines{}, e.dialer(l))
		sum := s.sliceWhile(5*time.Millisecond, func(sum load.Slice) bool {
			return sum.Failed < 2 || sum.Live < 2 || sum.Answered == 0
		})
		if sum.Causes[load.Reset] != 2 || sum.Failed != 2 {
			t.Errorf("got %+v", sum.Counts)
		}
	})
}

func TestADeadServerIsSeenAndEndsTheSlice(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		var l net.Listener
		die, arrived := make(chan struct{}), make(chan struct{}, 3)
		l = serve(t, e.network, func(c net.Conn) {
			_, _ = c.Read(make([]byte, 1))
			arrived <- struct{}{}
			<-die
		})
		s := open(t, load.Plan{Connections: 3, Depth: 1, Timeout: 50 * time.Millisecond}, lines{}, e.dialer(l))
		if got := s.sliceUntil(arrived, 3); got.Unanswered != 3 {
			t.Fatalf("got %+v", got.Counts)
		}
		l.Close()
		close(die)
		got := s.slice(time.Hour, time.Hour) // returns because nothing is left
		if got.Live != 0 || got.Failed != 3 || got.Stalled != 0 || got.Causes[load.Refused] == 0 {
			t.Errorf("live %d, stalled %d, %+v", got.Live, got.Stalled, got.Counts)
		}
	})
}

func TestAPeerThatDoesNotReadLeavesRequestsUnsent(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		read := make(chan struct{})
		l := serve(t, e.network, func(c net.Conn) {
			<-read
			echo(c)
		})
		s := open(t, load.Plan{Connections: 2, Depth: 64}, lines{pad: 200_000}, e.dialer(l))
		got := s.slice(time.Millisecond, time.Millisecond)
		for got.Scheduled == 0 { // the millisecond was over before it began
			got = s.slice(time.Millisecond, time.Millisecond)
		}
		if e.eventLoop() && got.Unsent == 0 {
			t.Errorf("blocked: %+v", got.Counts)
		}
		close(read)
		rest := s.slice(0, patient)
		if rest.Answered != got.Scheduled || rest.Unsent+rest.Unanswered+rest.Failed > 0 ||
			rest.Sent+got.Sent != got.Scheduled {
			t.Errorf("read: %+v", rest.Counts)
		}
	})
}

// An answer that comes twice in one write leaves bytes after the last one: it was not
// served, and nothing of the connection is used any more.
func TestExtraBytesMakeTheAnswerBeforeThemWrong(t *testing.T) {
	for name, extra := range map[string]string{"an answer": "=0\n", "the front of one": "=", "garbage": "?\n",
		"a line end": "\n"} {
		t.Run(name, func(t *testing.T) {
			engines(t, func(t *testing.T, e kind) {
				l := serve(t, e.network, each(func(n int, line []byte) []byte { return append(line, extra...) }))
				s := open(t, load.Plan{Connections: 2, Depth: 1}, lines{}, e.dialer(l))
				s.sliceWhile(5*time.Millisecond, func(sum load.Slice) bool { return sum.Causes[load.ExtraBytes] < 5 })
				c := s.close()
				if c.Answered+c.Stray != 0 || c.Failed == 0 || c.Causes[load.ExtraBytes] != c.Failed {
					t.Errorf("got %+v", c)
				}
			})
		})
	}
}

// Extra bytes that come on their own, while nothing is outstanding, are held against the
// answer before them too. In an open loop the connections rest between requests.
func TestExtraBytesOnAnIdleConnectionMakeItsLastAnswerWrong(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, func(c net.Conn) {
			r := bufio.NewReader(c)
			for {
				line, err := r.ReadBytes('\n')
				if err != nil {
					return
				}
				if _, err := c.Write(line); err != nil {
					return
				}
				time.Sleep(2 * time.Millisecond) // so that they are a segment of their own
				if _, err := c.Write([]byte("x")); err != nil {
					return
				}
			}
		})
		s := open(t, load.Plan{Connections: 4, Depth: 1}, lines{}, e.dialer(l))
		var all load.Tally
		// The rate leaves connections time to rest also where a handshake is slow.
		g := load.Stretch{Schedule: load.Schedule{Stages: []load.Stage{{From: 20, To: 20,
			For: 1500 * time.Millisecond}}}, Drain: patient}
		if runtime.GOOS == "linux" { // elsewhere there are no stamps
			g.Stamps = new(load.Stamps)
		}
		if err := s.Run(context.Background(), g, all.Add); err != nil {
			t.Fatal(err)
		}
		if g.Stamps != nil && uint64(g.Stamps.Len()) != all.Answered {
			t.Errorf("%d stamps of %d right answers: those taken back have none", g.Stamps.Len(), all.Answered)
		}
		c := s.close()
		// The drain ends with the last answer, so the bytes after the last few may come
		// later. On a busy machine some come after the next request, as part of its answer.
		if c.Answered > 4+c.Causes[load.Malformed] || c.Causes[load.ExtraBytes] < 10 {
			t.Errorf("got %+v", c)
		}
		if n := uint64(all.Response.TotalCount()); n > all.Answered {
			t.Errorf("%d response times of %d right answers", n, all.Answered)
		}
	})
}

// A reply to no request counts as wrong, though no request failed.
func TestRepliesToNoRequestAreStray(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, each(func(n int, line []byte) []byte { return append(line, "=99999999\n"...) }))
		s := open(t, load.Plan{Connections: 1, Depth: 8}, lines{}, e.dialer(l))
		s.sliceWhile(5*time.Millisecond, func(sum load.Slice) bool { return sum.Causes[load.WrongID] < 5 })
		c := s.close()
		if share, _ := c.WrongShare(); c.Stray < 5 || share < 0.3 {
			t.Errorf("wrong share %v of %+v", share, c)
		}
	})
}

func TestGarbageEndsAConnection(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, each(func(n int, line []byte) []byte {
			if n == 1 {
				return []byte("what?\n")
			}
			return line
		}))
		s := open(t, load.Plan{Connections: 1, Depth: 1}, lines{}, e.dialer(l))
		sum := s.sliceWhile(5*time.Millisecond, func(sum load.Slice) bool { return sum.Causes[load.Malformed] < 2 })
		if sum.Answered == 0 {
			t.Errorf("got %+v", sum)
		}
	})
}

// A server that does everything wrong at random: whatever it does, the account
// balances, and nothing counts as served that it did not serve.
func TestAccountBalancesWhateverTheServerDoes(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		rapid.Check(t, func(r *rapid.T) {
			faults := rapid.SliceOfN(rapid.SampledFrom([]string{
				"ok", "ok", "ok", "ok", "ok", "wrong id", "status", "drop", "twice", "truncate", "close", "reset",
				"garbage", "split",
			}), 5, 40).Draw(r, "faults")
			var served, turn atomic.Int64
			l := serve(t, e.network, func(c net.Conn) {
				each(func(_ int, line []byte) []byte {
					what := faults[int(turn.Add(1))%len(faults)]
					if strings.Contains("ok twice split", what) {
						served.Add(1)
					}
					return misbehave(c, what, line)
				})(c)
			})
			plan := load.Plan{
				Connections: rapid.IntRange(1, 5).Draw(r, "connections"),
				Depth:       rapid.IntRange(1, 9).Draw(r, "depth"),
				Workers:     rapid.IntRange(0, 2).Draw(r, "workers"),
				Timeout:     patient, // the slices below end by their length and drain
			}
			s := open(t, plan, lines{}, e.dialer(l))
			for range 3 {
				d := time.Duration(rapid.IntRange(0, 3).Draw(r, "ms")) * time.Millisecond
				drain := time.Duration(rapid.IntRange(0, 2).Draw(r, "drain ms")) * time.Millisecond
				s.slice(d, drain)
			}
			c := s.close()
			if int64(c.Answered) > served.Load() {
				r.Fatalf("%d answered, %d served", c.Answered, served.Load())
			}
			if t.Failed() {
				r.Fatalf("account: %+v", c)
			}
		})
	})
}

// misbehave returns the bytes to answer line with.
func misbehave(c net.Conn, what string, line []byte) []byte {
	switch what {
	case "wrong id":
		return append([]byte("=9"), line[1:]...)
	case "status":
		line[0] = '!'
	case "drop":
		return []byte{}
	case "twice":
		return append(line, line...)
	case "truncate":
		_, _ = c.Write(line[:1])
		return nil
	case "close":
		return nil
	case "reset":
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		return nil
	case "garbage":
		return []byte("??\n")
	case "split":
		_, _ = c.Write(line[:1])
		return line[1:]
	}
	return line
}
