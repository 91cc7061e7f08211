package ptytest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Terminal is a pseudo terminal with a program on it.
type Terminal struct {
	*Screen
	t      testing.TB
	master *os.File
	cmd    *exec.Cmd
	drawn  chan struct{} // something was written
	copied chan struct{} // closed when no process can write any more
	before *unix.Termios

	mu     sync.Mutex
	ended  bool
	result error
}

// patience bounds every wait for something to appear. It is an end to a hanging test, not
// an assertion.
const patience = 60 * time.Second

// Start runs cmd with a new terminal as its controlling terminal, standard input, output
// and error, unless they are set. What is left of it at the end of the test is killed.
func Start(t testing.TB, cmd *exec.Cmd, width, height int) *Terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	term := &Terminal{Screen: NewScreen(width, height), t: t, master: master, cmd: cmd, drawn: make(chan struct{}, 1),
		copied: make(chan struct{})}
	term.setSize(width, height)
	if term.before, err = unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS); err != nil {
		t.Fatal(err)
	}
	if cmd.Stdin == nil {
		cmd.Stdin = slave
	}
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	if cmd.Stderr == nil {
		cmd.Stderr = slave
	}
	cmd.ExtraFiles = append(cmd.ExtraFiles, slave)
	// The terminal is the first of the extra files, number 3 in the program.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { // ends when the last holder of the terminal has closed it
		defer close(term.copied)
		_, _ = io.Copy(signalling{term}, master)
	}()
	over := make(chan struct{})
	go func() { // ends with the program
		defer close(over)
		err := cmd.Wait()
		term.mu.Lock()
		term.ended, term.result = true, err
		term.mu.Unlock()
		term.wake()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-over
		term.awaitCopied()
		master.Close()
		term.Screen.Close()
	})
	return term
}

// signalling writes to the screen and says so.
type signalling struct{ *Terminal }

func (s signalling) Write(b []byte) (int, error) {
	n, err := s.Screen.Write(b)
	s.wake()
	return n, err
}

func (term *Terminal) wake() {
	select {
	case term.drawn <- struct{}{}:
	default:
	}
}

// awaitCopied waits for the end of what the program wrote, unless a process that it left behind
// holds the terminal.
func (term *Terminal) awaitCopied() {
	select {
	case <-term.copied:
	case <-time.After(time.Second):
	}
}

func (term *Terminal) setSize(width, height int) {
	term.t.Helper()
	if err := pty.Setsize(term.master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		term.t.Fatal(err)
	}
}

// Resize changes the size, as a user who drags the corner of the window.
func (term *Terminal) Resize(width, height int) {
	term.t.Helper()
	term.Screen.Resize(width, height)
	term.setSize(width, height)
}

// Press types keys.
func (term *Terminal) Press(keys string) {
	term.t.Helper()
	if _, err := term.master.WriteString(keys); err != nil {
		term.t.Fatal(err)
	}
}

// Await waits until the screen shows something, and returns its text.
func (term *Terminal) Await(what string, shown func(text string) bool) string {
	term.t.Helper()
	late := time.After(patience)
	for {
		if text := term.Text(); shown(text) {
			return text
		}
		if ended, err := term.state(); ended {
			select { // its last words
			case <-term.copied:
			case <-time.After(time.Second): // another process holds the terminal
			}
			if text := term.Text(); shown(text) {
				return text
			}
			term.t.Fatalf("the program ended (%v) without %s on the screen:\n%s", err, what, term.Text())
		}
		select {
		case <-term.drawn:
		case <-late:
			term.t.Fatalf("no %s within %v on the screen:\n%s\nunknown sequences %q", what, patience, term.Text(),
				term.Unknown())
		}
	}
}

// AwaitText waits until the screen shows all the texts.
func (term *Terminal) AwaitText(texts ...string) string {
	term.t.Helper()
	return term.Await(fmt.Sprintf("%q", texts), func(text string) bool {
		for _, part := range texts {
			if !strings.Contains(text, part) {
				return false
			}
		}
		return true
	})
}

func (term *Terminal) state() (bool, error) {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.ended, term.result
}

// Signal sends a signal to the program.
func (term *Terminal) Signal(s os.Signal) {
	term.t.Helper()
	if err := term.cmd.Process.Signal(s); err != nil {
		term.t.Fatal(err)
	}
}

// AwaitExit waits for the end of the program and returns its exit code, -1 for a signal.
func (term *Terminal) AwaitExit() int {
	term.t.Helper()
	late := time.After(patience)
	for {
		if ended, err := term.state(); ended {
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				term.t.Fatal(err)
			}
			return term.cmd.ProcessState.ExitCode()
		}
		select {
		case <-term.drawn:
		case <-late:
			term.t.Fatalf("the program does not end within %v; its screen:\n%s", patience, term.Text())
		}
	}
}

// WantRestored fails the test unless the terminal is as it was before the program: its
// settings, the normal screen, and the cursor.
func (term *Terminal) WantRestored() {
	term.t.Helper()
	now, err := unix.IoctlGetTermios(int(term.master.Fd()), unix.TCGETS)
	if err != nil {
		term.t.Fatal(err)
	}
	if *now != *term.before {
		term.t.Errorf("the terminal's settings are not restored: %+v, were %+v", *now, *term.before)
	}
	term.Await("normal screen and cursor", func(string) bool { return term.Restored() })
}
