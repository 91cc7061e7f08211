package httpmsg

import (
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
)

// Taken says which request a stream carries: that of a target, and what fills it in. row is the number of with's row.
type Taken struct {
	Target, Row int
	With        wire.Fill
}

// Unread holds the requests that a server has not looked at (RFC 9113 sections 6.8 and 8.7, RFC 9114 sections 5.2 and
// 4.1.1). The engine sends as many anew; here stands which they are, where requests differ.
type Unread struct {
	all, waiting atomic.Int64
	mu           sync.Mutex
	taken        []Taken
}

// Put notes one. differ says that the requests of a connection do.
func (u *Unread) Put(t Taken, differ bool) {
	u.all.Add(1)
	if !differ {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.taken = append(u.taken, t)
	u.waiting.Add(1)
}

// Get returns the one that has waited longest, if there is one.
func (u *Unread) Get() (t Taken, ok bool) {
	if u.waiting.Load() == 0 { // nearly always
		return t, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.taken) == 0 {
		return t, false
	}
	t, u.taken = u.taken[0], u.taken[1:]
	u.waiting.Add(-1)
	return t, true
}

// Notes are what is to be said of it.
func (u *Unread) Notes() []string {
	n := u.all.Load()
	if n == 0 {
		return nil
	}
	return []string{units.Plural(int(n), "request") +
		" that the server had not looked at (GOAWAY, refused streams) went out again, as it may; their times count from the first sending"}
}
