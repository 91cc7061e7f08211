package load_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/load"
)

func TestSlicesCountEveryAnswer(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		for _, plan := range []load.Plan{
			{Connections: 1, Depth: 1},
			{Connections: 7, Depth: 1, Workers: 3},
			{Connections: 5, Depth: 33},
		} {
			s := open(t, plan, lines{}, e.dialer(l))
			for range 3 {
				got := s.sliceWhile(10*time.Millisecond, func(sum load.Slice) bool { return sum.Answered == 0 })
				if got.Failed+got.Unanswered+got.Unsent > 0 {
					t.Errorf("%+v: got %+v", plan, got.Counts)
				}
				if got.Live != plan.Connections || got.Stalled+got.Reconnects > 0 || got.FailedLatency != nil {
					t.Errorf("%+v: live %d, stalled %d, reconnects %d", plan, got.Live, got.Stalled, got.Reconnects)
				}
				if got.BytesSent != got.BytesReceived && e.network != "tls" { // a server sends tickets
					t.Errorf("sent %d bytes, received %d of an echo", got.BytesSent, got.BytesReceived)
				}
			}
			total := s.close()
			if total.Answered != total.Scheduled || total.Answered == 0 {
				t.Errorf("%+v: total %+v", plan, total)
			}
		}
	})
}

func TestSliceWithoutDrainLeavesAnswersToTheNext(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		release := make(chan struct{})
		arrived := make(chan struct{}, 4)
		l := serve(t, e.network, func(c net.Conn) {
			all := make([]byte, len("=0\n")*8)
			_, _ = io.ReadFull(c, all)
			arrived <- struct{}{}
			<-release
			_, _ = c.Write(all)
			swallow(c)
		})
		s := open(t, load.Plan{Connections: 4, Depth: 8}, lines{}, e.dialer(l))
		first := s.sliceUntil(arrived, 4)
		if first.Answered != 0 || first.Unanswered != 32 || first.Sent != 32 {
			t.Errorf("held back: got %+v", first.Counts)
		}
		close(release)
		second := s.slice(0, patient)
		if second.Sent != 0 || second.Answered != 32 || second.Unanswered != 0 {
			t.Errorf("released: got %+v", second.Counts)
		}
	})
}

// The end of a drain in which nothing comes is told apart from the answers' time.
func TestSilenceAtTheEndOfADrain(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, func(c net.Conn) { // answers one line
			in := bufio.NewReader(c)
			line, err := in.ReadBytes('\n')
			if err != nil {
				return
			}
			_, _ = c.Write(line)
			swallow(c)
		})
		s := open(t, load.Plan{Connections: 2, Depth: 1}, lines{}, e.dialer(l))
		const drain = 50 * time.Millisecond
		got := s.sliceFor(load.Schedule{Requests: 4}, drain)
		if got.Answered != 2 || got.Unanswered != 2 || got.Stalled != 0 {
			t.Errorf("got %+v, %d stalled: the drain ends it, and not the timeout", got.Counts, got.Stalled)
		}
		if got.Silent < drain/2 || got.Silent > got.Draining {
			t.Errorf("silent for %v of a drain of %v, want most of it", got.Silent, got.Draining)
		}
		l = serve(t, e.network, echo)
		s = open(t, load.Plan{Connections: 2, Depth: 1}, lines{}, e.dialer(l))
		if got := s.sliceFor(load.Schedule{Requests: 100}, patient); got.Answered != 100 || got.Silent > got.Draining {
			t.Errorf("silent for %v of a drain of %v, %d answered", got.Silent, got.Draining, got.Answered)
		}
	})
}

func TestWithheldRepliesEndTheSliceAndAreCounted(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, swallow)
		s := open(t, load.Plan{Connections: 6, Depth: 3, Workers: 2, Timeout: 50 * time.Millisecond}, lines{},
			e.dialer(l))
		got := s.slice(time.Hour, time.Hour) // returns because all connections stall
		if got.Stalled != 6 || got.Unanswered != 18 || got.Answered != 0 || got.Live != 6 {
			t.Errorf("stalled %d, live %d, %+v", got.Stalled, got.Live, got.Counts)
		}
		if got = s.slice(0, time.Millisecond); got.Stalled != 6 {
			t.Errorf("next slice: stalled %d, want silence to be measured across slices", got.Stalled)
		}
		if c := s.close(); c.Unanswered != 18 {
			t.Errorf("total %+v", c)
		}
	})
}

func TestDrainEndsWhenWhatIsLeftIsSilent(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		var conns atomic.Int32
		l := serve(t, e.network, func(c net.Conn) {
			if conns.Add(1) == 1 {
				swallow(c)
			} else {
				echo(c)
			}
		})
		s := open(t, load.Plan{Connections: 3, Depth: 2, Timeout: 200 * time.Millisecond}, lines{}, e.dialer(l))
		got := s.slice(50*time.Millisecond, 400*time.Millisecond)
		if got.Stalled != 1 || got.Unanswered != 2 || got.Failed > 0 {
			t.Errorf("stalled %d, %+v", got.Stalled, got.Counts)
		}
	})
}

func TestCancellingEndsASliceWithWhatThereIs(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		ctx, cancel := context.WithCancel(context.Background())
		l := serve(t, e.network, func(c net.Conn) {
			r := bufio.NewReader(c)
			for i := 0; ; i++ {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				if i == 10 {
					cancel()
				}
				if _, err := c.Write([]byte(line)); err != nil {
					return
				}
			}
		})
		s := open(t, load.Plan{Connections: 2, Depth: 2}, lines{}, e.dialer(l))
		got, err := s.Slice(ctx, time.Hour, time.Hour)
		if !errors.Is(err, context.Canceled) || got.Answered == 0 {
			t.Errorf("got %v and %+v", err, got.Counts)
		}
		s.check(got)
	})
}

func TestCloseEndsARunningSlice(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		begun := make(chan struct{}, 8)
		l := serve(t, e.network, func(c net.Conn) {
			begun <- struct{}{}
			echo(c)
		})
		s := open(t, load.Plan{Connections: 1, Depth: 1}, lines{}, e.dialer(l))
		ended := make(chan error)
		go func() {
			_, err := s.Slice(context.Background(), time.Hour, 0)
			ended <- err
		}()
		<-begun
		s.close()
		if err := <-ended; err != nil && !errors.Is(err, load.ErrClosed) {
			t.Error(err)
		}
		if _, err := s.Slice(context.Background(), 1, 0); !errors.Is(err, load.ErrClosed) {
			t.Errorf("slice of a closed session: %v", err)
		}
	})
}

func TestOpenSaysWhichConnectionCannotBeMade(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		l.Close()
		_, err := load.Open(context.Background(), load.Plan{Connections: 200, Depth: 1, Timeout: patient}, lines{},
			e.dialer(l))
		if err == nil || !strings.Contains(err.Error(), "of 200") {
			t.Errorf("got %v", err)
		}
	})
	_, err := load.Open(context.Background(), load.Plan{Depth: -1, Workers: -1, CPUs: []int{-1}}, lines{}, nil)
	for _, want := range []string{"connections", "depth", "workers", "timeout", "cpu"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("bad plan: %v does not name %s", err, want)
		}
	}
}
