package cases

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/load"
)

// clientSlice is what one slice did, and what it cost the client's whole process.
type clientSlice struct {
	answers   float64
	cpu, wall time.Duration
}

// nanos are CPU time per request.
func (s clientSlice) nanos() float64     { return float64(s.cpu) / s.answers }
func (s clientSlice) perSecond() float64 { return s.answers / s.wall.Seconds() }

// openHone is hone's load engine in this process.
func openHone(ctx context.Context, cpu, connections int, port string, depth int) (*load.Session, error) {
	return honecli.OpenEngine(ctx, "framed://127.0.0.1:"+port, load.Plan{
		Connections: connections, Depth: depth, CPUs: []int{cpu}, Timeout: 2 * time.Second,
	})
}

// honeSlice counts the CPU time of all threads of this process: the runtime's share counts
// as the engine's.
func honeSlice(ctx context.Context, session *load.Session, d time.Duration) (clientSlice, error) {
	var s load.Slice
	cpu, err := proc.CPUOf(os.Getpid(), func() (err error) {
		s, err = honecli.RightSlice(session.Slice(ctx, d, time.Second))
		return err
	})
	return clientSlice{float64(s.Answered), cpu, s.Duration}, err
}

// bareSlice asks the client in C for a slice.
func bareSlice(client *proc.Dialog, d time.Duration) (clientSlice, error) {
	if _, err := fmt.Fprintln(client.In, d.Milliseconds()); err != nil {
		return clientSlice{}, fmt.Errorf("ask the C client for a slice: %w", err)
	}
	var answers, cpu, wall int64
	if _, err := fmt.Fscanln(client.Out, &answers, &cpu, &wall); err != nil {
		return clientSlice{}, fmt.Errorf("read the C client's slice: %w", err)
	}
	if answers == 0 {
		return clientSlice{}, errors.New("the C client got no answer")
	}
	return clientSlice{float64(answers), time.Duration(cpu), time.Duration(wall)}, nil
}
