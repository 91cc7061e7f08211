package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/trace"
	"slices"
	"sync/atomic"
	"time"
)

// Schema is that of Truth as JSON.
const Schema = "hone.tailtruth/1"

// Truth is what a service itself measured of its requests during the execution trace.
type Truth struct {
	Schema string `json:"schema"`
	// Requests were stamped while an execution trace was taken, Untraced at other times; Lost came when
	// there was no room for more.
	Requests int64 `json:"requests"`
	Untraced int64 `json:"untraced"`
	Lost     int64 `json:"lost"`
	// Typical are the requests from the 45th to the 55th percentile of the time in the handler,
	// Slow those from the 99th on.
	Typical Cohort `json:"typical"`
	Slow    Cohort `json:"slow"`
}

// Cohort is the mean request of some, in nanoseconds.
type Cohort struct {
	Requests int `json:"requests"`
	// Handler is the time in the handler, Causes the time in each planted cause.
	Handler float64         `json:"handler_ns"`
	Causes  [Causes]float64 `json:"causes_ns"`
}

// room is how many requests are stamped: 20 s at 25,000 per second.
const room = 500_000

// stamp is one request, in nanoseconds.
type stamp struct {
	handler int64
	causes  [Causes]int64
	traced  bool
}

// stamps takes the stamps of requests, without a lock and without allocating.
type stamps struct {
	next atomic.Int64
	all  []stamp
}

func newStamps() *stamps { return &stamps{all: make([]stamp, room)} }

// stamped is the handler h with stamps around it.
func (s *stamps) stamped(h Handler) func(context.Context) error {
	return func(ctx context.Context) error {
		var r Request
		began := time.Now()
		err := h(ctx, &r)
		s.add(stamp{int64(time.Since(began)), [Causes]int64{int64(r.causes[0]), int64(r.causes[1])}, trace.IsEnabled()})
		return err
	}
}

func (s *stamps) add(one stamp) {
	if i := s.next.Add(1) - 1; i < int64(len(s.all)) {
		s.all[i] = one
	}
}

// truth adds up what was stamped. No request may be under way.
func (s *stamps) truth() Truth {
	seen := s.next.Load()
	stamped := min(seen, int64(len(s.all)))
	sorted := slices.DeleteFunc(slices.Clone(s.all[:stamped]), func(one stamp) bool { return !one.traced })
	t := Truth{Schema: Schema, Requests: int64(len(sorted)), Lost: seen - stamped}
	t.Untraced = stamped - t.Requests
	slices.SortFunc(sorted, func(a, b stamp) int { return int(a.handler - b.handler) })
	at := func(percent int) int { return len(sorted) * percent / 100 }
	t.Typical, t.Slow = mean(sorted[at(45):at(55)]), mean(sorted[at(99):])
	return t
}

func mean(some []stamp) (c Cohort) {
	c.Requests = len(some)
	for _, s := range some {
		c.Handler += float64(s.handler) / float64(len(some))
		for i := range c.Causes {
			c.Causes[i] += float64(s.causes[i]) / float64(len(some))
		}
	}
	return c
}

// write puts the truth into a file.
func (s *stamps) write(path string) error {
	text, err := json.Marshal(s.truth())
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write stamps: %w", err)
	}
	return nil
}
