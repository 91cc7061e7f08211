// Package promtest starts the Prometheus that is installed on this machine, for tests that
// hold hone's answers against it.
package promtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/nettest"
)

// Prometheus is one that runs, on a loopback port.
type Prometheus struct {
	URL     string // http://127.0.0.1:PORT
	Version string
	Major   int // of the version
	Data    string

	command *exec.Cmd
	said    *watched
	ended   chan struct{}
}

// Start starts the Prometheus in PATH on a directory of data, with more flags, and waits
// until it says that it is ready. It scrapes nothing. Without one the test is skipped. It
// is killed when the test ends.
func Start(t *testing.T, data string, flags ...string) *Prometheus {
	t.Helper()
	return StartWith(t, func(int) string { return "global: {}\n" }, data, flags...)
}

// StartWith is Start with a configuration, which may depend on the major version.
func StartWith(t *testing.T, configuration func(major int) string, data string, flags ...string) *Prometheus {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("no prometheus in PATH (apt-get install prometheus): nothing is compared with it")
	}
	p := &Prometheus{Data: data, ended: make(chan struct{}),
		said: &watched{awaited: []byte("ready to receive web requests"), seen: make(chan struct{})}}
	p.identify(t, program)
	config := filepath.Join(t.TempDir(), "prometheus.yml")
	if err := os.WriteFile(config, []byte(configuration(p.Major)), 0o600); err != nil {
		t.Fatal(err)
	}
	address := nettest.FreeAddress(t)
	p.URL = "http://" + address
	p.command = exec.Command(program, append([]string{"--config.file=" + config, "--storage.tsdb.path=" + data,
		"--storage.tsdb.retention.time=100y", "--web.listen-address=" + address}, flags...)...)
	p.command.Stdout, p.command.Stderr = p.said, p.said
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { // until the program ends, which the cleanup sees to
		_ = p.command.Wait() // how it ended is in what it said
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.command.Process.Kill() // it may have ended by itself
		<-p.ended
		if t.Failed() {
			t.Logf("Prometheus said: %s", p.said)
		}
	})
	select {
	case <-p.said.seen:
	case <-p.ended:
		t.Fatal("Prometheus ended")
	case <-time.After(time.Minute):
		t.Fatal("Prometheus is not ready after a minute")
	}
	return p
}

// Stop ends it in good order, so that its data can be read.
func (p *Prometheus) Stop(t *testing.T) {
	t.Helper()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatal("Prometheus does not end")
	}
}

func (p *Prometheus) identify(t *testing.T, program string) {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), program, "--version").CombinedOutput()
	m := regexp.MustCompile(`version ((\d+)\.\d+\.\S*?),? `).FindSubmatch(said)
	if err != nil || m == nil {
		t.Fatalf("%s --version: %v: %s", program, err, said)
	}
	p.Version = string(m[1])
	if p.Major, err = strconv.Atoi(string(m[2])); err != nil {
		t.Fatal(err)
	}
}

// watched keeps what is written and closes seen when something awaited was.
type watched struct {
	awaited []byte
	seen    chan struct{}

	mu   sync.Mutex
	text []byte
	done bool
}

func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, b...)
	if !w.done && bytes.Contains(w.text, w.awaited) {
		w.done = true
		close(w.seen)
	}
	return len(b), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}
