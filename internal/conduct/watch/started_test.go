package watch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/vitals"
)

// garbage is a service that allocates with each request, and ends when it is told to.
const garbage = `package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

var kept [64][]byte

func main() {
	http.HandleFunc("/end", func(http.ResponseWriter, *http.Request) {
		fmt.Fprintln(os.Stderr, "told to end")
		os.Exit(7)
	})
	http.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "my_requests_total 5") })
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		kept[len(r.URL.Path)%64] = make([]byte, 1<<20)
	})
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
`

// started builds the service and starts it.
func started(t *testing.T, noInject bool) *Started {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/garbage\n\ngo 1.22\n", "main.go": garbage} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("TMPDIR", t.TempDir()) // else a phase of it is to sweep what killed hones of other tests left
	var phases []string
	s, err := Start(t.Context(), Launch{
		Word: ".", Args: []string{"127.0.0.1:{port}"}, NoInject: noInject,
		Guard: []string{os.Args[0], "run-helper:guard"}, WorkDir: dir,
		Say: func(phase string) { phases = append(phases, phase) },
	})
	if err != nil {
		t.Fatal(err)
	}
	// Tests of other packages kill hones, whose programs the next hone ends, whichever it is.
	phases = slices.DeleteFunc(phases, func(phase string) bool { return strings.HasPrefix(phase, "ended ") })
	if strings.Join(phases, ", ") != "build ., start ." {
		t.Errorf("phases %q", phases)
	}
	t.Cleanup(func() {
		if warning, err := s.Stop(context.Background()); warning != "" || err != nil {
			t.Errorf("stop: %q, %v", warning, err)
		}
		if _, err := os.Stat(s.dir.Path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("files are left: %v", err)
		}
	})
	return s
}

func ask(t *testing.T, address, page string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext}}
	answer, err := client.Get("http://" + address + page)
	if err == nil {
		answer.Body.Close()
	}
}

// watchStarted watches until a reading has what is wanted, while the service has work.
func watchStarted(t *testing.T, s *Started, wanted func(vitals.Reading) bool) {
	t.Helper()
	var w *Watch
	a := &album{}
	a.on = func(n int) {
		for range 8 {
			ask(t, s.Address(), "/")
		}
		last := a.readings[len(a.readings)-1]
		if wanted(*last) {
			w.Do(Quit)
		} else if n == 300 {
			t.Errorf("after %d readings: %+v; warnings %q", n, *last, a.last().Warnings)
			w.Do(Quit)
		}
	}
	w, err := New(Config{Target: Target{Word: "."}, Started: s, Interval: shortestInterval}, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if title := a.last().Title; !strings.Contains(title, s.Address()) {
		t.Errorf("title %q", title)
	}
}

func TestStartedWithTheProbe(t *testing.T) {
	s := started(t, false)
	if !s.Probed() {
		t.Fatal("no probe")
	}
	watchStarted(t, s, func(r vitals.Reading) bool {
		pause, _ := r.GCPauseP99Seconds.Get()
		cycles, _ := r.GCCyclesPerSec.Get()
		return pause > 0 && cycles > 0 && r.GCShare.Known() && r.Goroutines.Known() && r.CPUCores.Known() &&
			r.HeapLiveBytes.Known() &&
			r.RateName == "my_requests_total" && (runtime.GOOS != "linux" ||
			r.Connections.Known() && r.ReadCallsPerSec.Known())
	})
	captures, warnings, err := s.Captures(t.Context(), 200*time.Millisecond)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("profiles: %v, %q", err, warnings)
	}
	var kinds []string
	for _, c := range captures {
		kinds = append(kinds, c.Kind)
	}
	if got := strings.Join(kinds, " "); got != "cpu allocs heap goroutine" {
		t.Errorf("profiles %s", got)
	}
}

// Without the probe the program says it by gctrace, and by its exit code why it ended.
func TestStartedWithoutTheProbe(t *testing.T) {
	s := started(t, true)
	if s.Probed() {
		t.Fatal("a probe")
	}
	watchStarted(t, s, func(r vitals.Reading) bool {
		cycles, _ := r.GCCyclesPerSec.Get()
		return cycles > 0 && r.HeapGoalBytes.Known() && r.GCPauseP99Seconds.Known() && r.GCShareOfAvailable.Known() &&
			r.CPUCores.Known()
	})
	if _, _, err := s.Captures(t.Context(), time.Second); code(err) != 2 {
		t.Errorf("profiles: %v", err)
	}
	a := &album{on: func(n int) {
		if n == 2 {
			ask(t, s.Address(), "/end")
		}
	}}
	w, err := New(Config{Target: Target{Word: "."}, Started: s, Interval: shortestInterval}, a)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Run(t.Context())
	if code(err) != 3 || !strings.Contains(err.Error(), "ended with exit code 7") ||
		!strings.Contains(err.Error(), "told to end") {
		t.Errorf("error %v", err)
	}
	if fail.HintOf(err) == "" {
		t.Error("no hint")
	}
}

func TestStartThatFails(t *testing.T) {
	l := Launch{Word: "./nowhere", Guard: []string{os.Args[0], "run-helper:guard"}, WorkDir: t.TempDir(),
		Say: func(string) {}}
	t.Setenv("TMPDIR", t.TempDir())
	if _, err := Start(t.Context(), l); code(err) != 2 {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, l); code(err) != 130 {
		t.Errorf("interrupted: %v", err)
	}
}

func TestGODEBUGKeepsWhatItHas(t *testing.T) {
	t.Setenv("GODEBUG", "")
	if got := withTrace(nil); got != "gctrace=1" {
		t.Errorf("alone: %s", got)
	}
	t.Setenv("GODEBUG", "a=1")
	if got := withTrace(nil); got != "a=1,gctrace=1" {
		t.Errorf("with hone's own: %s", got)
	}
	if got := withTrace([]string{"X=1", "GODEBUG=b=2"}); got != "b=2,gctrace=1" {
		t.Errorf("with the variant's: %s", got)
	}
}
