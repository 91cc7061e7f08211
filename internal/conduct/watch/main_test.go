package watch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/text/fail"
)

// The test executable is also the guard of started programs, and a service to be watched:
// it turns into one of them by its first argument.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // children would linger for a second at their end
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "run-helper:guard":
			os.Exit(guard.Run())
		case "run-helper:service":
			runService()
		case "run-helper:screen":
			os.Exit(runScreen(os.Args[2], os.Args[3]))
		}
	}
	goleak.VerifyTestMain(m)
}

// runService serves net/http/pprof, says on which port on its standard output, keeps
// connections, and does a little work until it is killed.
func runService() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(3)
	}
	_, _ = os.Stdout.WriteString(strconv.Itoa(l.Addr().(*net.TCPAddr).Port) + "\n")
	go func() {
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
			time.Sleep(time.Millisecond)
			_, _ = os.ReadFile("/dev/null")
		}
		os.Exit(4) // it was not killed
	}()
	_ = http.Serve(l, pprofMux(true))
	os.Exit(3)
}

// runScreen watches word on the terminal, as hone does, and returns its exit code. In mode
// panic-source and panic-key it has a fault of its own.
func runScreen(mode, word string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	target, err := ParseTarget(word)
	if err != nil {
		return 2
	}
	var w *Watch
	screen := NewScreen(ScreenOptions{Output: os.Stdout, NoColour: mode == "no-colour", Do: func(a Action) {
		if mode == "panic-key" {
			panic("fault in a key")
		}
		w.Do(a)
	}})
	dir, err := os.MkdirTemp("", "hone-watch-test-")
	if err != nil {
		return 5
	}
	defer os.RemoveAll(dir)
	w, err = New(Config{
		Target: target, Input: os.Stdin, Interval: shortestInterval, Grace: 2 * time.Second, Keys: ScreenKeys(),
		Ledger:    dir + "/ledger",
		NoProfile: "not here", Follow: mode == "follow",
	}, screen)
	if err != nil {
		return 2
	}
	err = screen.While(ctx, context.Background(), func(ctx context.Context) error {
		if mode == "panic-source" {
			return w.run(ctx, []source{&scripted{what: "s",
				steps: []step{{value: cores(1)}, {panic: "fault in a source"}}}}, untitled)
		}
		return w.Run(ctx)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return fail.ExitCode(err)
}

// must returns a value, and fails the test if it is absent.
func must(t *testing.T, what string, v interface{ Get() (float64, bool) }) float64 {
	t.Helper()
	x, known := v.Get()
	if !known {
		t.Errorf("%s is not known", what)
	}
	return x
}

func sprint(v any) string { return fmt.Sprint(v) }
