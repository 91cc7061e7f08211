package watch

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/conduct/watch/ptytest"
)

// onTerminal runs a watch of word in a process of its own on a terminal.
func onTerminal(t *testing.T, mode, word string, stdin io.Reader) *ptytest.Terminal {
	t.Helper()
	cmd := exec.Command(os.Args[0], "run-helper:screen", mode, word)
	cmd.Stdin = stdin
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	return ptytest.Start(t, cmd, 100, 30)
}

// A service of this process, that stands still on demand.
func freezing(t *testing.T) (addr string, freeze, thaw func()) {
	t.Helper()
	var frozen atomic.Pointer[chan struct{}]
	mux := pprofMux(true)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait := frozen.Load(); wait != nil {
			<-*wait
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	freeze = func() { c := make(chan struct{}); frozen.Store(&c) }
	thaw = func() {
		if c := frozen.Swap(nil); c != nil {
			close(*c)
		}
	}
	t.Cleanup(thaw)
	return s.Listener.Addr().String(), freeze, thaw
}

// The story of a watch: what is seen, each key, another size, the end.
func TestScreenStory(t *testing.T) {
	addr, _, _ := freezing(t)
	term := onTerminal(t, "", addr, nil)
	text := term.AwaitText(addr+"  PID "+strconv.Itoa(os.Getpid()), "goroutines", "heap", "cores", "connections",
		"q quit")
	if !strings.Contains(text, "/metrics: http://"+addr+"/metrics answers 404") {
		t.Errorf("what is missing is not said:\n%s", text)
	}
	if !term.Alternate() {
		t.Error("not on the alternate screen: what was on the terminal is lost")
	}
	term.Press("m")
	term.AwaitText("* ", "mark 1", "marks ")
	term.Press("p")
	term.AwaitText("no profiles: not here")
	term.Press(" ")
	term.AwaitText(" paused ")
	term.Press(" ")
	term.Await("no pause", func(text string) bool { return !strings.Contains(text, " paused ") })
	term.Press("?")
	term.AwaitText("established TCP connections of the process", "set a mark at this moment")
	term.Press("?")
	term.Await("the rows again", func(text string) bool { return !strings.Contains(text, "set a mark at this moment") })
	term.Resize(60, 15)
	term.Await("15 lines", func(text string) bool {
		lines := strings.Split(text, "\n")
		return len(lines) == 15 && strings.HasPrefix(lines[14], "p profile") && strings.Contains(text, "goroutines")
	})
	term.Resize(100, 30)
	term.Press("s")
	term.AwaitText("readings kept as run ")
	term.Press("q")
	if code := term.AwaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	term.WantRestored()
	if u := term.Unknown(); len(u) > 0 {
		t.Errorf("sequences that the emulator does not know: %q", u)
	}
}

// A service that stands still: the gap, how old the last values are, and what waits.
func TestScreenOfAFrozenService(t *testing.T) {
	addr, freeze, thaw := freezing(t)
	term := onTerminal(t, "", addr, nil)
	term.AwaitText("goroutines", "cores")
	freeze()
	term.AwaitText("·· ", " ago", "pprof pages: no answer for ")
	thaw()
	term.Await("values of now", func(text string) bool { return !strings.Contains(text, "no answer for") })
	term.Press("\x03") // Ctrl-C
	if code := term.AwaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	term.WantRestored()
}

// The process dies: the picture stays, says so, and hone ends with 3.
func TestScreenOfADyingService(t *testing.T) {
	cmd, port := service(t)
	term := onTerminal(t, "", fmt.Sprint("127.0.0.1:", port), nil)
	term.AwaitText("goroutines", "cores")
	_ = cmd.Process.Kill()
	term.AwaitText("gone for ", "has ended", "goroutines")
	if code := term.AwaitExit(); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	term.WantRestored()
	term.AwaitText(" is gone: ", "has ended")
}

// Followed, it comes back on the same port.
func TestScreenFollows(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	serve := func(l net.Listener) *http.Server {
		s := &http.Server{Handler: pprofMux(true)}
		go func() { _ = s.Serve(l) }() // ends with Close
		return s
	}
	s := serve(l)
	term := onTerminal(t, "follow", addr, nil)
	term.AwaitText("goroutines")
	_ = s.Close()
	term.AwaitText("pprof pages: ", "refused")
	if l, err = net.Listen("tcp", addr); err != nil {
		t.Fatal(err)
	}
	s = serve(l)
	defer s.Close()
	term.Await("no fault and no old value", func(text string) bool {
		old := slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
			return strings.Contains(line, " ago") && !strings.HasSuffix(line, " now") // which is the plots' axis
		})
		return !old && !strings.Contains(text, "refused")
	})
	term.Signal(syscall.SIGTERM)
	if code := term.AwaitExit(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	term.WantRestored()
}

// Faults of hone itself leave the terminal as it was, and say what they are.
func TestPanicsRestoreTheTerminal(t *testing.T) {
	for mode, key := range map[string]string{"panic-source": "", "panic-key": "m"} {
		t.Run(mode, func(t *testing.T) {
			addr, _, _ := freezing(t)
			term := onTerminal(t, mode, addr, nil)
			if key != "" {
				term.AwaitText("goroutines")
				term.Press(key)
			}
			if code := term.AwaitExit(); code == 0 {
				t.Error("exit code 0")
			}
			term.WantRestored()
		})
	}
}

// Lines of gctrace come by standard input, keys from the terminal.
func TestScreenOfGCTrace(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	term := onTerminal(t, "", "-", r)
	r.Close()
	fmt.Fprint(w, "listening\n", gcLine(1, 1))
	term.AwaitText("gctrace of standard input", "2.10 of 6.29 MB", "4.00 % since start")
	fmt.Fprint(w, gcLine(2, 2))
	term.AwaitText("of available")
	term.Press("q")
	if code := term.AwaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	term.WantRestored()
}
