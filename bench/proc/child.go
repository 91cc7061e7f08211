// Package proc builds, starts, measures and stops the programs of benchmarks. Pinning and
// CPU clocks need Linux.
package proc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Command says what to start.
type Command struct {
	Program string
	Args    []string
	Dir     string   // where it runs; empty: where this process does
	Env     []string // besides this process's
	Stdin   string
	// Stderr gets what the program writes to it, which is kept as well; it may be nil.
	Stderr io.Writer
	// Interrupt has the program interrupted when its context ends, and killed only 30 s
	// later: hone ends its subjects before itself.
	Interrupt bool
}

// Child is a program at work.
type Child struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	kill           context.CancelFunc
	ended          chan struct{} // closed when it has ended; then the fields below are set
	wall           time.Duration
	err            error
}

// Done is what a program left behind.
type Done struct {
	Stdout, Stderr []byte
	// Code is the exit code, -1 if a signal ended it.
	Code int
	// CPU is user and system time of the whole process, its start included, as the
	// kernel accounts it at the end (wait4(2)).
	CPU, Wall time.Duration
	// Peak is the largest resident set, with those of children that it waited for, in bytes.
	Peak int64
	// Switches is how often its threads were switched away from a CPU, of their own will or not.
	Switches int64
}

// Start starts a program on one CPU (below 0: on any). Cancelling ctx ends it.
func Start(ctx context.Context, cpu int, c Command) (*Child, error) {
	ctx, kill := context.WithCancel(ctx)
	p := &Child{cmd: exec.CommandContext(ctx, c.Program, c.Args...), kill: kill, ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(c.Stdin), &p.stdout, &p.stderr
	if c.Stderr != nil {
		p.cmd.Stderr = io.MultiWriter(&p.stderr, c.Stderr)
	}
	if c.Interrupt {
		p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
		p.cmd.WaitDelay = 30 * time.Second
	}
	started := time.Now()
	if err := startOn(cpu, p.cmd); err != nil {
		kill()
		return nil, fmt.Errorf("start %s: %w", filepath.Base(c.Program), err)
	}
	go func() { // ends with the program
		p.err = p.cmd.Wait()
		p.wall = time.Since(started)
		kill()
		close(p.ended)
	}()
	return p, nil
}

// Run starts a program and waits for its end.
func Run(ctx context.Context, cpu int, c Command) (Done, error) {
	p, err := Start(ctx, cpu, c)
	if err != nil {
		return Done{}, err
	}
	return p.Wait()
}

// Pid is its process number.
func (p *Child) Pid() int { return p.cmd.Process.Pid }

// Ended is closed when it has ended.
func (p *Child) Ended() <-chan struct{} { return p.ended }

// Wait waits for its end. The error says how it failed, with the end of what it wrote
// to standard error; Done is filled in then too, because a program may report failures
// by its exit code.
func (p *Child) Wait() (Done, error) {
	<-p.ended
	d := Done{Stdout: p.stdout.Bytes(), Stderr: p.stderr.Bytes(), Wall: p.wall}
	if s := p.cmd.ProcessState; s != nil {
		d.CPU, d.Code = s.UserTime()+s.SystemTime(), s.ExitCode()
		if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
			d.Peak = int64(usage.Maxrss) << 10 // getrusage(2): in kB
			d.Switches = usage.Nvcsw + usage.Nivcsw
		}
	}
	if p.err != nil {
		tail := bytes.TrimSpace(d.Stderr)
		tail = tail[max(0, len(tail)-400):]
		return d, fmt.Errorf("run %s: %w: %s", filepath.Base(p.cmd.Path), p.err, tail)
	}
	return d, nil
}

// Fault says how it ended; nil if it has not.
func (p *Child) Fault() error {
	select {
	case <-p.ended:
	default:
		return nil
	}
	if _, err := p.Wait(); err != nil {
		return fmt.Errorf("the program ended: %w", err)
	}
	return fmt.Errorf("the program %s ended", filepath.Base(p.cmd.Path))
}

// Stop kills it and waits for its end: it was measured, and what it would do at its end
// was not.
func (p *Child) Stop() {
	p.kill()
	<-p.ended
}

// Terminate asks it to end (SIGTERM), which has to succeed.
func (p *Child) Terminate() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // one that has ended already is waited for
	_, err := p.Wait()
	return err
}
