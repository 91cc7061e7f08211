package gobench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/text/fail"
)

// liveProcess is a test binary that stays alive and runs a benchmark for each command. It is
// for one goroutine.
type liveProcess struct {
	cmd            *exec.Cmd
	commands       *os.File
	answers        *os.File
	lines          *bufio.Reader
	stdout, stderr *tail         // to be read once it has ended
	ended          chan struct{} // closed when the process, and what it left in its group, has ended
	err            error         // of the process, once it has ended
	used           time.Duration // CPU time from exec to exit, with children's, once it has ended
	turns          int
	timeout        time.Duration // of one turn
}

// turn is what one turn of a living process showed.
type turn struct {
	result      *benchfmt.Result
	wall, cpu   time.Duration // of the whole turn: preparations and forced collections are in it
	hasCPU      bool
	collections int // of the process so far
}

// live starts a program that waits for commands, and whose turns begin on a CPU (see cpuEnv). It is killed when ctx is
// done.
func (p program) live(ctx context.Context, timeout time.Duration, cpu int, args ...string) (*liveProcess, error) {
	theirs, commands, err := os.Pipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", p.path, err)
	}
	answers, answering, err := os.Pipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", p.path,
			errors.Join(err, theirs.Close(), commands.Close()))
	}
	l := &liveProcess{commands: commands, answers: answers, lines: bufio.NewReader(answers), ended: make(chan struct{}),
		timeout: timeout}
	l.cmd, l.stdout, l.stderr = p.command(ctx, args...)
	l.cmd.Env = append(l.cmd.Env, turnsEnv+"=1", cpuEnv+"="+strconv.Itoa(cpu))
	l.cmd.ExtraFiles = []*os.File{theirs, answering}
	started := make(chan error)
	// It ends with the process. The death signal of the child belongs to the thread that forks it.
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := l.cmd.Start()
		theirs.Close()
		answering.Close()
		started <- err
		if err != nil {
			return
		}
		left := endGroup(l.cmd)
		l.err = l.cmd.Wait()
		l.used = cpuWithChildren(l.cmd) + left
		close(l.ended)
	}()
	if err := <-started; err != nil {
		commands.Close()
		answers.Close()
		return nil, fail.New(fail.Environment, "start %s: %w", p.path, err)
	}
	return l, nil
}

// errTurn is wrapped by the errors of a turn whose process gave no answer that can be used.
var errTurn = errors.New("the living process gave no answer")

// take runs the benchmark with a name (as go test prints it, without -GOMAXPROCS) for n
// operations; 0 is a collection. When ctx is done, the error is ctx's; otherwise it is errTurn, and the
// process cannot be used any more.
func (l *liveProcess) take(ctx context.Context, name string, n int) (t turn, err error) {
	defer context.AfterFunc(ctx, func() { _ = l.answers.SetReadDeadline(time.Unix(1, 0)) })()
	if err := l.answers.SetReadDeadline(time.Now().Add(l.timeout)); err != nil {
		return t, fmt.Errorf("%w: %w", errTurn, err)
	}
	if ctx.Err() != nil { // it was done before the deadline was set
		return t, ctx.Err()
	}
	l.turns++
	function, _, _ := strings.Cut("Benchmark"+name, "/")
	cpu, hasCPU := cpuOf(l.cmd.Process.Pid)
	began := time.Now()
	if _, err := fmt.Fprintf(l.commands, "%d %d %s %s\n", l.turns, n, function, Exactly(name)); err != nil {
		return t, fmt.Errorf("%w: %w", errTurn, err)
	}
	output, err := l.answer()
	t.wall = time.Since(began)
	after, hasStill := cpuOf(l.cmd.Process.Pid)
	t.cpu, t.hasCPU = after-cpu, hasCPU && hasStill
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return t, fmt.Errorf("%w: a turn took more than %v", errTurn, l.timeout)
	case err != nil:
		return t, fmt.Errorf("%w: %w", errTurn, err)
	}
	return t, t.read(l.turns, n, output)
}

// collect has the process collect its garbage, and returns how long that took.
func (l *liveProcess) collect(ctx context.Context, name string) (time.Duration, error) {
	t, err := l.take(ctx, name, 0)
	return t.wall, err
}

// answer reads the output of a turn up to its last line.
func (l *liveProcess) answer() (string, error) {
	var text strings.Builder
	for {
		line, err := l.lines.ReadString('\n')
		if text.Len()+len(line) > keptStdout {
			return "", fmt.Errorf("it printed more than %d MB in a turn", keptStdout>>20)
		}
		text.WriteString(line)
		if err != nil || strings.HasPrefix(line, turnEnds+" ") {
			return text.String(), err
		}
	}
}

// read takes the result of a turn from its output.
func (t *turn) read(number, operations int, output string) error {
	before, last, _ := strings.Cut(output, "\n"+turnEnds+" ")
	count, collections, _ := strings.Cut(strings.TrimSpace(last), " ")
	n, err1 := strconv.Atoi(count)
	var err2 error
	t.collections, err2 = strconv.Atoi(collections)
	results := scan(before)
	switch {
	case err1 != nil || err2 != nil || n != number:
		return fmt.Errorf("%w: turn %d ended with %q", errTurn, number, last)
	case operations == 0:
		return nil
	case len(results) != 1:
		return fmt.Errorf("%w: it printed %d results in a turn\n%s", errTurn, len(results), lastLines(before))
	}
	t.result = results[0]
	return nil
}

// stopGrace is how long TestMain may take to clean up.
const stopGrace = 10 * time.Second

// stop ends the process as go test would: its TestMain cleans up. An exit code that is not
// 0 is errTurn.
func (l *liveProcess) stop(ctx context.Context) error {
	l.commands.Close()
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-l.ended:
	case <-timer.C:
		l.kill()
	}
	l.answers.Close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if l.err != nil {
		return fmt.Errorf("%w: %w\n%s", errTurn, l.err, l.lastWords())
	}
	return nil
}

// kill ends the process and its group at once.
func (l *liveProcess) kill() {
	l.commands.Close()
	select {
	case <-l.ended: // its number may belong to another process
	default:
		_ = l.cmd.Cancel() // it may end right now
	}
	<-l.ended
	l.answers.Close()
}

// lastWords are the end of the output of a process that has ended.
func (l *liveProcess) lastWords() string {
	return ending{stdout: l.stdout.String(), stderr: l.stderr.String()}.lastWords()
}
