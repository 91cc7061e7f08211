// Package truth records where the requests of a service spend their time, so that what a tool says about them can be judged.
//
//	t := truth.Begin()                            // as early in the handler as the program can
//	done := t.Part("stock lock"); mu.Lock(); done()
//	t.End()                                       // after the answer is written
//
// It counts only requests that begin while the execution trace is on. The parts of a request may come from several goroutines.
package truth

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"runtime/trace"
	"slices"
	"sync"
	"time"
)

// limit is how many requests are kept.
const limit = 200_000

type part struct {
	name string
	took time.Duration
}

// Request is one request. A nil Request records nothing.
type Request struct {
	begin time.Time
	mu    sync.Mutex
	total time.Duration
	parts []part
	first [3]part
}

var (
	mu   sync.Mutex
	kept []*Request
)

func init() {
	if os.Getenv("TRUTH_TRACE") != "" {
		_ = trace.Start(io.Discard)
	}
}

// Begin starts a request, if the trace is on.
func Begin() *Request {
	if !trace.IsEnabled() {
		return nil
	}
	r := &Request{begin: time.Now()}
	r.parts = r.first[:0]
	return r
}

func nothing() {}

// Part starts a part of the request; the function that it returns ends it.
func (r *Request) Part(name string) (done func()) {
	if r == nil {
		return nothing
	}
	from := time.Now()
	return func() { r.add(name, time.Since(from)) }
}

// Since records a part that began at from, for parts whose name is known only when they are over.
func (r *Request) Since(name string, from time.Time) {
	if r != nil {
		r.add(name, time.Since(from))
	}
}

func (r *Request) add(name string, took time.Duration) {
	r.mu.Lock()
	r.parts = append(r.parts, part{name, took})
	r.mu.Unlock()
}

// End ends the request. Parts that end later still count.
func (r *Request) End() {
	if r == nil {
		return
	}
	r.total = time.Since(r.begin)
	mu.Lock()
	if len(kept) < limit {
		kept = append(kept, r)
	}
	mu.Unlock()
}

// Group is the mean of some requests.
type Group struct {
	Requests int              `json:"requests"`
	Total    int64            `json:"total_ns"`
	Parts    map[string]int64 `json:"parts_ns"`
}

// Report is what Save writes: the slowest hundredth of the requests, at least ten, and those between p45 and p55.
type Report struct {
	Requests int   `json:"requests"`
	Slow     Group `json:"slow"`
	Typical  Group `json:"typical"`
}

func summary(requests []*Request) Report {
	n := len(requests)
	requests = slices.Clone(requests)
	slices.SortFunc(requests, func(a, b *Request) int { return cmp.Compare(a.total, b.total) })
	return Report{n, group(requests[max(0, n-max(10, n/100)):]), group(requests[n*45/100 : min(n, n*55/100+1)])}
}

func group(requests []*Request) Group {
	g := Group{Requests: len(requests), Parts: map[string]int64{}}
	for _, r := range requests {
		r.mu.Lock()
		g.Total += int64(r.total)
		for _, p := range r.parts {
			g.Parts[p.name] += int64(p.took)
		}
		r.mu.Unlock()
	}
	n := int64(max(1, len(requests)))
	g.Total /= n
	for name := range g.Parts {
		g.Parts[name] /= n
	}
	return g
}

// Save writes the Report as JSON to the file that $TRUTH names, if it is set. Call it when the server is shut down.
func Save() error {
	file := os.Getenv("TRUTH")
	if file == "" {
		return nil
	}
	mu.Lock()
	report := summary(kept)
	mu.Unlock()
	text, err := json.Marshal(report)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
