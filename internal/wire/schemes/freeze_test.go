package schemes_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
	"github.com/gorilla/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/interop"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
)

// freezeChild names the server of the process that is to be stopped.
const freezeChild = "PROTOCOL_TEST_FREEZE"

// frozen are the servers: how each serves a listener, and what a target adds to the address. served is called at each
// answer.
var frozen = map[string]struct {
	target string
	body   string
	serve  func(l net.Listener, served func()) error
}{
	"grpc": {"grpc://%s/grpc.testing.TestService/EmptyCall", "", func(l net.Listener, served func()) error {
		s := grpc.NewServer(grpc.UnaryInterceptor(func(ctx context.Context, in any, _ *grpc.UnaryServerInfo,
			handle grpc.UnaryHandler) (any, error) {
			defer served()
			return handle(ctx, in)
		}))
		testgrpc.RegisterTestServiceServer(s, interop.NewTestServer())
		return s.Serve(l)
	}},
	"websocket": {"ws://%s/echo", "hello", func(l net.Listener, served func()) error {
		up := websocket.Upgrader{}
		return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, err := up.Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer c.Close()
			for {
				kind, text, err := c.ReadMessage()
				if err != nil {
					return
				}
				served()
				if c.WriteMessage(kind, text) != nil {
					return
				}
			}
		}))
	}},
}

// A server that stands still under a constant rate shows in the response times as long as it stood still: a request
// that is due meanwhile waits until the server goes on. The truth is the server's own log of when it answered, against
// the schedule.
func TestServersThatFreeze(t *testing.T) {
	if name := os.Getenv(freezeChild); name != "" {
		serveUntilInputEnds(name)
	}
	if runtime.GOOS != "linux" {
		t.Skip("open loops are exact on Linux")
	}
	for name, server := range frozen {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			freeze(t, name, server.target, server.body)
		})
	}
}

func freeze(t *testing.T, name, target, body string) {
	const rate, length = 500, 3 * time.Second
	cmd := exec.Command(os.Args[0], "-test.run=^TestServersThatFreeze$")
	cmd.Env = append(os.Environ(), freezeChild+"="+name)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer in.Close()
	defer func() { _ = cmd.Process.Signal(syscall.SIGCONT) }()
	out := bufio.NewScanner(pipe)
	if !out.Scan() {
		t.Fatal("the server told no address")
	}
	o := wire.Options{}
	if body != "" {
		o.Body = []byte(body)
	}
	plan := load.Plan{Connections: 2, Depth: 10, Timeout: 20 * time.Second}
	s := open(t, fmt.Sprintf(target, out.Text()), o, plan, engines["event loop"])
	defer s.Close()
	signals := make(chan error, 1)
	go func() { // ends with the second signal
		time.Sleep(length / 3)
		err := cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(length / 3)
		if next := cmd.Process.Signal(syscall.SIGCONT); err == nil {
			err = next
		}
		signals <- err
	}()
	var all load.Tally
	var began time.Time
	err = s.Run(t.Context(), load.Stretch{Schedule: load.OpenLoop(rate, length), Drain: 10 * time.Second},
		func(got load.Slice) {
			if began.IsZero() {
				began = got.Start
			}
			all.Add(got)
		})
	if failed := <-signals; err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	in.Close() // the server tells its log
	var truth []float64
	for out.Scan() {
		nanos, err := strconv.ParseInt(out.Text(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		truth = append(truth, float64(nanos)/1e9)
	}
	if want := int(rate * length.Seconds()); len(truth) != want || all.Answered != uint64(want) ||
		all.Failed+all.Unanswered+all.Unsent > 0 {
		t.Fatalf("want %d right, the server answered %d, hone has %+v", want, len(truth), all.Counts)
	}
	slices.Sort(truth)
	for i := range truth {
		truth[i] -= float64(began.Add(time.Duration(i)*time.Second/rate).UnixNano()) / 1e9
	}
	slices.Sort(truth)
	for _, q := range []float64{75, 99} {
		want := truth[int(math.Ceil(q/100*float64(len(truth))))-1]
		got := float64(all.Latency().ValueAtQuantile(q)) / 1e9
		if want < 0.1 || math.Abs(got-want) > 0.05*want+0.02 {
			t.Errorf("p%.0f is %.3f s, in truth %.3f s", q, got, want)
		}
	}
}

// serveUntilInputEnds serves and then prints when it answered, in nanoseconds since 1970. It never returns.
func serveUntilInputEnds(name string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "listen:", err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	var mu sync.Mutex
	var log []int64
	served := func() {
		mu.Lock()
		log = append(log, time.Now().UnixNano())
		mu.Unlock()
	}
	go func() { // ends the process
		_, _ = io.Copy(io.Discard, os.Stdin)
		mu.Lock()
		var text strings.Builder
		for _, at := range log {
			fmt.Fprintln(&text, at)
		}
		fmt.Print(text.String())
		os.Exit(0)
	}()
	fmt.Fprintln(os.Stderr, "serve:", frozen[name].serve(l, served))
	os.Exit(1)
}
