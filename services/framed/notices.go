package framed

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// A kind of notice gets noticeBurst lines in each noticeWindow: enough to recognise a
// client by, and at most 2 lines a second under a flood.
const (
	noticeBurst  = 10
	noticeWindow = 5 * time.Second
)

// notices logs with a bound per kind of notice, so that a flood of one kind neither
// fills the disk nor hides another kind. Kinds are few and fixed in the source.
type notices struct {
	log *slog.Logger

	mu     sync.Mutex
	quotas map[string]*quota
}

type quota struct {
	since      time.Time
	lines      int
	suppressed int
}

func newNotices(log *slog.Logger) *notices {
	return &notices{log: log, quotas: make(map[string]*quota)}
}

// warn logs one line of a kind, or counts it as suppressed. The first line after a
// window says how many were suppressed in it.
func (n *notices) warn(kind, msg string, attrs ...slog.Attr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	q, now := n.quotas[kind], time.Now()
	if q == nil {
		q = new(quota)
		n.quotas[kind] = q
	}
	if now.Sub(q.since) >= noticeWindow {
		q.since, q.lines = now, 0
	}
	if q.lines == noticeBurst {
		q.suppressed++
		return
	}
	q.lines++
	if q.suppressed > 0 {
		attrs = append(attrs, slog.Int("suppressed", q.suppressed))
		q.suppressed = 0
	}
	n.log.LogAttrs(context.Background(), slog.LevelWarn, msg, attrs...)
}

// settle logs what is still suppressed, one line a kind.
func (n *notices) settle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for kind, q := range n.quotas {
		if q.suppressed > 0 {
			n.log.Warn("more of the same was not logged", "kind", kind, "suppressed", q.suppressed)
			q.suppressed = 0
		}
	}
}
