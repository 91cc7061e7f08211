package load_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/load"
)

// noisy is lines, and frames "~" of one byte that belong to no answer. Reading one takes longer than sending it does.
type noisy struct{ waste atomic.Uint64 }

func (p *noisy) Dialog(int) load.Dialog { return &noisyDialog{protocol: p} }

type noisyDialog struct {
	lineDialog
	protocol *noisy
	sum      uint64
}

// AppendControl and Room make it a protocol whose server may send what no request asked for.
func (d *noisyDialog) AppendControl(dst []byte) []byte { return dst }
func (d *noisyDialog) Room() int                       { return 1 << 20 }

func (d *noisyDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n := 0
	for n < len(in) && in[n] == '~' {
		for range 10 { // far more than a byte of a large write costs
			d.sum = d.sum*6364136223846793005 + 1442695040888963407
		}
		n++
	}
	if n > 0 {
		d.protocol.waste.Add(d.sum & 1)
		return n, load.Answer{Partial: true}
	}
	return d.lineDialog.NextAnswer(in, eof)
}

// flood sends frames that belong to no answer, for ever.
func flood(c net.Conn) {
	frames := make([]byte, 1<<20)
	for i := range frames {
		frames[i] = '~'
	}
	for {
		if _, err := c.Write(frames); err != nil {
			return
		}
	}
}

// A server that sends faster than its bytes are read holds up neither the clock, nor the other connections, nor the
// end.
func TestAFloodHoldsNothingUp(t *testing.T) {
	for name, schedule := range map[string]load.Schedule{
		"closed loop": load.ClosedLoop(50 * time.Millisecond), "open loop": load.OpenLoop(500, 50*time.Millisecond),
	} {
		t.Run(name, func(t *testing.T) {
			engines(t, func(t *testing.T, e kind) {
				var number atomic.Int32
				ends := make(chan struct{})
				end := sync.OnceFunc(func() { close(ends) })
				l := serve(t, e.network, func(c net.Conn) {
					if number.Add(1)%2 == 0 {
						echo(c)
						return
					}
					go func() { <-ends; c.Close() }()
					flood(c)
				})
				s := open(t, load.Plan{Connections: 4, Depth: 1}, &noisy{}, e.dialer(l))
				t.Cleanup(end)
				stuck := time.AfterFunc(patient, func() {
					t.Error("the load does not end")
					end() // the floods, and with them what is stuck
				})
				defer stuck.Stop()
				run := func(ctx context.Context, schedule load.Schedule, each func(load.Slice)) error {
					return s.Run(ctx, load.Stretch{Schedule: schedule, Interval: 10 * time.Millisecond}, each)
				}
				if err := run(t.Context(), schedule, func(load.Slice) {}); err != nil {
					t.Fatal(err)
				}
				// All but two, which the floods do not answer.
				var all load.Tally
				if err := run(t.Context(), load.Schedule{Requests: 20}, all.Add); err != nil ||
					all.Sent+all.Unsent < 18 {
					t.Errorf("%+v, %v", all.Counts, err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				err := run(ctx, load.ClosedLoop(time.Hour), func(got load.Slice) {
					if got.Answered > 0 {
						cancel()
					}
				})
				if cancel(); !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled: %v", err)
				}
				s.close()
			})
		})
	}
}

// A drain waits for what is outstanding. Neither an answer that drips, nor answers to other requests, keep it up.
func TestADrainEndsThoughBytesCome(t *testing.T) {
	for name, bytes := range map[string]string{"an answer without an end": "=", "answers to no request": "=999999\n"} {
		t.Run(name, func(t *testing.T) {
			engines(t, func(t *testing.T, e kind) {
				ends := make(chan struct{})
				l := serve(t, e.network, func(c net.Conn) {
					for tick := time.Tick(5 * time.Millisecond); ; {
						select {
						case <-tick:
						case <-ends:
							return
						}
						if _, err := c.Write([]byte(bytes)); err != nil {
							return
						}
					}
				})
				plan := load.Plan{Connections: 1, Depth: 1, Timeout: 100 * time.Millisecond}
				s := open(t, plan, lines{}, e.dialer(l))
				end := sync.OnceFunc(func() { close(ends) })
				t.Cleanup(end)
				stuck := time.AfterFunc(patient, func() { t.Error("the drain does not end"); end() })
				defer stuck.Stop()
				got := s.sliceFor(load.Schedule{Requests: 1}, plan.Timeout)
				if got.Answered > 0 || got.Failed+got.Unanswered != 1 {
					t.Errorf("%+v", got.Counts)
				}
			})
		})
	}
}

// mute is a connection that takes nothing and brings nothing, until its deadline.
type mute struct {
	net.Conn
	wrote, aborted chan struct{}
	once           sync.Once
	late           atomic.Bool // a deadline was set after the one that aborts
}

func (c *mute) Write([]byte) (int, error) {
	close(c.wrote)
	<-c.aborted
	return 0, os.ErrDeadlineExceeded
}

func (c *mute) Read([]byte) (int, error) {
	<-c.aborted
	return 0, os.ErrDeadlineExceeded
}

func (c *mute) SetDeadline(time.Time) error {
	c.once.Do(func() { close(c.aborted) })
	return nil
}

func (c *mute) SetReadDeadline(time.Time) error { c.late.Store(true); return nil }

func (c *mute) Close() error { return nil }

// The end of a session does not wait for a peer that takes nothing: the error with which the write ends gives it no
// more time.
func TestTheEndWaitsForNoWrite(t *testing.T) {
	c := &mute{wrote: make(chan struct{}), aborted: make(chan struct{})}
	s := open(t, load.Plan{Connections: 1, Depth: 1}, lines{},
		func(context.Context) (net.Conn, error) { return c, nil })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-c.wrote; cancel() }()
	if _, err := s.Slice(ctx, time.Hour, 0); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.close()
	if c.late.Load() {
		t.Error("the connection got more time when it was to end")
	}
}

// asked is a protocol whose server may ask for answers, one for each "?", and counts those that wait.
type asked struct{ most *atomic.Int64 }

func (p asked) Dialog(int) load.Dialog { return &askedDialog{most: p.most} }

type askedDialog struct {
	lineDialog
	most    *atomic.Int64
	control []byte
}

func (d *askedDialog) AppendControl(dst []byte) []byte {
	dst = append(dst, d.control...)
	d.control = d.control[:0]
	return dst
}

func (d *askedDialog) Room() int { return 1 << 20 }

func (d *askedDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	if n := bytes.Count(in, []byte("?")); n > 0 {
		d.control = append(d.control, in[:n]...)
		d.most.Store(max(d.most.Load(), int64(len(d.control))))
		if len(d.control) > 1<<20 {
			return n, load.Answer{Seq: 0, Cause: load.Malformed, Close: true}
		}
		return n, load.Answer{Partial: true}
	}
	return d.lineDialog.NextAnswer(in, eof)
}

// The answers to a server that asks and does not read wait in the dialog, which bounds them.
func TestAnswersToAServerThatDoesNotReadAreBounded(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, func(c net.Conn) {
			questions := bytes.Repeat([]byte("?"), 64<<10)
			for {
				if _, err := c.Write(questions); err != nil {
					return
				}
			}
		})
		p := asked{most: new(atomic.Int64)}
		s := open(t, load.Plan{Connections: 1, Depth: 1}, p, e.dialer(l))
		ctx, cancel := context.WithTimeout(t.Context(), patient)
		defer cancel()
		lost := false
		_ = s.Run(ctx, load.Stretch{Schedule: load.ClosedLoop(time.Hour), Interval: 10 * time.Millisecond},
			func(got load.Slice) {
				if got.Causes[load.Malformed] > 0 {
					lost = true
					cancel()
				}
			})
		if !lost {
			t.Errorf("the connection was not given up: at most %d bytes waited in the dialog", p.most.Load())
		}
		s.close()
	})
}
