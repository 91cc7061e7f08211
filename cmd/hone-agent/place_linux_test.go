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
	out := newSaid()
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
	mu      sync.Mutex
	all     bytes.Buffer
	changed chan struct{} // closed by the next Write
}

func newSaid() *said { return &said{changed: make(chan struct{})} }

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
	return s.all.Write(p)
}

// now is what was written, and a channel that is closed when there is more.
func (s *said) now() (text string, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String(), s.changed
}

func (s *said) await(t *testing.T, text string) {
	t.Helper()
	for late := time.After(storytest.Patience); ; {
		all, more := s.now()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-more:
		case <-late:
			t.Fatalf("no %q in:\n%s", text, all)
		}
	}
}

func (s *said) String() string {
	all, _ := s.now()
	return all
}
