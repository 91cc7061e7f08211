package process

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/text/fail"
)

// Started is a process that runs, in a group of its own.
type Started struct {
	cmd            *exec.Cmd
	stdout, stderr *tail
	ended          chan struct{} // closed when the process, and what it left in its group, has ended
	ending         Ending        // once it has ended
	err            error         // likewise
}

// The output that is kept of a process: the end of it. A list of all benchmarks of a
// package is far shorter.
const (
	keptStdout = 8 << 20
	keptStderr = 256 << 10
)

// Start starts the program, which gets more files than its three. It is killed, with its group, when ctx is done.
func (p Program) Start(ctx context.Context, files []*os.File, args ...string) (*Started, error) {
	path := p.Path
	if p.Plain {
		// What comes after the program keeps the shell from becoming it.
		path, args = "/bin/sh", append([]string{"-c", `"$0" "$@"; exit $?`, path}, args...)
	}
	s := &Started{cmd: exec.CommandContext(ctx, path, args...), stdout: &tail{most: keptStdout},
		stderr: &tail{most: keptStderr}, ended: make(chan struct{})}
	s.cmd.Dir, s.cmd.Env = p.Dir, append(p.Env[:len(p.Env):len(p.Env)], "PWD="+p.Dir)
	s.cmd.Stdout, s.cmd.Stderr, s.cmd.ExtraFiles = s.stdout, s.stderr, files
	mark := ""
	if !p.Plain {
		mark = lifetime.Mark(s.cmd)
	}
	lifetime.Bind(s.cmd)
	started := make(chan error)
	// It ends with the process. The death signal of the child belongs to the thread that forks it.
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		began := time.Now()
		err := s.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		left, written := endGroup(s.cmd, mark)
		s.err = s.cmd.Wait()
		s.ending = Ending{Stdout: s.stdout.String(), Stderr: s.stderr.String(), Wall: time.Since(began),
			CPU: s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime(), Left: left,
			Written: written}
		close(s.ended)
	}()
	if err := <-started; err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", p.Path, err)
	}
	return s, nil
}

// PID is the number of the process.
func (s *Started) PID() int { return s.cmd.Process.Pid }

// Ended is closed when the process, and what it left in its group, has ended.
func (s *Started) Ended() <-chan struct{} { return s.ended }

// Wait waits for the end of the process. The error is an *exec.ExitError where it failed.
func (s *Started) Wait() (Ending, error) {
	<-s.ended
	return s.ending, s.err
}

// Kill ends the process and its group at once, and waits for that.
func (s *Started) Kill() {
	select {
	case <-s.ended: // its number may belong to another process
	default:
		_ = s.cmd.Cancel() // it may end right now
	}
	<-s.ended
}

// tail keeps the end of what is written to it.
type tail struct {
	most int
	kept bytes.Buffer
}

func (t *tail) Write(b []byte) (int, error) {
	t.kept.Write(b)
	if over := t.kept.Len() - t.most; over > t.most { // seldom, so that it costs little
		t.kept.Next(over)
	}
	return len(b), nil
}

func (t *tail) String() string {
	b := t.kept.Bytes()
	return string(b[max(0, len(b)-t.most):])
}
