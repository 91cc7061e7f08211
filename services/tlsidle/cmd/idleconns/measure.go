package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Result is what a measurement found. Schema grows when a field changes its meaning.
type Result struct {
	Schema int     `json:"schema"`
	Addr   string  `json:"addr"`
	Conns  int     `json:"conns"`
	RateHz float64 `json:"rate_hz"`
	Tally
	// OpenSeconds is how long it took to open the connections.
	OpenSeconds float64 `json:"open_seconds"`
	// Before, After and PerConn are nil if no process was named.
	Before  *Memory  `json:"before,omitempty"`
	After   *Memory  `json:"after,omitempty"`
	PerConn *PerConn `json:"bytes_per_connection,omitempty"`
}

const schema = 1

// Tally counts requests: Due = Sent + Unsent, Sent = Right + Wrong + Failed.
type Tally struct {
	Due    int `json:"due"`
	Sent   int `json:"sent"`
	Unsent int `json:"unsent"` // still waiting for a connection when the time was over
	Right  int `json:"right"`
	Wrong  int `json:"wrong"`  // answered, but not with what was asked for
	Failed int `json:"failed"` // not answered
	// FirstFault is the first that was wrong or failed.
	FirstFault string `json:"first_fault,omitempty"`
}

func (t *Tally) add(more Tally) {
	t.Due += more.Due
	t.Sent += more.Sent
	t.Unsent += more.Unsent
	t.Right += more.Right
	t.Wrong += more.Wrong
	t.Failed += more.Failed
	if t.FirstFault == "" {
		t.FirstFault = more.FirstFault
	}
}

func (r Result) good() bool { return r.Right == r.Due }

// measure does what p says.
func measure(ctx context.Context, p plan) (Result, error) {
	r := Result{Schema: schema, Addr: p.Addr, Conns: p.Conns, RateHz: p.RateHz}
	if p.Warm > 0 {
		warm, t, err := open(ctx, p, p.Warm)
		if err != nil {
			return r, fmt.Errorf("warm up: %w", err)
		}
		warm.close()
		if t.Right != t.Due {
			return r, fmt.Errorf("warm up: %s", t.FirstFault)
		}
	}
	if p.PID > 0 {
		before, err := settled(ctx, p)
		if err != nil {
			return r, err
		}
		r.Before = &before
	}
	begin := time.Now()
	conns, first, err := open(ctx, p, p.Conns)
	if err != nil {
		return r, err
	}
	defer conns.close()
	r.OpenSeconds = time.Since(begin).Seconds()
	r.Tally = first
	r.Tally.add(conns.send(ctx))
	if p.PID > 0 {
		after, err := settled(ctx, p)
		if err != nil {
			return r, err
		}
		per := after.per(p.Conns, *r.Before)
		r.After, r.PerConn = &after, &per
	}
	return r, ctx.Err()
}

// settled looks at the memory after a rest, in which a server may tidy up.
func settled(ctx context.Context, p plan) (Memory, error) {
	select {
	case <-ctx.Done():
		return Memory{}, ctx.Err()
	case <-time.After(p.Settle):
	}
	return readMemory(p.PID)
}

// text writes r for people.
func (r Result) text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d connections to %s, opened in %.1f s\n"+
		"%d requests due, one on each and then %v/s: %d right, %d wrong, %d failed, %d unsent\n",
		r.Conns, r.Addr, r.OpenSeconds, r.Due, r.RateHz, r.Right, r.Wrong, r.Failed, r.Unsent)
	if err == nil && r.FirstFault != "" {
		_, err = fmt.Fprintf(w, "first fault: %s\n", r.FirstFault)
	}
	if err == nil && r.PerConn != nil {
		_, err = fmt.Fprintf(w, "memory of the server: %d kB before, %d kB after\n"+
			"bytes per connection: %.0f resident (%.0f anonymous, %.0f of files)\n",
			r.Before.Resident>>10, r.After.Resident>>10, r.PerConn.Resident, r.PerConn.Anonymous, r.PerConn.File)
	}
	return err
}
