package film

import (
	"bytes"
	"os/exec"
	"strings"
	"time"

	"github.com/creack/pty"
)

// chunk is what arrived at the terminal at one time since the start of the command.
type chunk struct {
	at   time.Duration
	text []byte
}

// record runs a command in a terminal, and returns what it wrote, and how long it ran.
func record(cmd *exec.Cmd) (chunks []chunk, took time.Duration, err error) {
	start := time.Now()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: height, Cols: width})
	if err != nil {
		return nil, 0, err
	}
	defer terminal.Close()
	buffer := make([]byte, 64<<10)
	for { // until the read fails: all have closed the terminal (Linux says EIO)
		n, err := terminal.Read(buffer)
		if err != nil {
			break
		}
		chunks = append(chunks, chunk{at: time.Since(start), text: bytes.Clone(buffer[:n])})
	}
	took = time.Since(start)
	if err := cmd.Wait(); err != nil {
		return nil, 0, &failure{cmd, chunks, err}
	}
	return chunks, took, nil
}

// failure is the error of a command, with what it wrote.
type failure struct {
	cmd    *exec.Cmd
	chunks []chunk
	err    error
}

func (f *failure) Error() string {
	var wrote strings.Builder
	for _, c := range f.chunks {
		wrote.Write(c.text)
	}
	return strings.Join(f.cmd.Args, " ") + ": " + f.err.Error() + "\n" + wrote.String()
}

func (f *failure) Unwrap() error { return f.err }
