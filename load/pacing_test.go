package load_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/load"
)

// run takes a stretch and checks what must hold of any.
func (s *session) run(g load.Stretch) (sum load.Tally, slices []load.Slice) {
	s.t.Helper()
	err := s.Run(context.Background(), g, func(got load.Slice) {
		s.check(got)
		slices = append(slices, got)
		sum.Add(got)
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if sum.Scheduled != sum.Sent+sum.Unsent {
		s.t.Errorf("scheduled %d != sent %d + unsent %d", sum.Scheduled, sum.Sent, sum.Unsent)
	}
	return sum, slices
}

// Short stretches of an open loop give each connection its share: each goes on where the
// last one ended.
func TestShortStretchesLoadAllConnectionsAlike(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		var mu sync.Mutex
		served := map[net.Conn]int{}
		l := serve(t, e.network, func(c net.Conn) {
			in := bufio.NewReader(c)
			for {
				line, err := in.ReadBytes('\n')
				if err != nil {
					return
				}
				mu.Lock()
				served[c]++
				mu.Unlock()
				if _, err := c.Write(line); err != nil {
					return
				}
			}
		})
		s := open(t, load.Plan{Connections: 10, Depth: 1}, lines{}, e.dialer(l))
		for range 10 {
			schedule := load.OpenLoop(1000, time.Second)
			schedule.Requests = 3
			if sum, _ := s.run(load.Stretch{Schedule: schedule, Drain: patient}); sum.Answered != 3 {
				t.Fatalf("%d answered", sum.Answered)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if len(served) != 10 {
			t.Errorf("%d of 10 connections were used", len(served))
		}
		for _, n := range served {
			if n != 3 {
				t.Errorf("a connection carried %d requests, want 3", n)
			}
		}
	})
}

func TestAnOpenLoopSendsWhatItsScheduleSays(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 7, Depth: 2, Workers: 2}, lines{}, e.dialer(l))
		schedule := load.Schedule{Stages: []load.Stage{
			{From: 500, To: 1500, For: 300 * time.Millisecond}, {From: 2000, To: 2000, For: 200 * time.Millisecond},
		}}
		sum, slices := s.run(load.Stretch{Schedule: schedule, Drain: patient, Interval: 100 * time.Millisecond})
		// On a machine that is busy at the end some may stay unsent.
		for try := 0; try < 5 && sum.Unsent > 0; try++ {
			if n := sum.Age.TotalCount(); n != int64(sum.Unsent) {
				t.Errorf("%d requests unsent, %d given up", sum.Unsent, n)
			}
			sum, slices = s.run(load.Stretch{Schedule: schedule, Drain: patient, Interval: 100 * time.Millisecond})
		}
		if sum.Answered != sum.Sent || sum.Scheduled != 700 || sum.Failed != 0 {
			t.Errorf("scheduled %d, sent %d, answered %d, failed %d, want 700 in all", sum.Scheduled, sum.Sent,
				sum.Answered, sum.Failed)
		}
		for name, n := range map[string]int64{"response": sum.Response.TotalCount(),
			"service": sum.Service.TotalCount(), "lag": sum.Lag.TotalCount()} {
			if n != int64(sum.Sent) {
				t.Errorf("%d times of %s for %d requests", n, name, sum.Sent)
			}
		}
		// A busy machine may leave out cuts, but no slice lies in two stages.
		for i, got := range slices {
			if want := 0; got.Offset >= 300*time.Millisecond {
				want = 1
				if got.Stage != want {
					t.Errorf("slice %d at %v is of stage %d, want %d", i, got.Offset, got.Stage, want)
				}
			}
		}
		if last := slices[len(slices)-1]; last.Offset+100*time.Millisecond > schedule.Length()+1 {
			t.Errorf("the last slice begins at %v", last.Offset)
		}
	})
}

// The server answers nothing until all requests are due: response time counts from
// when they were due, service time from when they were sent, and only one connection's
// worth could be sent.
func TestAnOpenLoopCountsFromWhenARequestWasDue(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		const length = 200 * time.Millisecond
		var first sync.Once
		door := make(chan struct{}) // opens so long after the first request has come
		l := serve(t, e.network, func(c net.Conn) {
			letter := make([]byte, 1)
			if _, err := c.Read(letter); err != nil {
				return
			}
			first.Do(func() { time.AfterFunc(length/2, func() { close(door) }) })
			<-door
			if _, err := c.Write(letter); err == nil {
				echo(c)
			}
		})
		s := open(t, load.Plan{Connections: 2, Depth: 1}, lines{}, e.dialer(l))
		sum, _ := s.run(load.Stretch{Schedule: load.OpenLoop(1000, length), Drain: patient})
		if sum.Sent == 200 && sum.Response.Max() < int64(length/2)-int64(5*time.Millisecond) {
			t.Errorf("the longest response took %v, want about %v", time.Duration(sum.Response.Max()), length/2)
		}
		if sum.Waited < 80 { // the third request on, until the door opened after about 98
			t.Errorf("%d requests waited for a connection", sum.Waited)
		}
		// All but the first two were sent after the door had opened.
		if median := sum.Service.ValueAtQuantile(50); median > int64(length/4) {
			t.Errorf("the median service time is %v", time.Duration(median))
		}
	})
}

// What is unanswered or unsent at the end is in the tail, at its age.
func TestWhatIsGivenUpIsInTheTail(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, swallow)
		s := open(t, load.Plan{Connections: 3, Depth: 1}, lines{}, e.dialer(l))
		const length = 100 * time.Millisecond
		sum, _ := s.run(load.Stretch{Schedule: load.OpenLoop(1000, length), Drain: 50 * time.Millisecond})
		if sum.Sent != 3 || sum.Unanswered != 3 || sum.Unsent != 97 || sum.Scheduled != 100 {
			t.Fatalf("scheduled %d = sent %d + unsent %d, unanswered %d; want 100 = 3 + 97, 3", sum.Scheduled, sum.Sent,
				sum.Unsent, sum.Unanswered)
		}
		if n := sum.Age.TotalCount(); n != 100 {
			t.Fatalf("%d ages, want 100", n)
		}
		if oldest := time.Duration(sum.Age.Max()); oldest < length {
			t.Errorf("the oldest is %v old, want at least %v", oldest, length)
		}
		if all := sum.Latency(); all.TotalCount() != 100 {
			t.Errorf("the latency has %d values, want 100", all.TotalCount())
		}
	})
}

// A request without an answer fails after its timeout, and the connection is replaced.
func TestARequestTimesOut(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, swallow)
		s := open(t, load.Plan{Connections: 2, Depth: 3, RequestTimeout: 20 * time.Millisecond}, lines{}, e.dialer(l))
		sum := s.sliceWhile(60*time.Millisecond, func(sum load.Slice) bool { return sum.Failed < 12 })
		if sum.Answered != 0 || sum.Causes[load.Timeout] != sum.Failed || sum.Reconnects == 0 {
			t.Errorf("answered %d, failed %d, timeouts %d, reconnects %d", sum.Answered, sum.Failed,
				sum.Causes[load.Timeout], sum.Reconnects)
		}
		if shortest := time.Duration(sum.FailedLatency.Min()); shortest < 19*time.Millisecond {
			t.Errorf("a request failed after %v", shortest)
		}
	})
}

// PerConnection closes connections in good order: nothing is lost.
func TestConnectionsAreRenewed(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, func(c net.Conn) {
			in := bufio.NewReader(c)
			for n := 0; ; n++ {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if n == 5 {
					t.Error("a connection carried more than 5 requests")
				}
				if _, err := io.WriteString(c, line); err != nil {
					return
				}
			}
		})
		s := open(t, load.Plan{Connections: 3, Depth: 2, PerConnection: 5}, lines{}, e.dialer(l))
		sum, _ := s.run(load.Stretch{Schedule: load.Schedule{Requests: 200}, Drain: patient})
		if sum.Answered != 200 || sum.Failed != 0 || sum.Renewed < 30 || sum.Reconnects != 0 {
			t.Errorf("answered %d, failed %d, renewed %d, reconnects %d", sum.Answered, sum.Failed, sum.Renewed,
				sum.Reconnects)
		}
		if n := s.Connects().TotalCount(); n < 33 {
			t.Errorf("%d connects on record", n)
		}
	})
}

func TestANumberOfRequestsEndsAClosedLoop(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 5, Depth: 4, Workers: 3}, lines{}, e.dialer(l))
		sum, slices := s.run(load.Stretch{Schedule: load.Schedule{Requests: 10_001}, Drain: patient,
			Interval: 5 * time.Millisecond})
		if sum.Sent != 10_001 || sum.Answered != 10_001 {
			t.Errorf("sent %d, answered %d, want 10,001", sum.Sent, sum.Answered)
		}
		for i, got := range slices {
			if got.Live != 5 {
				t.Errorf("slice %d of %d: %d connections live", i, len(slices), got.Live)
			}
		}
	})
}

// EndSending is the gentle end: what is outstanding is still waited for.
func TestEndSendingDrains(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 5, Depth: 4}, lines{}, e.dialer(l))
		var sum load.Tally
		err := s.Run(context.Background(), load.Stretch{Schedule: load.OpenLoop(2000, time.Hour), Drain: patient,
			Interval: 10 * time.Millisecond}, func(got load.Slice) {
			s.check(got)
			sum.Add(got)
			s.EndSending()
		})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Answered == 0 || sum.Answered != sum.Sent || sum.Unanswered != 0 {
			t.Errorf("sent %d, answered %d, unanswered %d", sum.Sent, sum.Answered, sum.Unanswered)
		}
	})
}
