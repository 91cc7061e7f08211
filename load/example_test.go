package load_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gohone/hone/load"
)

// pingPong is a protocol of lines: to each ping belongs a pong.
type pingPong struct{}

func (pingPong) Dialog(int) load.Dialog { return &pingPongDialog{} }

// pingPongDialog counts, since answers without ids come in order.
type pingPongDialog struct{ answered uint64 }

func (*pingPongDialog) AppendRequest(dst []byte, _ uint64) []byte { return append(dst, "ping\n"...) }

func (d *pingPongDialog) NextAnswer(in []byte, _ bool) (int, load.Answer) {
	end := bytes.IndexByte(in, '\n')
	if end < 0 {
		return 0, load.Answer{} // not whole yet
	}
	a := load.Answer{Seq: d.answered}
	d.answered++
	if string(in[:end]) != "pong" {
		a.Cause = load.Malformed
	}
	return end + 1, a
}

// pongs answers on all connections until they and the listener are closed.
func pongs(l net.Listener) {
	var open sync.WaitGroup
	defer open.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		open.Go(func() {
			defer conn.Close()
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				if _, err := conn.Write([]byte("pong\n")); err != nil {
					return
				}
			}
		})
	}
}

// A closed loop of 1,000 requests over four connections, and whether its result can be
// trusted.
func Example() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var target sync.WaitGroup
	target.Go(func() { pongs(l) })
	defer target.Wait()
	defer l.Close()

	ctx := context.Background()
	plan := load.Plan{Connections: 4, Depth: 2, Timeout: time.Minute}
	session, err := load.Open(ctx, plan, pingPong{}, func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
	})
	if err != nil {
		panic(err)
	}
	schedule := load.Schedule{Requests: 1000}
	var tally load.Tally
	err = session.Run(ctx, load.Stretch{Schedule: schedule, Drain: plan.Timeout}, tally.Add)
	if err != nil {
		panic(err)
	}
	if _, err := session.Close(); err != nil {
		panic(err)
	}
	fmt.Printf("sent %d, answered %d, failed %d\n", tally.Sent, tally.Answered, tally.Failed)
	fmt.Println("latencies:", tally.Latency().TotalCount())
	doubts := load.Evidence{Plan: plan, Schedule: schedule, Tally: tally}.Judge()
	fmt.Println("invalid:", load.Invalid(doubts) != nil)
	// Output:
	// sent 1000, answered 1000, failed 0
	// latencies: 1000
	// invalid: false
}

// A rate that rises for a minute and then stays.
func ExampleSchedule() {
	s := load.Schedule{
		Stages:   []load.Stage{{From: 0, To: 500, For: time.Minute}, {From: 500, To: 500, For: 5 * time.Minute}},
		Arrivals: load.Poisson, Seed: 1,
	}
	fmt.Println(s.Open(), s.Length(), s.Validate())
	s.Stages[1].To = -1
	fmt.Println(s.Validate())
	// Output:
	// true 6m0s <nil>
	// stage 2: rate is -1/s, want 0 to 1e+07
}

// What makes a measurement invalid has a name and a text.
func ExampleEvidence_Judge() {
	var tally load.Tally
	tally.Add(load.Slice{
		Duration: time.Second, Connections: load.Connections{Live: 10},
		WorkerTime: load.WorkerTime{WorkerWall: time.Second},
		Counts: load.Counts{Scheduled: 1000, Sent: 1000, Answered: 900, Failed: 100,
			Causes: [load.NumCauses]uint64{load.WrongStatus: 100}},
	})
	plan := load.Plan{Connections: 10, Depth: 1, Timeout: time.Second}
	for _, d := range (load.Evidence{Plan: plan, Tally: tally}).Judge() {
		fmt.Println(d.Fatal, d.Text)
	}
	// Output: true replies wrong or lost: 100 of 1,000: wrong status 100
}
