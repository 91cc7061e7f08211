package service

import (
	"context"

	"github.com/gohone/hone/internal/conduct/timed"
)

// runtimeWatch reads a subject's runtime beside a load that goes on, one reading at a time:
// a program that is busy may take long to answer, and the load must not wait for it.
type runtimeWatch struct {
	*start
	block    int
	requests uint64 // answered so far
	last     *watched
	answer   chan watched // of the reading under way
	underway bool
}

// watched is a reading, and how many requests had been answered when it was asked for.
type watched struct {
	*reading
	requests uint64
	err      error
}

// watchRuntime takes the first reading; the load is to follow.
func (s *start) watchRuntime(ctx context.Context, block int) *runtimeWatch {
	w := &runtimeWatch{start: s, block: block, answer: make(chan watched, 1)}
	if r := s.readRuntime(ctx); r != nil {
		w.last = &watched{reading: r}
	}
	return w
}

// next notes that a slice has ended, and asks for a reading unless one is under way.
func (w *runtimeWatch) next(ctx context.Context, answered uint64) {
	w.requests += answered
	if w.underway {
		select {
		case got := <-w.answer:
			w.take(ctx, got)
		default:
			return
		}
	}
	if w.runtimeGauge == nil {
		return
	}
	w.underway = true
	gauge, requests := w.runtimeGauge, w.requests
	go func() { // ends with the answer, which is awaited by end
		r, err := gauge.read(ctx)
		w.answer <- watched{r, requests, err}
	}()
}

// end waits for the reading under way and takes a last one.
func (w *runtimeWatch) end(ctx context.Context) {
	if w.underway {
		w.take(ctx, <-w.answer)
	}
	if r := w.readRuntime(ctx); r != nil {
		w.take(ctx, watched{reading: r, requests: w.requests})
	}
}

func (w *runtimeWatch) take(ctx context.Context, got watched) {
	w.underway = false
	if got.err != nil {
		w.loseGauge(ctx, got.err)
		return
	}
	if w.last != nil {
		w.between(w.last.reading, got.reading, timed.Moment{
			Start: w.block, At: w.last.at, Took: got.at.Sub(w.last.at), Requests: got.requests - w.last.requests,
		})
	}
	w.last = &got
	w.showRuntime(got.metrics)
}
