package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// measurements are those of a session. One at a time is carried out: two would disturb each other.
type measurements struct {
	mu  sync.Mutex
	all []*measurement
}

// measurement is a child process of hone that measures.
type measurement struct {
	name    string // m1, m2, ...
	what    string // its command line
	patch   bool   // a patch is its input
	started time.Time
	process *exec.Cmd
	done    chan struct{} // closed when it has ended

	mu      sync.Mutex
	phases  []string // lines of progress, the newest last
	changed chan struct{}

	// What follows is set when done is closed.
	code     int
	document []byte // its JSON; empty if it printed none
	took     time.Duration
	broken   error // why there is no exit code
}

// maxDocument bounds what a measurement may print, maxPhases how many lines of its progress are kept.
const (
	maxDocument = 64 << 20
	maxPhases   = 200
)

// start begins a measurement: hone with args, and a patch as its input, if there is one.
func (s *Server) start(args []string, patch string) (*measurement, error) {
	all := &s.measured
	all.mu.Lock()
	defer all.mu.Unlock()
	if n := len(all.all); n > 0 {
		last := all.all[n-1]
		select {
		case <-last.done:
		default:
			err := fail.New(fail.BadInput, "measurement %s is under way: %s", last.name, last.what).
				WithHint("two at once would disturb each other: wait for it, or stop it")
			return nil, &nextError{err, []string{"status measurement=" + last.name + " wait_seconds=60",
				"status measurement=" + last.name + " stop=true"}}
		}
	}
	m := &measurement{
		name: fmt.Sprintf("m%d", len(all.all)+1), what: "hone " + strings.Join(args, " "), started: time.Now(),
		done: make(chan struct{}), changed: make(chan struct{}), patch: patch != "",
	}
	command := append(append([]string{}, s.Hone...), args...)
	m.process = exec.Command(command[0], command[1:]...)
	m.process.Dir = s.Folder
	if m.patch {
		m.process.Stdin = strings.NewReader(patch)
	}
	m.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C for the client's group is not for it
	endWithParent(m.process.SysProcAttr)
	out, err := m.process.StdoutPipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start hone: %w", err)
	}
	messages, err := m.process.StderrPipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start hone: %w", err)
	}
	begun := make(chan error)
	go m.carryOut(begun, out, messages)
	if err := <-begun; err != nil {
		return nil, fail.New(fail.Environment, "start hone: %w", err)
	}
	all.all = append(all.all, m)
	return m, nil
}

// carryOut starts the process and follows it to its end. It has its thread to itself: the kernel signals the process
// when the thread that started it ends (Pdeathsig in prctl(2)).
func (m *measurement) carryOut(begun chan<- error, out, messages io.Reader) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := m.process.Start()
	begun <- err
	if err != nil {
		return
	}
	var document bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&document, io.LimitReader(out, maxDocument))
		_, _ = io.Copy(io.Discard, out)
	}()
	lines := bufio.NewScanner(messages)
	for lines.Scan() {
		m.hear(lines.Text())
	}
	_, _ = io.Copy(io.Discard, messages) // behind a line that is too long
	<-read
	err = m.process.Wait()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		m.broken = err
	}
	m.code, m.document, m.took = m.process.ProcessState.ExitCode(), document.Bytes(), time.Since(m.started)
	close(m.done)
}

// hear takes a line of progress.
func (m *measurement) hear(line string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.phases = append(m.phases, line)
	m.phases = m.phases[max(0, len(m.phases)-maxPhases):]
	close(m.changed)
	m.changed = make(chan struct{})
}

// news returns the newest lines of progress, and what is closed when there is another one.
func (m *measurement) news(most int) (lines []string, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append(lines, m.phases[max(0, len(m.phases)-most):]...), m.changed
}

// wait waits until the measurement has ended, for a time, and tells each line of progress.
func (m *measurement) wait(ctx context.Context, most time.Duration, tell func(line string)) (ended bool) {
	over := time.NewTimer(most)
	defer over.Stop()
	for {
		lines, changed := m.news(1)
		if len(lines) > 0 {
			tell(lines[0])
		}
		select {
		case <-m.done:
			return true
		case <-changed:
		case <-over.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// stop ends the measurement as Ctrl-C does: its programs end, and what it has measured is kept.
func (m *measurement) stop() {
	select {
	case <-m.done:
	default:
		_ = m.process.Process.Signal(syscall.SIGINT) // it may have ended just now
	}
}

// id is the name of the run or the comparison in the ledger; empty if there is none.
func (m *measurement) id() string {
	type named struct {
		ID string `json:"id"`
	}
	var doc struct {
		named
		Comparison *named `json:"comparison"`
	}
	if json.Unmarshal(m.document, &doc) != nil {
		return ""
	}
	if doc.Comparison != nil {
		return doc.Comparison.ID
	}
	return doc.ID
}

// find returns a measurement by its name; the latest if it is empty.
func (all *measurements) find(name string) (*measurement, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	var names []string
	for i, m := range all.all {
		if m.name == name || name == "" && i == len(all.all)-1 {
			return m, nil
		}
		names = append(names, m.name)
	}
	err := fail.New(fail.BadInput, "this session has no measurement %q", name)
	if near := fail.Nearest(name, names); near != "" {
		return nil, err.WithHint("did you mean %q?", near)
	}
	if len(names) > 0 {
		return nil, err.WithHint("it has %s", strings.Join(names, ", "))
	}
	return nil, &nextError{err.WithHint("run, compare or bisect begins one; history lists those of earlier sessions"),
		[]string{"history"}}
}

// end ends the measurement under way and waits for that; what takes longer than most is killed.
func (all *measurements) end(most time.Duration) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, m := range all.all {
		m.stop()
		select {
		case <-m.done:
		case <-time.After(most):
			_ = m.process.Process.Kill() // its guard ends its programs
			<-m.done
		}
	}
}
