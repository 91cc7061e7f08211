package protocol_test

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/interop"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"

	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/load"
)

// grpcFreezeChild is set for the process that is the server to be stopped.
const grpcFreezeChild = "PROTOCOL_TEST_GRPC_FREEZE"

// A server of gRPC that stands still under a constant rate shows in the response times as long as it stood still: a call
// that is due meanwhile waits until the server goes on. The truth is computed from the moments of the signals.
func TestGRPCServerThatFreezes(t *testing.T) {
	if os.Getenv(grpcFreezeChild) != "" {
		serveUntilInputEnds()
	}
	if runtime.GOOS != "linux" {
		t.Skip("open loops are exact on Linux")
	}
	t.Parallel() // it mostly waits
	const rate, length = 500, 3 * time.Second
	cmd := exec.Command(os.Args[0], "-test.run=^TestGRPCServerThatFreezes$")
	cmd.Env = append(os.Environ(), grpcFreezeChild+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer in.Close()
	defer func() { _ = cmd.Process.Signal(syscall.SIGCONT) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	plan := load.Plan{Connections: 2, Depth: 10, Timeout: 20 * time.Second}
	s := open(t, "grpc://"+strings.TrimSpace(address)+"/grpc.testing.TestService/EmptyCall", protocol.Options{}, plan, engines["event loop"])
	defer s.Close()
	var stopped, went time.Time
	signals := make(chan error, 1)
	go func() { // ends with the second signal
		time.Sleep(length / 3)
		err := cmd.Process.Signal(syscall.SIGSTOP)
		stopped = time.Now()
		time.Sleep(length / 3)
		went = time.Now()
		if next := cmd.Process.Signal(syscall.SIGCONT); err == nil {
			err = next
		}
		signals <- err
	}()
	var all load.Tally
	var began time.Time
	err = s.Run(t.Context(), load.Stretch{Schedule: load.OpenLoop(rate, length), Drain: 10 * time.Second}, func(got load.Slice) {
		if began.IsZero() {
			began = got.Start
		}
		all.Add(got)
	})
	if failed := <-signals; err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	truth := make([]float64, int(rate*length.Seconds()))
	for i := range truth {
		if due := began.Add(time.Duration(i) * time.Second / rate); due.After(stopped) && due.Before(went) {
			truth[i] = went.Sub(due).Seconds()
		}
	}
	slices.Sort(truth)
	for _, q := range []float64{75, 99} {
		want := truth[int(math.Ceil(q/100*float64(len(truth))))-1]
		got := float64(all.Latency().ValueAtQuantile(q)) / 1e9
		if want < 0.1 || math.Abs(got-want) > 0.1*want+0.05 { // what has piled up is worked off, on a machine that is busy
			t.Errorf("p%.0f is %.3f s, in truth %.3f s", q, got, want)
		}
	}
	if all.Answered != uint64(len(truth)) || all.Failed+all.Unanswered+all.Unsent > 0 {
		t.Errorf("want %d right, got %+v", len(truth), all.Counts)
	}
}

// serveUntilInputEnds serves grpc-go's test service, and never returns.
func serveUntilInputEnds() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "listen:", err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	go func() { // ends the process
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	s := grpc.NewServer()
	testgrpc.RegisterTestServiceServer(s, interop.NewTestServer())
	fmt.Fprintln(os.Stderr, "serve:", s.Serve(l))
	os.Exit(1)
}
