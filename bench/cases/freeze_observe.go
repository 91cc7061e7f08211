package cases

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

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
func (c freezing) observe(ctx context.Context, t side.Found, f freeze) (observation, error) {
	server, err := side.StartServer(ctx, side.NetHTTP, c.ServerCPU)
	if err != nil {
		return observation{}, err
	}
	var frozen freeze
	var freezer errgroup.Group // ends by itself, or with the server
	freezer.Go(func() (err error) {
		frozen, err = f.apply(ctx, server)
		return err
	})
	job := side.Job{URL: server.URL, Connections: c.connections, Duration: c.Slice}
	if t.Open {
		job.RateHz = c.rateHz
	}
	said, done, err := t.Run(ctx, c.ClientCPU, job)
	if err != nil {
		server.Process().Kill()
		server.Close() // that it was killed is no news
		return observation{}, err
	}
	if err := errors.Join(freezer.Wait(), server.Close()); err != nil {
		return observation{}, err
	}
	return observation{said: said, truth: frozen.truth(c.rateHz, c.Slice), took: done.Wall}, nil
}

// apply stops the server and lets it go on, by the plan, and returns the freeze as it was.
func (f freeze) apply(ctx context.Context, server *side.Server) (freeze, error) {
	if err := server.AwaitRequest(); err != nil {
		return f, err
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
		return f, fmt.Errorf("stop the server: %w", err)
	}
	f.at = time.Since(start)
	wait(f.at + f.stop)
	if err := server.Process().Signal(syscall.SIGCONT); err != nil {
		return f, fmt.Errorf("let the server go on: %w", err)
	}
	f.stop = time.Since(start) - f.at
	return f, nil
}
