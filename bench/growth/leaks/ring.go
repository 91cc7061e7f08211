package leaks

import (
	"context"
	"fmt"
	"sync"
)

// ring has the last lines of a log.
type ring struct {
	mu    sync.Mutex
	lines []string
	next  int
	wraps bool
}

// log writes a line over the oldest one, if the ring wraps.
func (r *ring) log(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wraps && len(r.lines) == few {
		r.lines[r.next%few] = line
	} else {
		r.lines = append(r.lines, line)
	}
	r.next++
}

// ringLog logs each request to a ring in memory that never wraps.
func ringLog(fixed bool) serve {
	r := ring{wraps: fixed}
	return func(_ context.Context, id int, page []byte) {
		r.log(fmt.Sprintf("request %d: page %x", id, page[:64]))
	}
}
