// Package notices is a server's own log with a bound per kind of notice, so that a flood
// of one kind neither fills the disk nor hides another.
package notices

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// A kind of notice gets burst lines in each window: enough to recognise a client by, and
// at most 2 lines a second when thousands of clients go wrong at once.
const (
	burst  = 10
	window = 5 * time.Second
)

// Log is the log. Kinds are few and fixed in the source of its user.
type Log struct {
	log *slog.Logger

	mu     sync.Mutex
	quotas map[string]*quota
}

// quota is what a kind has used of its window.
type quota struct {
	since             time.Time
	lines, suppressed int
}

// New returns a bounded log that writes to log. nil means that nothing is logged.
func New(log *slog.Logger) *Log {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Log{log: log, quotas: make(map[string]*quota)}
}

// Warn logs a line whose message is its kind.
func (l *Log) Warn(msg string, attrs ...slog.Attr) { l.WarnAs(msg, msg, attrs...) }

// WarnAs logs a line of a kind, or counts it as suppressed; the next line of the kind
// says how many were.
func (l *Log) WarnAs(kind, msg string, attrs ...slog.Attr) {
	suppressed, ok := l.take(kind, time.Now())
	if !ok {
		return
	}
	if suppressed > 0 {
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	l.log.LogAttrs(context.Background(), slog.LevelWarn, msg, attrs...)
}

// take asks for a line of a kind. Nothing is logged under the lock: a log that blocks
// must not hold up those whose lines are suppressed.
func (l *Log) take(kind string, now time.Time) (suppressed int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.quotas[kind]
	if q == nil {
		q = new(quota)
		l.quotas[kind] = q
	}
	if now.Sub(q.since) >= window {
		q.since, q.lines = now, 0
	}
	if q.lines == burst {
		q.suppressed++
		return 0, false
	}
	q.lines++
	suppressed, q.suppressed = q.suppressed, 0
	return suppressed, true
}

// Settle logs what is still suppressed, a line for each kind.
func (l *Log) Settle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for kind, q := range l.quotas {
		if q.suppressed > 0 {
			l.log.Warn("more of the same was not logged", "kind", kind, "suppressed", q.suppressed)
			q.suppressed = 0
		}
	}
}
