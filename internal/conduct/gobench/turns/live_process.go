package turns

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/text/fail"
)

// Process is a test binary that stays alive and runs a benchmark for each command. It is
// for one goroutine.
type Process struct {
	started  *process.Started
	commands *os.File
	answers  *os.File
	lines    *bufio.Reader
	turns    int
	timeout  time.Duration // of one turn
}

// Turn is what one turn of a living process showed.
type Turn struct {
	Result      *benchfmt.Result
	Wall, CPU   time.Duration // of the whole turn: preparations and forced collections are in it
	HasCPU      bool
	HeapGoal    uint64 // at the end of the turn
	Settings    Settings
	collections int // of the process so far
}

// Settings are those of the runtime, at the end of a turn. 0 is not known.
type Settings struct {
	GOGC        int    // as it was after the first turn of the process, in per cent; -1 where the collector is off
	GOMAXPROCS  uint64 // the threads that may run at once
	MemoryLimit uint64 // GOMEMLIMIT in bytes; probeclient.NoMemoryLimit and more is none
}

// Start starts a program that waits for commands, and whose turns begin on a CPU (see Environ). A turn may take so
// long. The process is killed when ctx is done.
func Start(ctx context.Context, p process.Program, timeout time.Duration, cpu int, args ...string) (*Process, error) {
	theirs, commands, err := os.Pipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", p.Path, err)
	}
	answers, answering, err := os.Pipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", p.Path,
			errors.Join(err, theirs.Close(), commands.Close()))
	}
	p.Env = append(slices.Clip(p.Env), Environ(cpu)...)
	started, err := p.Start(ctx, []*os.File{theirs, answering}, args...)
	theirs.Close()
	answering.Close()
	if err != nil {
		commands.Close()
		answers.Close()
		return nil, err
	}
	return &Process{started: started, commands: commands, answers: answers, lines: bufio.NewReader(answers),
		timeout: timeout}, nil
}

// ErrNoAnswer is wrapped by the errors of a turn whose process gave no answer that can be used.
var ErrNoAnswer = errors.New("the living process gave no answer")

// Take runs the benchmark with a name (as go test prints it, without -GOMAXPROCS) for n
// operations; 0 is a collection. When ctx is done, the error is ctx's; otherwise it is ErrNoAnswer, and the
// process cannot be used any more.
func (l *Process) Take(ctx context.Context, name string, n int) (t Turn, err error) {
	defer context.AfterFunc(ctx, func() { _ = l.answers.SetReadDeadline(time.Unix(1, 0)) })()
	if err := l.answers.SetReadDeadline(time.Now().Add(l.timeout)); err != nil {
		return t, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	if ctx.Err() != nil { // it was done before the deadline was set
		return t, ctx.Err()
	}
	l.turns++
	function, _, _ := strings.Cut("Benchmark"+name, "/")
	cpu, hasCPU := cpuOf(l.started.PID())
	began := time.Now()
	if _, err := fmt.Fprintf(l.commands, "%d %d %s %s\n", l.turns, n, function, benchtext.Exactly(name)); err != nil {
		return t, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	output, err := l.answer()
	t.Wall = time.Since(began)
	after, hasStill := cpuOf(l.started.PID())
	t.CPU, t.HasCPU = after-cpu, hasCPU && hasStill
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return t, fmt.Errorf("%w: a turn took more than %v", ErrNoAnswer, l.timeout)
	case err != nil:
		return t, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	return t, t.read(l.turns, n, output)
}

// collect has the process collect its garbage, and returns how long that took.
func (l *Process) collect(ctx context.Context, name string) (time.Duration, error) {
	t, err := l.Take(ctx, name, 0)
	return t.Wall, err
}

// mostAnswer is how much a process may print in a turn.
const mostAnswer = 8 << 20

// answer reads the output of a turn up to its last line.
func (l *Process) answer() (string, error) {
	var text strings.Builder
	for {
		line, err := l.lines.ReadString('\n')
		if text.Len()+len(line) > mostAnswer {
			return "", fmt.Errorf("it printed more than %d MB in a turn", mostAnswer>>20)
		}
		text.WriteString(line)
		if err != nil || strings.HasPrefix(line, turnEnds+" ") {
			return text.String(), err
		}
	}
}

// read takes the result of a turn from its output.
func (t *Turn) read(number, operations int, output string) error {
	before, last, _ := strings.Cut(output, "\n"+turnEnds+" ")
	n, words := 0, strings.Fields(last)
	_, err := fmt.Sscan(last, &n, &t.collections, &t.HeapGoal, &t.Settings.GOGC, &t.Settings.GOMAXPROCS,
		&t.Settings.MemoryLimit)
	results := benchtext.Scan(before)
	switch {
	case err != nil || len(words) != 6 || n != number:
		return fmt.Errorf("%w: turn %d ended with %q", ErrNoAnswer, number, last)
	case operations == 0:
		return nil
	case len(results) != 1:
		return fmt.Errorf("%w: it printed %d results in a turn\n%s", ErrNoAnswer, len(results), process.LastLines(before))
	}
	t.Result = results[0]
	return nil
}

// stopGrace is how long TestMain may take to clean up.
const stopGrace = 10 * time.Second

// Stop ends the process as go test would: its TestMain cleans up. An exit code that is not
// 0 is ErrNoAnswer.
func (l *Process) Stop(ctx context.Context) error {
	l.commands.Close()
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-l.started.Ended():
	case <-timer.C:
		l.Kill()
	}
	l.answers.Close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e, err := l.started.Wait(); err != nil {
		return fmt.Errorf("%w: %w\n%s", ErrNoAnswer, err, e.LastWords())
	}
	return nil
}

// Kill ends the process and its group at once.
func (l *Process) Kill() {
	l.commands.Close()
	l.started.Kill()
	l.answers.Close()
}

// Used is the CPU time from exec to exit, with that of children, of a process that has ended.
func (l *Process) Used() (cpu time.Duration, written process.Written) {
	e, _ := l.started.Wait()
	return e.CPU + e.Left, e.Written
}
