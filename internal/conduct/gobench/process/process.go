package process

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/text/fail"
)

// Program is a test binary and how it is run.
type Program struct {
	Path string
	Dir  string   // of the package, where go test runs it
	Env  []string // whole
}

// Ending is what a process left behind.
type Ending struct {
	Stdout, Stderr string
	Wall           time.Duration
	CPU            time.Duration // user and system time, with that of children that were waited for
	Left           time.Duration // CPU time of what was left in its group
	Why            string        // of a failure: its exit status, or the time limit
}

// The output that is kept of a process: the end of it. A list of all benchmarks of a
// package is far shorter.
const (
	KeptStdout = 8 << 20
	keptStderr = 256 << 10
)

// Run runs the program to its end. The process is in a group of its own, and nothing of
// that group outlives the call; if hone is killed, the process is killed too, and the
// next hone ends what it leaves (on Linux).
// When ctx is done the group is killed and the error is ctx's. Otherwise the error is an
// *exec.ExitError, with the ending valid, or says why nothing could be started.
func (p Program) Run(ctx context.Context, args ...string) (Ending, error) {
	cmd, stdout, stderr := p.Command(ctx, args...)
	// The death signal of the child belongs to the thread that forks it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Ending{}, fail.New(fail.Environment, "start %s: %w", p.Path, err)
	}
	left := EndGroup(cmd)
	err := cmd.Wait()
	e := Ending{Stdout: stdout.String(), Stderr: stderr.String(), Wall: time.Since(began), CPU: CPUWithChildren(cmd),
		Left: left}
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	return e, err
}

// CPUWithChildren is the CPU time of a process that has ended, with that of the children it waited for.
func CPUWithChildren(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// Command is the program with arguments, in a group of its own, and the end of its output.
func (p Program) Command(ctx context.Context, args ...string) (cmd *exec.Cmd, stdout, stderr *Tail) {
	cmd = exec.CommandContext(ctx, p.Path, args...)
	cmd.Dir, cmd.Env = p.Dir, append(p.Env[:len(p.Env):len(p.Env)], "PWD="+p.Dir)
	stdout, stderr = &Tail{most: KeptStdout}, &Tail{most: keptStderr}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	lifetime.Mark(cmd)
	lifetime.Bind(cmd)
	return cmd, stdout, stderr
}

// Tail keeps the end of what is written to it.
type Tail struct {
	most int
	kept bytes.Buffer
}

func (t *Tail) Write(b []byte) (int, error) {
	t.kept.Write(b)
	if over := t.kept.Len() - t.most; over > t.most { // seldom, so that it costs little
		t.kept.Next(over)
	}
	return len(b), nil
}

func (t *Tail) String() string {
	b := t.kept.Bytes()
	return string(b[max(0, len(b)-t.most):])
}

// shownLines is how much of the output of a build or a benchmark an error shows.
const shownLines = 20

// LastWords are the lines of an ending that tell why: the failure report on standard
// output, and standard error from the panic on, whose trace may be long.
func (e Ending) LastWords() string {
	out, why := LastLines(e.Stdout), LastLines(e.Stderr)
	for _, mark := range []string{"panic: ", "fatal error: "} {
		if at := strings.Index(e.Stderr, mark); at >= 0 {
			lines := strings.Split(strings.TrimSpace(e.Stderr[at:]), "\n")
			why = strings.Join(lines[:min(len(lines), shownLines)], "\n")
			break
		}
	}
	return strings.TrimSpace(out + "\n" + why)
}

func LastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-shownLines):], "\n")
}
