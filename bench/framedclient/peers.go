package main

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

//go:embed peer/server.c peer/client.c
var sources embed.FS

// peers are the C programs, built in a directory of their own.
type peers struct {
	dir    string
	server *process
}

// buildPeers compiles the C programs with gcc -O2.
func buildPeers() (*peers, error) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return nil, errors.New("gcc is needed to build the C client and server (Debian: apt-get install gcc libc6-dev)")
	}
	dir, err := os.MkdirTemp("", "framedclient-")
	if err != nil {
		return nil, fmt.Errorf("make build directory: %w", err)
	}
	p := &peers{dir: dir}
	for _, name := range []string{"server", "client"} {
		source, err := sources.ReadFile("peer/" + name + ".c")
		if err != nil {
			return nil, errors.Join(err, p.remove())
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path+".c", source, 0o600); err != nil {
			return nil, errors.Join(err, p.remove())
		}
		if out, err := exec.Command(gcc, "-O2", "-Wall", "-o", path, path+".c").CombinedOutput(); err != nil {
			return nil, errors.Join(fmt.Errorf("build %s.c: %w\n%s", name, err, out), p.remove())
		}
	}
	return p, nil
}

// remove ends the server and deletes what was built.
func (p *peers) remove() error {
	var err error
	if p.server != nil {
		err = p.server.close()
	}
	return errors.Join(err, os.RemoveAll(p.dir))
}

// startServer returns the port that the C server listens on.
func (p *peers) startServer(cpu int) (port int, err error) {
	p.server, err = start(filepath.Join(p.dir, "server"), strconv.Itoa(cpu))
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Fscanln(p.server.out, &port); err != nil {
		return 0, fmt.Errorf("read the server's port: %w", err)
	}
	return port, nil
}

// startClient starts the C client, which connects and waits for slices.
func (p *peers) startClient(c config, port, depth int) (*bareClient, error) {
	proc, err := start(filepath.Join(p.dir, "client"),
		strconv.Itoa(c.clientCPU), strconv.Itoa(port), strconv.Itoa(c.connections), strconv.Itoa(depth))
	if err != nil {
		return nil, err
	}
	return &bareClient{proc}, nil
}

// bareClient is the C client.
type bareClient struct{ *process }

func (b *bareClient) slice(_ context.Context, d time.Duration) (sample, error) {
	if _, err := fmt.Fprintln(b.in, d.Milliseconds()); err != nil {
		return sample{}, fmt.Errorf("ask the C client for a slice: %w", err)
	}
	var answers, cpu, wall int64
	if _, err := fmt.Fscanln(b.out, &answers, &cpu, &wall); err != nil {
		return sample{}, fmt.Errorf("read the C client's slice: %w", err)
	}
	if answers == 0 {
		return sample{}, errors.New("the C client got no answer")
	}
	return sample{answers: float64(answers), cpu: time.Duration(cpu), wall: time.Duration(wall)}, nil
}

// process is a C program, which ends when its stdin does.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(path string, args ...string) (*process, error) {
	cmd := exec.Command(path, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(path), err)
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

func (p *process) close() error {
	p.in.Close()
	return p.cmd.Wait()
}
