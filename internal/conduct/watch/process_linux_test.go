package watch

import (
	"bufio"
	"errors"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

// service starts this test's executable as a service and returns it with its port.
func service(t *testing.T) (*exec.Cmd, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "run-helper:service")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return cmd, port
}

// A real process: found by its port, read, and seen to end.
func TestProcessByItsPort(t *testing.T) {
	cmd, port := service(t)
	for range 3 {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	w := &watched{find: func() (int, error) {
		return listenerOf(t.Context(), net.JoinHostPort("localhost", strconv.Itoa(port)))
	}}
	sources := processSources(w)
	p, s := sources[0], sources[1]
	if _, err := p.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.now() != cmd.Process.Pid || !strings.Contains(w.about(), "PID "+strconv.Itoa(cmd.Process.Pid)) {
		t.Fatalf("found %d (%s), want %d", w.now(), w.about(), cmd.Process.Pid)
	}
	if born, known := w.started(); !known || time.Since(born) > time.Minute || time.Since(born) < -time.Second {
		t.Errorf("started at %v, %v", born, known)
	}
	// Its rates settle as soon as it has done something between two readings.
	var r vitals.Reading
	for end := time.Now().Add(20 * time.Second); ; {
		var err error
		if r, err = p.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		calls, _ := r.ReadCallsPerSec.Get()
		switches, _ := r.VoluntaryPerSec.Get()
		cpu, _ := r.CPUCores.Get()
		if calls > 0 && switches > 0 && cpu > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("a busy process has no rates: %+v", r)
		}
		time.Sleep(time.Millisecond)
	}
	if threads, rss := must(t, "threads", r.Threads), must(t, "resident", r.ResidentBytes); threads < 2 || rss < 1e6 {
		t.Errorf("%v threads, %v bytes", threads, rss)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) { // accepted by then
		r, err := s.read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Connections == vitals.Of(3) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("connections %v, want 3", r.Connections)
		}
	}
	_ = cmd.Process.Kill() // it stays as a zombie until the test waits for it
	for {
		_, err := p.read(t.Context())
		if errors.As(err, new(ended)) {
			if !strings.Contains(err.Error(), "has ended") {
				t.Errorf("error %v", err)
			}
			break
		}
	}
	if r, err := s.read(t.Context()); err != nil || r.Connections.Known() {
		t.Errorf("connections of a dead process: %v, %v", r.Connections, err)
	}
	if _, err := p.read(t.Context()); !errors.As(err, new(ended)) { // the socket may outlive it by a moment
		t.Errorf("looked for again: %v", err)
	}
}

// Followed: the next process on the port is another one, and counts from the beginning.
func TestFollowedProcess(t *testing.T) {
	one, _ := service(t)
	two, _ := service(t)
	now := one.Process.Pid
	p := processSources(&watched{find: func() (int, error) { return now, nil }})[0]
	_, _ = p.read(t.Context())
	if _, err := p.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = one.Process.Kill()
	_ = one.Wait()
	if _, err := p.read(t.Context()); !errors.As(err, new(ended)) {
		t.Fatalf("error %v", err)
	}
	now = two.Process.Pid
	r, err := p.read(t.Context())
	if err != nil || r.CPUCores.Known() || !r.Threads.Known() {
		t.Errorf("the first reading of the next: %+v, %v", r, err)
	}
}

func TestNoSuchProcess(t *testing.T) {
	p := processSources(&watched{find: func() (int, error) { return 1<<22 + 1, nil }})[0] // beyond pid_max
	if _, err := p.read(t.Context()); !errors.As(err, new(ended)) {
		t.Errorf("error %v", err)
	}
}

func TestCovers(t *testing.T) {
	a := netip.MustParseAddr
	for _, c := range []struct {
		listener string
		to       netip.Addr
		want     bool
	}{
		{"127.0.0.1", a("127.0.0.1"), true}, {"127.0.0.1", a("127.0.0.2"), false}, {"0.0.0.0", a("10.1.1.1"), true},
		{"0.0.0.0", a("::1"), false}, {"::", a("::1"), true}, {"::", a("127.0.0.1"), true},
		{"::1", a("127.0.0.1"), false},
	} {
		if got := covers(a(c.listener), []netip.Addr{c.to}); got != c.want {
			t.Errorf("%s covers %s: %v", c.listener, c.to, got)
		}
	}
}

func TestAnotherMachine(t *testing.T) {
	_, err := listenerOf(t.Context(), "192.0.2.1:80") // TEST-NET-1, RFC 5737
	if !errors.As(err, new(refusal)) || !strings.Contains(err.Error(), "not this machine") {
		t.Errorf("error %v", err)
	}
}
