package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gohone/hone/internal/program/gctrace"
	"github.com/gohone/hone/internal/text/vitals"
)

// traceLines takes the collections out of a program's output, as it is written. It is safe
// for one writer and one reader.
type traceLines struct {
	mu     sync.Mutex
	rest   []byte // of a line that is not whole yet
	skip   bool   // until the end of a line that is too long
	cycles []gctrace.Cycle
	seen   int // collections so far
	torn   gctrace.Torn
}

const (
	// longestLine bounds how much of a line is kept; those of gctrace have about 200 bytes.
	longestLine = 4 << 10
	// mostCycles bounds what waits to be read.
	mostCycles = 10_000
)

var _ io.Writer = (*traceLines)(nil)

// Write takes in output; it never fails.
func (t *traceLines) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(text)
	for len(text) > 0 {
		part, after, whole := bytes.Cut(text, []byte{'\n'})
		text = after
		if !t.skip {
			t.rest = append(t.rest, part...)
		}
		if len(t.rest) > longestLine {
			t.rest, t.skip = nil, true
		}
		if whole {
			if !t.skip {
				t.line(string(t.rest))
			}
			t.rest, t.skip = t.rest[:0], false
		}
	}
	return n, nil
}

func (t *traceLines) line(text string) {
	c, err := gctrace.Parse(text)
	t.torn.Line(text, err == nil)
	if err != nil {
		return
	}
	t.seen++
	if len(t.cycles) < mostCycles {
		t.cycles = append(t.cycles, c)
	}
}

// drain returns the collections since the last call.
func (t *traceLines) drain() (cycles []gctrace.Cycle, damaged int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	cycles, t.cycles = t.cycles, nil
	return cycles, t.torn.Count
}

// count is how many collections there were so far.
func (t *traceLines) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen
}

// trace makes values of collections.
type trace struct {
	lines *traceLines
	// ended, if not nil, is closed when no more lines will come; err, set before, says why.
	ended <-chan struct{}
	err   error

	at   time.Time
	last *gctrace.Cycle
	lately
	unheld
}

func newTrace(lines *traceLines) *trace {
	return &trace{lines: lines, at: time.Now(), lately: newLately()}
}

func (t *trace) name() string { return "gctrace" }

// errNoTrace is that of an input without a collection.
var errNoTrace = errors.New("the input has ended without a line of gctrace")

func (t *trace) read(context.Context) (vitals.Reading, error) {
	over := false
	if t.ended != nil {
		select {
		case <-t.ended:
			over = true
		default:
		}
	}
	var r vitals.Reading
	cycles, damaged := t.lines.drain()
	t.fill(&r, cycles, time.Now())
	switch {
	case over && t.err != nil:
		return r, ended{t.err}
	case over && t.lines.count() == 0:
		return r, ended{errNoTrace}
	case over:
		return r, ended{fmt.Errorf("the input has ended after %d collections", t.lines.count())}
	case damaged > 0:
		return r, errors.New(gctrace.Log{Damaged: damaged}.Left())
	}
	return r, nil
}

// fill makes values of the collections since the last reading. The sizes hold until the
// next collection.
func (t *trace) fill(r *vitals.Reading, cycles []gctrace.Cycle, now time.Time) {
	elapsed := now.Sub(t.at)
	first := t.last
	for i, c := range cycles {
		t.pauses.Add(now, c.Clock.Pause().Seconds(), 1)
		t.last = &cycles[i]
	}
	if first != nil && len(cycles) > 0 {
		t.collected(shareOfTrace(*first, cycles), now)
	}
	if t.last == nil {
		return
	}
	t.at = now
	if first != nil && elapsed > 0 { // before it there may have been any time
		r.GCCyclesPerSec = vitals.Of(float64(len(cycles)) / elapsed.Seconds())
	}
	r.HeapLiveBytes, r.HeapGoalBytes = vitals.Of(float64(t.last.Live)), vitals.Of(float64(t.last.Goal))
	r.GCShareSinceStart = vitals.Of(float64(t.last.Share) / 100)
	r.GCShareOfAvailable = t.shareNow(now)
	r.GCPauseP99Seconds = t.pauses.Quantile(now, 0.99)
}

// shareOfTrace is the collector's CPU time over the CPU time that there was from one
// collection to a later one; marking on idle processors took it from no goroutine.
func shareOfTrace(first gctrace.Cycle, cycles []gctrace.Cycle) vitals.Value {
	last := cycles[len(cycles)-1]
	var used time.Duration
	for _, c := range cycles {
		used += c.CPU.Total() - c.CPU.Idle
	}
	there := (last.At - first.At) * time.Duration(last.Procs)
	if there <= 0 {
		return vitals.Value{}
	}
	return vitals.Of(used.Seconds() / there.Seconds())
}
