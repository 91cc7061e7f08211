package load_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/load"
)

func TestASteadySliceAllocatesNothingPerRequest(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 10, Depth: 32}, lines{}, e.dialer(l))
		s.slice(50*time.Millisecond, patient) // warm: buffers have their size
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := s.sliceWhile(50*time.Millisecond, func(sum load.Slice) bool { return sum.Answered < 20_000 })
		runtime.ReadMemStats(&after)
		// What a slice itself allocates (histogram, channel) does not grow with it.
		if n := after.Mallocs - before.Mallocs; n > e.allocations(got.Answered) {
			t.Errorf("%d allocations for %d requests", n, got.Answered)
		}
	})
}

// allocations is how many a number of requests may take. Until Go 1.27 crypto/tls allocates 24 bytes for each record
// that it reads, on both sides, and goes on to nothing more; under the race detector it does so twice for each record.
func (e kind) allocations(requests uint64) uint64 {
	if e.network == "tls" && underRaceDetector {
		return 4*requests + requests/20
	}
	if e.network == "tls" {
		return 2*requests + requests/20
	}
	return requests / 20
}

func TestASteadyOpenLoopAllocatesNothingPerRequest(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 10, Depth: 4}, lines{}, e.dialer(l))
		stretch := load.Stretch{Schedule: load.OpenLoop(20_000, 200*time.Millisecond), Drain: patient}
		s.run(stretch) // warm: buffers have their size
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answered, stretches := uint64(0), uint64(0)
		for ; answered < 20_000; stretches++ {
			sum, _ := s.run(stretch)
			answered += sum.Answered
		}
		runtime.ReadMemStats(&after)
		// What a stretch itself allocates (histograms, channels) does not grow with it.
		if n := after.Mallocs - before.Mallocs; n > e.allocations(answered)+100*stretches {
			t.Errorf("%d allocations for %d requests in %d stretches", n, answered, stretches)
		}
	})
}

// A loop of raw system calls without a preemption point stops the garbage collector
// and, on one processor, everything else. The child runs a busy session on one
// processor and must get collections done meanwhile; a hang is ended by the parent.
func TestABusySessionLetsTheRuntimeWork(t *testing.T) {
	if address := os.Getenv("LOAD_TEST_BUSY"); address != "" {
		busyChild(t, address)
		return
	}
	l := serve(t, "tcp", echo)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestABusySessionLetsTheRuntimeWork$", "-test.v")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "LOAD_TEST_BUSY="+l.Addr().String())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "collections done") {
		t.Fatalf("child: %v (%v)\n%s", err, context.Cause(ctx), out)
	}
}

func busyChild(t *testing.T, address string) {
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", address)
	}
	s := open(t, load.Plan{Connections: 20, Depth: 64}, lines{}, dial)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan load.Slice)
	go func() {
		got, _ := s.Slice(ctx, time.Hour, 0)
		ended <- got
	}()
	for range 10 {
		runtime.GC() // stops the world, the event loop included
		tick := time.NewTimer(time.Millisecond)
		<-tick.C // and another goroutine has its turn
	}
	cancel()
	got := <-ended
	if got.Answered == 0 {
		t.Error("the session was not busy")
	}
	fmt.Println("collections done beside", got.Answered, "answers")
}

func TestWorkersArePinnedAndTheirCPUTimeIsTaken(t *testing.T) {
	e := kind{network: "tcp"}
	if !e.eventLoop() {
		t.Skip("pinning is Linux only")
	}
	l := serve(t, "tcp", echo)
	s := open(t, load.Plan{Connections: 4, Depth: 64, CPUs: allowedCPUs(t)[:1]}, lines{}, e.dialer(l))
	got := s.slice(100*time.Millisecond, patient)
	if got.WorkerCPU <= 0 || got.WorkerCPU > got.WorkerWall+10*time.Millisecond {
		t.Errorf("worker cpu %v of %v", got.WorkerCPU, got.WorkerWall)
	}
	s.close()
	_, err := load.Open(context.Background(), load.Plan{Connections: 2, Depth: 1, Timeout: patient,
		CPUs: []int{1 << 9}}, lines{}, e.dialer(l))
	if err == nil || !strings.Contains(err.Error(), "pin thread to cpu 512") {
		t.Errorf("a CPU that does not exist: %v", err)
	}
}
