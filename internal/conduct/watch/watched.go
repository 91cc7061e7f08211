package watch

import (
	"fmt"
	"sync"
	"time"
)

// watched is the process that is watched, for all sources that look at it. A service that is
// started again is another one.
type watched struct {
	// find looks for the process. Its errors are those of a source.
	find func() (pid int, err error)

	mu    sync.Mutex
	pid   int // 0: not found, or gone
	title string
	born  time.Time
}

// now is the process as of the last look; 0 if there is none.
func (w *watched) now() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pid
}

// set notes a process that was found.
func (w *watched) set(pid int, name string, born time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pid, w.born, w.title = pid, born, fmt.Sprintf("PID %d (%s)", pid, name)
}

// lose notes that it is gone; its title stays.
func (w *watched) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pid = 0
}

// about is how the picture calls it; empty if it was never found.
func (w *watched) about() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.title
}

// started is when it was, if that is known.
func (w *watched) started() (time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.born, !w.born.IsZero()
}
