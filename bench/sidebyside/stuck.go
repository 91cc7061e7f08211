package sidebyside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/services/framed"
)

const (
	stuckClients = 4
	// stuckBound is where a server is ended, for the machine's sake.
	stuckBound = 2_000_000_000
	// stuckLook is how often its memory is looked at: some 20 MB at the rate at which one
	// CPU can fill memory from sockets.
	stuckLook = 10 * time.Millisecond

	megabyte = 1e6
)

func stuckContests(l *lab) []*contest {
	return []*contest{{
		Name:    "framed, clients that never read",
		Measure: "peak resident memory of the server",
		Unit:    "MB",
		beside:  []string{"MB sent"},
		Setting: fmt.Sprintf("%d connections, each sends submits as fast as they are taken for %v and reads no answer; a server is ended at %d MB",
			stuckClients, 2*l.window, int64(stuckBound/megabyte)),
		Entrants: framedEntrants(),
		verify:   l.verifyFramed,
		run:      l.fresh(l.leaveUnread),
		goals: func(c *contest) []goal {
			return []goal{
				c.atMost("reactor stays under 16 MB", nameReactor, 16),
				c.atLeast("where gnet passes 500 MB", nameGnet, 500),
				c.atLeast("where nbio passes 500 MB", nameNbio, 500),
				c.atLeast("where netpoll passes 500 MB", nameNetpoll, 500),
			}
		},
	}}
}

// leaveUnread measures a server under clients that send and do not read.
func (l *lab) leaveUnread(ctx context.Context, _ *entrant, s *proc.Server) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*l.window)
	defer cancel()
	var sent atomic.Int64
	faults := make([]error, stuckClients)
	var clients sync.WaitGroup
	for i := range stuckClients {
		clients.Go(func() { faults[i] = sendOnly(ctx, s.Addr, &sent) })
	}
	peak, over, err := watchMemory(ctx, s, stuckBound)
	cancel()
	clients.Wait()
	if err = errors.Join(append(faults, err)...); err != nil {
		return sample{}, err
	}
	return sample{value: float64(peak) / megabyte, over: over, beside: []float64{float64(sent.Load()) / megabyte}}, nil
}

// watchMemory looks at the server's memory until ctx ends, or it had more than bound, and
// returns the most that it had.
func watchMemory(ctx context.Context, s *proc.Server, bound int64) (peak int64, over bool, err error) {
	look := time.NewTicker(stuckLook)
	defer look.Stop()
	for {
		if _, peak, err = proc.Memory(s.Pid()); err != nil {
			return peak, false, errors.Join(err, s.Fault())
		}
		if peak > bound {
			return peak, true, nil
		}
		select {
		case <-ctx.Done():
			return peak, false, nil
		case <-s.Ended():
			return peak, false, s.Fault()
		case <-look.C:
		}
	}
}

// sendOnly sends submits until ctx ends and counts their bytes. That the server ends the
// connection is its good right.
func sendOnly(ctx context.Context, addr string, sent *atomic.Int64) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.SetWriteDeadline(time.Now()) })
	defer stop()
	one := framed.AppendRequest(nil, framed.Submit{Command: framed.CommandSubmit, Payload: make([]byte, 24)})
	many := bytes.Repeat(one, framed.MaxFrame/len(one))
	for {
		n, err := c.Write(many)
		sent.Add(int64(n))
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET):
			return nil
		case err != nil:
			return fmt.Errorf("send submits: %w", err)
		}
	}
}
