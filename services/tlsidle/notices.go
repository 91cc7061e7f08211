package tlsidle

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Each cause gets noticeBurst lines in every noticeWindow: enough to recognise a client
// by, and 2 lines a second under a flood.
const (
	noticeBurst  = 10
	noticeWindow = 5 * time.Second
)

// notices logs with a bound for each cause, so that a flood of one neither fills the
// disk nor hides another.
type notices struct {
	log *slog.Logger

	mu    sync.Mutex
	spent [NumCauses]allowance
}

type allowance struct {
	since             time.Time
	lines, suppressed int
}

// warn logs one line, or counts it as suppressed. The first line after a window says
// how many were suppressed in it.
func (n *notices) warn(cause Cause, attrs ...slog.Attr) {
	suppressed, ok := n.spend(cause)
	if !ok {
		return
	}
	if suppressed > 0 {
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	n.log.LogAttrs(context.Background(), slog.LevelWarn, "connection ended: "+cause.String(), attrs...)
}

// spend takes one line from the cause's allowance, if there is one left. Nothing is
// logged under the lock: a log that blocks must not hold up those who are suppressed.
func (n *notices) spend(cause Cause) (suppressed int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a, now := &n.spent[cause], time.Now()
	if now.Sub(a.since) >= noticeWindow {
		a.since, a.lines = now, 0
	}
	if a.lines == noticeBurst {
		a.suppressed++
		return 0, false
	}
	a.lines++
	suppressed, a.suppressed = a.suppressed, 0
	return suppressed, true
}

// settle logs what is still suppressed, one line a cause.
func (n *notices) settle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for cause := range n.spent {
		if left := n.spent[cause].suppressed; left > 0 {
			n.log.Warn("more of the same was not logged", "cause", Cause(cause).String(), "suppressed", left)
			n.spent[cause].suppressed = 0
		}
	}
}
