// Package backend is the second process that services of the benchmark tail ask: it answers after as
// long as it is told to, over HTTP and in lines of text.
package backend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Flag is the flag with which a service starts its own executable as its backend.
const Flag = "backend"

// Backend is one at work.
type Backend struct {
	// Lines is the address of lines: each is a duration such as 4ms, and answered by "done" after it.
	Lines string
	http  string
}

// URL is what to get for an answer after wait.
func (b *Backend) URL(wait time.Duration) string {
	return "http://" + b.http + "/?wait=" + wait.String()
}

// Client is a client for the backend that keeps its connections: at most limit, or any number for 0.
func (b *Backend) Client(limit int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxConnsPerHost: limit, MaxIdleConnsPerHost: 1024}}
}

// Start starts this executable as a backend, which ends with ctx or with this process.
func Start(ctx context.Context) (*Backend, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the backend's executable: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "-"+Flag)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil { // its end is the end of the backend
		return nil, fmt.Errorf("start the backend: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the backend: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the backend: %w", err)
	}
	b := &Backend{}
	if _, err := fmt.Fscanln(out, &b.http, &b.Lines); err != nil {
		return nil, errors.Join(fmt.Errorf("read the backend's addresses: %w", err), cmd.Process.Kill(), cmd.Wait())
	}
	go func() { _ = cmd.Wait() }() // ends with the backend, whose death shows in its answers
	return b, nil
}

// Serve is the backend: it says on out where it listens, and serves until in ends.
func Serve(in io.Reader, out io.Writer) error {
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	lines, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if _, err := fmt.Fprintln(out, web.Addr(), lines.Addr()); err != nil {
		return fmt.Errorf("write the addresses: %w", err)
	}
	failed := make(chan error, 2)
	go func() { failed <- http.Serve(web, http.HandlerFunc(answer)) }() // both end with the process
	go func() { failed <- serveLines(lines) }()
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, in)
		ended <- err
	}()
	select {
	case err := <-failed:
		return err
	case err := <-ended:
		return err
	}
}

func answer(w http.ResponseWriter, r *http.Request) {
	wait, err := time.ParseDuration(r.URL.Query().Get("wait"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	time.Sleep(wait)
	_, _ = io.WriteString(w, "done\n") // a client that has gone needs no answer
}

func serveLines(ln net.Listener) error {
	for {
		conn, err := ln.Accept()
		if err != nil {
			return err
		}
		go answerLines(conn) // ends with the connection
	}
}

func answerLines(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		text := "done\n"
		if wait, err := time.ParseDuration(strings.TrimSpace(line)); err == nil {
			time.Sleep(wait)
		} else {
			text = err.Error() + "\n"
		}
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
	}
}
