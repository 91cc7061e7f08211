package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// place is a directory where programs run, with the keys and caches of a user in it.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T) place { return place{t, t.TempDir()} }

// command is a program of the stories, or another one of this machine.
func (p place) command(name string, args ...string) *exec.Cmd {
	if name == "hone" || name == "loadsvc" {
		name = filepath.Join(programs, name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "HOME="+p.dir, "XDG_CONFIG_HOME="+p.dir, "XDG_CACHE_HOME="+p.dir)
	return cmd
}

// start starts a command, which ends with the test.
func (p place) start(cmd *exec.Cmd) *said {
	p.t.Helper()
	out := &said{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended
		_ = cmd.Wait()
	})
	return out
}

// said collects what a program writes.
type said struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(p)
}

func (s *said) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(storytest.Patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(s.String(), text) {
			return
		}
	}
	t.Fatalf("no %q in:\n%s", text, s)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

func awaitThat(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(storytest.Patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s within %v", what, storytest.Patience)
		}
	}
}
