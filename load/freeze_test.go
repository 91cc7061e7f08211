package load_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/load"
)

// The freeze: a server that stops for a while under a constant rate. What a load
// generator says of it is the classic test of its honesty: one that counts from when it
// sent a request, or that sends nothing while it waits, misses nearly all of the damage.
//
// The truth comes from the server's own log of when it served each request, and from the
// schedule: nothing in it goes through the engine's clockwork.
const (
	freezeRate   = 1000
	freezeLength = 10 * time.Second
)

func TestAFrozenServerShowsInTheTail(t *testing.T) {
	if os.Getenv("LOAD_TEST_FREEZE") != "" {
		freezeChild()
		return
	}
	for _, c := range []struct {
		name       string
		stop, cont time.Duration // from the start of the schedule; cont 0: after the end
	}{
		{"for 1 s in the middle", 4 * time.Second, 5 * time.Second},
		{"from 2 s before the end until after it", 8 * time.Second, 0},
	} {
		for _, e := range []kind{{"event loop", "tcp", false}, {"portable", "tcp", true}} {
			t.Run(c.name+", "+e.name, func(t *testing.T) {
				t.Parallel() // they mostly wait
				freeze(t, e, c.stop, c.cont)
			})
		}
	}
}

func freeze(t *testing.T, e kind, stop, cont time.Duration) {
	child := startFreezeChild(t)
	numbers := new(atomic.Uint64)
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", child.address)
		if err == nil && e.portable {
			c = opaque{c}
		}
		return c, err
	}
	plan := load.Plan{Connections: 50, Depth: 1, Timeout: patient}
	s, err := load.Open(context.Background(), plan, numbered{numbers}, dial)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var sum load.Tally
	var began, ended time.Time
	origin := time.Now() // near enough to time the freeze by
	timers := []*time.Timer{time.AfterFunc(stop, func() { child.signal(syscall.SIGSTOP) })}
	if cont > 0 {
		timers = append(timers, time.AfterFunc(cont, func() { child.signal(syscall.SIGCONT) }))
	}
	err = s.Run(context.Background(), load.Stretch{Schedule: load.OpenLoop(freezeRate, freezeLength),
		Drain: time.Second}, func(got load.Slice) {
		if began.IsZero() {
			began = got.Start
		}
		ended = got.Start.Add(got.Duration)
		sum.Add(got)
	})
	for _, timer := range timers {
		timer.Stop()
	}
	child.signal(syscall.SIGCONT)
	if err != nil {
		t.Fatal(err)
	}
	if began.Sub(origin).Abs() > time.Second {
		t.Fatalf("the schedule began %v after it was ordered", began.Sub(origin))
	}
	served := child.log()
	truth := make([]float64, int(freezeRate*freezeLength.Seconds()))
	unserved := 0
	for i := range truth {
		due := began.Add(time.Duration(i) * time.Second / freezeRate)
		at, ok := served[uint64(i)]
		if !ok || at.After(ended) {
			at = ended
			unserved++
		}
		truth[i] = at.Sub(due).Seconds()
	}
	slices.Sort(truth)
	want := truth[int(math.Ceil(0.99*float64(len(truth))))-1]
	got := float64(sum.Latency().ValueAtQuantile(99)) / 1e9
	t.Logf("p99: hone %.3f s, truth %.3f s; sent %d, unanswered %d, unsent %d; service time p99 %v, lag p99 %v", got,
		want,
		sum.Sent, sum.Unanswered, sum.Unsent, time.Duration(sum.Service.ValueAtQuantile(99)),
		time.Duration(sum.Lag.ValueAtQuantile(99)))
	if want < 0.8 {
		t.Fatalf("the true p99 is %.3f s: the freeze did not work", want)
	}
	if math.Abs(got/want-1) > 0.10 {
		t.Errorf("p99 is %.3f s, in truth %.3f s", got, want)
	}
	if n := int(sum.Latency().TotalCount()); n != len(truth) {
		t.Errorf("%d latencies for %d requests", n, len(truth))
	}
	if cont == 0 && (sum.Unanswered == 0 || sum.Unsent == 0 || unserved == 0) {
		t.Errorf("frozen to the end: unanswered %d, unsent %d, not in the log %d", sum.Unanswered, sum.Unsent, unserved)
	}
	doubts := load.Evidence{Plan: plan, Schedule: load.OpenLoop(freezeRate, freezeLength), Tally: sum,
		Pace: true}.Judge()
	if cont == 0 && (load.Invalid(doubts) == nil || doubts[0].Name != load.DoubtRate) {
		t.Errorf("a fifth of the load was not sent, and the doubts are %+v", doubts)
	}
}

// numbered is lines with request numbers that count over all connections.
type numbered struct{ next *atomic.Uint64 }

func (p numbered) Dialog(int) load.Dialog { return &numberedDialog{next: p.next} }

type numberedDialog struct {
	next     *atomic.Uint64
	answered uint64 // on this connection, in order
}

func (d *numberedDialog) AppendRequest(dst []byte, _ uint64) []byte {
	return append(strconv.AppendUint(dst, d.next.Add(1)-1, 10), '\n')
}

func (d *numberedDialog) NextAnswer(in []byte, _ bool) (int, load.Answer) {
	i := bytes.IndexByte(in, '\n')
	if i < 0 {
		return 0, load.Answer{}
	}
	d.answered++
	return i + 1, load.Answer{Seq: d.answered - 1}
}

// freezeChild serves numbered requests until its input ends, then prints when it served
// each.
func freezeChild() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("listening", l.Addr())
	var mu sync.Mutex
	var log strings.Builder
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for in := bufio.NewReader(c); ; {
					line, err := in.ReadString('\n')
					if err != nil {
						return
					}
					mu.Lock()
					fmt.Fprintln(&log, "served", strings.TrimSpace(line), time.Now().UnixNano())
					mu.Unlock()
					if _, err := io.WriteString(c, line); err != nil {
						return
					}
				}
			}()
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
	mu.Lock()
	fmt.Print(log.String())
	os.Exit(0)
}

// frozen is the child process.
type frozen struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	address string
}

func startFreezeChild(t *testing.T) *frozen {
	cmd := exec.Command(os.Args[0], "-test.run=^TestAFrozenServerShowsInTheTail$")
	cmd.Env = append(os.Environ(), "LOAD_TEST_FREEZE=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f := &frozen{t: t, cmd: cmd, in: in, out: bufio.NewScanner(out)}
	t.Cleanup(func() {
		f.signal(syscall.SIGCONT)
		in.Close()
		_ = cmd.Wait()
	})
	for f.out.Scan() {
		if address, ok := strings.CutPrefix(f.out.Text(), "listening "); ok {
			f.address = address
			return f
		}
	}
	t.Fatal("the child did not listen")
	return nil
}

func (f *frozen) signal(s syscall.Signal) { _ = f.cmd.Process.Signal(s) }

// log ends the child and returns when it served each request.
func (f *frozen) log() map[uint64]time.Time {
	f.in.Close()
	served := map[uint64]time.Time{}
	for f.out.Scan() {
		var n uint64
		var at int64
		if _, err := fmt.Sscanf(f.out.Text(), "served %d %d", &n, &at); err == nil {
			served[n] = time.Unix(0, at)
		}
	}
	return served
}
