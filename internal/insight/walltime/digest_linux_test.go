package walltime_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/insight/walltime"
)

// startService starts a service and returns its address, and that of its trace; it ends with the test.
func startService(t *testing.T, name string) (addr, traces string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), serviceVariable+"="+name)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	addr, traces, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok {
		t.Fatalf("the service says %q", line)
	}
	return addr, traces
}

func now(t *testing.T) int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		t.Error(err)
	}
	return ts.Nano()
}

// loadAndTrace loads a service over so many connections while it traces itself.
func loadAndTrace(t *testing.T, name string, conns int) ([]byte, []walltime.Request) {
	t.Helper()
	addr, traces := startService(t, name)
	done := make(chan bool)
	var mu sync.Mutex
	var all []walltime.Request
	var clients, warm sync.WaitGroup
	warm.Add(conns)
	for conn := range conns {
		clients.Go(func() {
			answered := sync.OnceFunc(warm.Done)
			defer answered()
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			answers := bufio.NewReader(c)
			var mine []walltime.Request
			for {
				select {
				case <-done:
					mu.Lock()
					all = append(all, mine...)
					mu.Unlock()
					return
				case <-time.After(500 * time.Microsecond):
				}
				r := walltime.Request{Conn: int32(conn), Sent: now(t)}
				io.WriteString(c, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
				answer, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Error(err)
					return
				}
				io.Copy(io.Discard, answer.Body)
				r.Answered = now(t)
				answered()
				mine = append(mine, r)
			}
		})
	}
	warm.Wait()
	answer, err := http.Get("http://" + traces + "/trace")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	close(done)
	clients.Wait()
	return raw, all
}

// lineOf is the line of the services that has the marker.
func lineOf(t *testing.T, marker string) int {
	t.Helper()
	text, err := os.ReadFile("services_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "// "+marker) || strings.HasSuffix(line, "{ // "+marker) {
			return i + 1
		}
	}
	t.Fatalf("no line is marked %q", marker)
	return 0
}

// attempts is how many traces a planted cause may take to show itself: in one of them, other programs may have had the
// processors.
const attempts = 10

// traceUntil loads and traces a service until the digest of a trace shows what it has to.
func traceUntil(t *testing.T, name string, o walltime.Options,
	shows func(d *walltime.Digest, requests int) error) *walltime.Digest {
	t.Helper()
	for attempt := 1; ; attempt++ {
		raw, requests := loadAndTrace(t, name, 8)
		if o.From > 0 {
			o.Requests = requests
		}
		d, err := walltime.Read(bytes.NewReader(raw), o)
		if err != nil {
			t.Fatal(err)
		}
		if err = shows(d, len(requests)); err == nil {
			return d
		}
		if attempt == attempts {
			t.Fatalf("%s, in %d traces: %v: %+v", name, attempts, err, d.Causes)
		}
	}
}

// slowHas says whether slow requests have such a part.
func slowHas(d *walltime.Digest, is func(walltime.Part) bool) bool {
	return slices.ContainsFunc(d.Cohort(walltime.SlowName).Parts, is)
}

// ofOwnWaits is the share of such causes among those of the program, without waits for a processor and for the
// collector, which a busy machine makes longer.
func ofOwnWaits(d *walltime.Digest, is func(walltime.Cause) bool) float64 {
	such, all := 0.0, 0.0
	for _, c := range d.Causes {
		if c.State == walltime.Runnable || c.State == walltime.Collector {
			continue
		}
		if all += c.Share; is(c) {
			such += c.Share
		}
	}
	return such / max(all, 1e-9)
}

// TestLive finds the planted cause of a service that runs now. It need not be the largest.
func TestLive(t *testing.T) {
	want := lineOf(t, "cause mutex")
	d := traceUntil(t, "mutex", walltime.Options{Module: module, Slowest: 2, From: 97},
		func(d *walltime.Digest, _ int) error {
			if !slowHas(d, func(p walltime.Part) bool {
				return p.State == walltime.Lock && p.Line == want && p.Behind != nil && p.Behind.State == walltime.Sleep
			}) {
				return fmt.Errorf("no slow request waits for the lock of line %d behind a sleep", want)
			}
			return nil
		})
	checkSums(t, d, walltime.Connections, 50, 0.8)
	checkProfile(t, d)
}

// A handler with a time limit runs in a goroutine of its own, and so do the parts of a fan-out: what they wait for is
// what the request waits for.
func TestAGoroutineThatStandsForTheRequest(t *testing.T) {
	want := lineOf(t, "cause mutex")
	for _, name := range []string{"limited mutex", "divided mutex"} {
		traceUntil(t, name, walltime.Options{Module: module, From: 97}, func(d *walltime.Digest, _ int) error {
			if !slowHas(d, func(p walltime.Part) bool { return p.State == walltime.Lock && p.Line == want }) {
				return fmt.Errorf("no slow request waits for the lock of line %d", want)
			}
			return nil
		})
	}
}

// Goroutines that hand a request to each other are followed from the one that reads to the one that writes, also where
// a buffer lies between them.
func TestHandedOn(t *testing.T) {
	for _, c := range []struct {
		name  string
		state walltime.State
		cause string
	}{
		{"pumps", walltime.Channel, "cause pumps"},
		{"pool", walltime.Sleep, "held pool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cause, held := lineOf(t, c.cause), lineOf(t, "held "+c.name)
			d := traceUntil(t, c.name, walltime.Options{Module: module, From: 97},
				func(d *walltime.Digest, _ int) error {
					if share := ofOwnWaits(d, func(p walltime.Cause) bool {
						return p.State == c.state && p.Line == cause
					}); share <= 0.3 {
						return fmt.Errorf("slow requests wait for %.0f %% of the program's time in line %d", 100*share,
							cause)
					}
					if !slowHas(d, func(p walltime.Part) bool {
						return p.State == walltime.Sleep && p.Line == held ||
							p.Behind != nil && p.Behind.State == walltime.Sleep && p.Behind.Line == held
					}) {
						return fmt.Errorf("no slow request waits for line %d", held)
					}
					return nil
				})
			checkSums(t, d, walltime.HandedOn, 50, 0.9)
			checkProfile(t, d)
		})
	}
}

// TestWindowsOnly reads a trace without the requests of the generator.
func TestWindowsOnly(t *testing.T) {
	want := lineOf(t, "cause sleep")
	traceUntil(t, "sleep", walltime.Options{Module: module}, func(d *walltime.Digest, requests int) error {
		if n := float64(requests); float64(d.Requests) < 0.7*n || float64(d.Requests) > 1.1*n {
			return fmt.Errorf("%d windows for about %d requests", d.Requests, requests)
		}
		if !slowHas(d, func(p walltime.Part) bool { return p.State == walltime.Sleep && p.Line == want }) {
			return fmt.Errorf("no slow window sleeps in line %d", want)
		}
		return nil
	})
}

// traced is a digest of what this process does meanwhile.
func traced(t *testing.T, do func()) *walltime.Digest {
	t.Helper()
	var raw bytes.Buffer
	if err := trace.Start(&raw); err != nil {
		t.Fatal(err)
	}
	do()
	trace.Stop()
	d, err := walltime.Read(&raw, walltime.Options{Module: module})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Goroutines that come and go are requests only where they have to do with sockets.
func TestRequestsComeOverSockets(t *testing.T) {
	var all sync.WaitGroup
	d := traced(t, func() {
		for range 8 {
			all.Go(func() { time.Sleep(time.Millisecond) })
		}
		all.Wait()
	})
	if d.Requests != 0 || len(d.Cohorts) != 0 {
		t.Errorf("8 goroutines that sleep: %d requests by %s", d.Requests, d.Method)
	}

	// The server starts a goroutine for each byte that it reads. The client uses system calls: a goroutine that reads
	// and writes a net.Conn would be taken for a server, too.
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ends[0])
	file := os.NewFile(uintptr(ends[1]), "server")
	server, err := net.FileConn(file)
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	defer server.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		for one := make([]byte, 1); ; {
			if _, err := server.Read(one); err != nil {
				return
			}
			all.Go(func() {
				time.Sleep(time.Millisecond)
				server.Write([]byte("a"))
			})
		}
	}()
	d = traced(t, func() {
		for range 10 {
			one := make([]byte, 1)
			if _, err := unix.Write(ends[0], one); err != nil {
				t.Error(err)
			}
			if _, err := unix.Read(ends[0], one); err != nil {
				t.Error(err)
			}
		}
	})
	unix.Shutdown(ends[0], unix.SHUT_WR)
	<-read
	all.Wait()
	if d.Method != walltime.Goroutines || d.Requests < 9 || d.Requests > 10 { // the last may end after the trace
		t.Errorf("10 requests: %d by %s", d.Requests, d.Method)
	}
}

// record writes the traces that TestCauses reads: go test -trimpath -run TestRecord -record. -trimpath
// keeps the directories of this machine out of them.
var record = flag.Bool("record", false, "write testdata anew, on a machine that does nothing else")

func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("it writes testdata, with -record only")
	}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		raw, requests := loadAndTrace(t, name, 8)
		about := recording{Requests: requests}
		if name != "control" && name != "burner" {
			about.Cause = lineOf(t, "cause "+name)
		}
		if slices.Contains([]string{"mutex", "tokens", "workers", "fanout"}, name) {
			about.Held = lineOf(t, "held "+name)
		}
		about.write(t, name, raw)
	}
}
