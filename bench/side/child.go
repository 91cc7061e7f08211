package side

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Child is a load generator at work.
type Child struct {
	cmd            *exec.Cmd
	program        string
	stdout, stderr bytes.Buffer
	started        time.Time
}

// Done is what a child left behind.
type Done struct {
	Stdout, Stderr []byte
	// CPU is user and system time of the whole process, its start included, as the
	// kernel accounts it at the end (wait4(2)).
	CPU, Wall time.Duration
}

// Start starts a program on one CPU (below 0: on any), with env beside its parent's
// environment. Cancelling ctx kills it.
func Start(ctx context.Context, cpu int, program string, c Command, env ...string) (*Child, error) {
	p := &Child{cmd: exec.CommandContext(ctx, program, c.Args...), program: filepath.Base(program)}
	p.cmd.Stdin = bytes.NewReader([]byte(c.Stdin))
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	p.cmd.Env = append(os.Environ(), env...)
	p.started = time.Now()
	if err := StartOn(cpu, p.cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.program, err)
	}
	return p, nil
}

// Pid is its process number.
func (p *Child) Pid() int { return p.cmd.Process.Pid }

// Wait waits for its end. The error says how it failed, with the end of what it wrote
// to standard error; Done is filled in then too, because a tool may report failures
// by its exit code.
func (p *Child) Wait() (Done, error) {
	err := p.cmd.Wait()
	d := Done{Stdout: p.stdout.Bytes(), Stderr: p.stderr.Bytes(), Wall: time.Since(p.started)}
	if s := p.cmd.ProcessState; s != nil {
		d.CPU = s.UserTime() + s.SystemTime()
	}
	if err != nil {
		tail := bytes.TrimSpace(d.Stderr)
		tail = tail[max(0, len(tail)-400):]
		err = fmt.Errorf("run %s: %w: %s", p.program, err, tail)
	}
	return d, err
}

// Run lets a tool do a job on one CPU (below 0: on any).
func Run(ctx context.Context, cpu int, t Found, j Job) (Report, Done, error) {
	p, err := Start(ctx, cpu, t.Program, t.Args(j))
	if err != nil {
		return Report{}, Done{}, err
	}
	d, failed := p.Wait()
	r, err := t.Read(t.Program, j, d.Stdout)
	if err != nil && failed != nil {
		err = failed // the reason why there is no report
	}
	return r, d, err
}
