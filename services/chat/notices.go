package chat

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// A kind of notice gets noticeBurst lines in each noticeWindow: enough to recognise a
// client by, and at most 2 lines a second when thousands of clients go wrong at once.
const (
	noticeBurst  = 10
	noticeWindow = 5 * time.Second
)

// notices is the server's own log, bounded per kind of notice. Kinds are few and fixed
// in the source.
type notices struct {
	log *slog.Logger

	mu    sync.Mutex
	kinds map[string]*quota
}

// quota is what a kind has used of its window.
type quota struct {
	began            time.Time
	lines, withdrawn int
}

func newNotices(log *slog.Logger) *notices {
	return &notices{log: log, kinds: make(map[string]*quota)}
}

// warn logs a line of a kind, or counts it as suppressed; the next line of the kind says
// how many were.
func (n *notices) warn(kind string, attrs ...slog.Attr) {
	suppressed, ok := n.take(kind, time.Now())
	if !ok {
		return
	}
	if suppressed > 0 {
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	n.log.LogAttrs(context.Background(), slog.LevelWarn, kind, attrs...)
}

// take asks for a line of a kind.
func (n *notices) take(kind string, now time.Time) (suppressed int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	q := n.kinds[kind]
	if q == nil {
		q = &quota{began: now}
		n.kinds[kind] = q
	}
	if now.Sub(q.began) >= noticeWindow {
		q.began, q.lines = now, 0
	}
	if q.lines == noticeBurst {
		q.withdrawn++
		return 0, false
	}
	q.lines++
	suppressed, q.withdrawn = q.withdrawn, 0
	return suppressed, true
}

// settle logs what is still suppressed, a line for each kind.
func (n *notices) settle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for kind, q := range n.kinds {
		if q.withdrawn > 0 {
			n.log.Warn("more of the same was not logged", "kind", kind, "suppressed", q.withdrawn)
			q.withdrawn = 0
		}
	}
}
