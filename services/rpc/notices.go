package rpc

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Of each kind of notice noticeBurst lines are logged in a noticeWindow: enough to see
// what is wrong, at most 2 lines a second under a flood.
const (
	noticeBurst  = 10
	noticeWindow = 5 * time.Second
)

// notices is a log with a bound per kind of notice. Kinds are few and fixed in the
// source.
type notices struct {
	log *slog.Logger

	mu    sync.Mutex
	kinds map[string]*noticeKind
}

type noticeKind struct {
	window  time.Time // when the current window began
	logged  int       // lines in it
	dropped int       // lines not logged since the last one that was
}

func newNotices(log *slog.Logger) *notices {
	return &notices{log: log, kinds: make(map[string]*noticeKind)}
}

// warn logs a line of a kind, or counts it as dropped; the next line that is logged says
// how many were.
func (n *notices) warn(kind, msg string, attrs ...slog.Attr) {
	dropped, ok := n.admit(kind, time.Now())
	if !ok {
		return
	}
	if dropped > 0 {
		attrs = append(attrs, slog.Int("suppressed", dropped))
	}
	n.log.LogAttrs(context.Background(), slog.LevelWarn, msg, attrs...)
}

// admit says whether a line may be logged, and how many were not since the last.
func (n *notices) admit(kind string, now time.Time) (dropped int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	k := n.kinds[kind]
	if k == nil {
		k = new(noticeKind)
		n.kinds[kind] = k
	}
	if now.Sub(k.window) >= noticeWindow {
		k.window, k.logged = now, 0
	}
	if k.logged == noticeBurst {
		k.dropped++
		return 0, false
	}
	k.logged++
	dropped, k.dropped = k.dropped, 0
	return dropped, true
}

// settle logs how many lines of each kind are still unsaid.
func (n *notices) settle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for kind, k := range n.kinds {
		if k.dropped > 0 {
			n.log.Warn("more of the same was not logged", "kind", kind, "suppressed", k.dropped)
			k.dropped = 0
		}
	}
}
