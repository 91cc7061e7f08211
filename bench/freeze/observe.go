package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/gohone/hone/bench/side"
)

// freeze is when the server stands still, counted from its first request.
type freeze struct {
	name     string
	at, stop time.Duration
}

// observation is what a tool said, and the truth of the very run: the moments at which
// the server really was stopped and went on.
type observation struct {
	said, truth side.Report
	took        time.Duration
}

// observe starts a server and a tool, and stops the server for a while.
func observe(ctx context.Context, c config, t side.Found, f freeze) (observation, error) {
	dir, err := os.MkdirTemp("", "freeze-")
	if err != nil {
		return observation{}, fmt.Errorf("make directory: %w", err)
	}
	defer os.RemoveAll(dir)
	server, err := side.StartServer(ctx, side.NetHTTP, c.serverCPU)
	if err != nil {
		return observation{}, err
	}
	frozen := make(chan outcome, 1)
	go func() { frozen <- f.apply(ctx, server) }() // ends by itself, or with the server
	job := side.Job{URL: server.URL, Connections: c.connections, Duration: c.length, Dir: dir}
	if t.Open {
		job.RateHz = c.rateHz
	}
	said, done, err := t.Run(ctx, c.clientCPU, job)
	if err != nil {
		server.Process().Kill()
		server.Close() // that it was killed is no news
		return observation{}, err
	}
	got := <-frozen
	if err := errors.Join(got.err, server.Close()); err != nil {
		return observation{}, err
	}
	return observation{said: said, truth: got.freeze.truth(c.rateHz, c.length), took: done.Wall}, nil
}

// outcome is the freeze as it was.
type outcome struct {
	freeze
	err error
}

// apply stops the server and lets it go on, by the plan.
func (f freeze) apply(ctx context.Context, server *side.Server) outcome {
	if err := server.AwaitRequest(); err != nil {
		return outcome{f, err}
	}
	start := time.Now()
	wait := func(until time.Duration) {
		select {
		case <-time.After(time.Until(start.Add(until))):
		case <-ctx.Done():
		}
	}
	wait(f.at)
	if err := server.Process().Signal(syscall.SIGSTOP); err != nil {
		return outcome{f, fmt.Errorf("stop the server: %w", err)}
	}
	f.at = time.Since(start)
	wait(f.at + f.stop)
	if err := server.Process().Signal(syscall.SIGCONT); err != nil {
		return outcome{f, fmt.Errorf("let the server go on: %w", err)}
	}
	f.stop = time.Since(start) - f.at
	return outcome{f, nil}
}
