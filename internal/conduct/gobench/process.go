package gobench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/text/fail"
)

// program is a test binary and how it is run.
type program struct {
	path string
	dir  string   // of the package, where go test runs it
	env  []string // whole
}

// ending is what a process left behind.
type ending struct {
	stdout, stderr string
	wall           time.Duration
	cpu            time.Duration // user and system time, with that of children that were waited for
	left           time.Duration // CPU time of what was left in its group
	why            string        // of a failure: its exit status, or the time limit
}

// The output that is kept of a process: the end of it. A list of all benchmarks of a
// package is far shorter.
const (
	keptStdout = 8 << 20
	keptStderr = 256 << 10
)

// run runs the program to its end. The process is in a group of its own, and nothing of
// that group outlives the call; if hone is killed, the process is killed too, and the
// next hone ends what it leaves (on Linux).
// When ctx is done the group is killed and the error is ctx's. Otherwise the error is an
// *exec.ExitError, with the ending valid, or says why nothing could be started.
func (p program) run(ctx context.Context, args ...string) (ending, error) {
	cmd, stdout, stderr := p.command(ctx, args...)
	// The death signal of the child belongs to the thread that forks it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return ending{}, fail.New(fail.Environment, "start %s: %w", p.path, err)
	}
	left := endGroup(cmd)
	err := cmd.Wait()
	e := ending{stdout: stdout.String(), stderr: stderr.String(), wall: time.Since(began), cpu: cpuWithChildren(cmd),
		left: left}
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	return e, err
}

// cpuWithChildren is the CPU time of a process that has ended, with that of the children it waited for.
func cpuWithChildren(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// command is the program with arguments, in a group of its own, and the end of its output.
func (p program) command(ctx context.Context, args ...string) (cmd *exec.Cmd, stdout, stderr *tail) {
	cmd = exec.CommandContext(ctx, p.path, args...)
	cmd.Dir, cmd.Env = p.dir, append(p.env[:len(p.env):len(p.env)], "PWD="+p.dir)
	stdout, stderr = &tail{most: keptStdout}, &tail{most: keptStderr}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	lifetime.Mark(cmd)
	lifetime.Bind(cmd)
	return cmd, stdout, stderr
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

// shownLines is how much of the output of a build or a benchmark an error shows.
const shownLines = 20

// lastWords are the lines of an ending that tell why: the failure report on standard
// output, and standard error from the panic on, whose trace may be long.
func (e ending) lastWords() string {
	out, why := lastLines(e.stdout), lastLines(e.stderr)
	for _, mark := range []string{"panic: ", "fatal error: "} {
		if at := strings.Index(e.stderr, mark); at >= 0 {
			lines := strings.Split(strings.TrimSpace(e.stderr[at:]), "\n")
			why = strings.Join(lines[:min(len(lines), shownLines)], "\n")
			break
		}
	}
	return strings.TrimSpace(out + "\n" + why)
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-shownLines):], "\n")
}

// goPath finds the go command.
func goPath() (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fail.New(fail.Environment,
			"there is no go command in PATH").WithHint("install Go, or add its bin directory to PATH")
	}
	return path, nil
}

// goCommand runs the go command on a side and returns its standard output. What it starts
// is killed with it when ctx is done. explain makes an error of a command that failed, given
// the end of its output.
func goCommand(ctx context.Context, s *builtSide, explain func(why error) error, args ...string) (string, error) {
	path, err := goPath()
	if err != nil {
		return "", err
	}
	e, err := program{path: path, dir: s.dir, env: s.env}.run(ctx, args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = explain(fmt.Errorf("%w\n%s", exit, lastLines(e.stderr+"\n"+e.stdout)))
	}
	return e.stdout, err
}
