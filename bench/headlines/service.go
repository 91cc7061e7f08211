package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// service is a running program that said on stderr where it listens.
type service struct {
	addr string
	pid  int
	cmd  *exec.Cmd
	// read is closed when all of stderr is read.
	read   chan struct{}
	cancel context.CancelFunc
}

// serve starts a service on a free port. The caller stops it.
func serve(ctx context.Context, program string, args ...string) (*service, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &service{cmd: exec.CommandContext(ctx, program, append(args, "-addr", "127.0.0.1:0")...), read: make(chan struct{}), cancel: cancel}
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = 15 * time.Second // then it is killed; the services themselves give up after 10
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	s.pid = s.cmd.Process.Pid
	lines := bufio.NewReader(stderr)
	var said bytes.Buffer
	for s.addr == "" && err == nil {
		var line string
		line, err = lines.ReadString('\n')
		said.WriteString(line)
		s.addr = listening(line)
	}
	go func() { // ends with the program
		defer close(s.read)
		io.Copy(io.Discard, lines)
	}()
	if s.addr == "" {
		s.stop()
		return nil, fmt.Errorf("start %s: it does not say where it listens: %w\n%s", program, err, said.Bytes())
	}
	return s, nil
}

// listening is the address in a line of slog's text, empty if there is none.
func listening(line string) string {
	for _, field := range strings.Fields(line) {
		if text, ok := strings.CutPrefix(field, "addr="); ok {
			if unquoted, err := strconv.Unquote(text); err == nil {
				text = unquoted
			}
			return text
		}
	}
	return ""
}

// stop ends the service. What it ends with is of no interest: it was told to.
func (s *service) stop() {
	s.cancel()
	<-s.read
	_ = s.cmd.Wait()
}
