package agents

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gohone/hone/internal/text/inputs"
)

// Lines carry messages both ways, a line of JSON each.
type Lines struct {
	in   *bufio.Reader
	out  io.Writer
	mu   sync.Mutex   // of out
	most inputs.Bound // of a line
}

// NewLines returns lines that are read from in and written to out.
func NewLines(in io.Reader, out io.Writer) *Lines {
	return &Lines{in: bufio.NewReader(in), out: out, most: inputs.AgentMessage}
}

// Send sends a message. Any goroutine may call it.
func (l *Lines) Send(message any) error {
	line, err := json.Marshal(message)
	if err == nil {
		err = l.most.Over("", int64(len(line)))
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.out.Write(append(line, '\n'))
	return err
}

// Receive reads a message into a value. One goroutine may call it. The error is io.EOF if the other side has ended
// between two messages.
func (l *Lines) Receive(message any) error {
	var line []byte
	for {
		piece, err := l.in.ReadSlice('\n')
		if over := l.most.Over("", int64(len(line)+len(piece))); over != nil {
			return over
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			if err := json.Unmarshal(line, message); err != nil {
				return fmt.Errorf("read a message: %w", err)
			}
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return io.ErrUnexpectedEOF
		default:
			return err
		}
	}
}
