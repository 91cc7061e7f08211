package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Dialog is a program that is spoken to by lines. It ends when its input does, so that it
// does not outlive this process.
type Dialog struct {
	cmd *exec.Cmd
	In  io.WriteCloser
	Out *bufio.Reader
}

// Talk starts a program on one CPU (below 0: on any), with env besides this process's.
func Talk(cpu int, program string, args []string, env ...string) (*Dialog, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr, cmd.Env = os.Stderr, append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := startOn(cpu, cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	return &Dialog{cmd, in, bufio.NewReader(out)}, nil
}

// Process is for signals.
func (d *Dialog) Process() *os.Process { return d.cmd.Process }

// Close ends the program, which must not be stopped (SIGSTOP).
func (d *Dialog) Close() error {
	d.In.Close()
	return d.cmd.Wait()
}
