package load

import (
	"time"

	"github.com/gohone/hone/internal/sys/epoll"
)

// preciseAlarm sleeps in the kernel: Go's own timers end up to a millisecond late where
// nothing else wakes the process.
type preciseAlarm struct {
	poller *epoll.Poller
	fine   bool // the thread's timers are
}

func newAlarm() (alarm, error) {
	p, err := epoll.New(1)
	if err != nil {
		return nil, err
	}
	return &preciseAlarm{poller: p}, nil
}

func (a *preciseAlarm) ring() { a.poller.Wake() }

func (a *preciseAlarm) sleep(d time.Duration) {
	if !a.fine {
		a.fine = true
		_ = epoll.FineTimers() // without it sleeps end 50 us late, which the lag shows
	}
	a.poller.Sleep(d)
}

func (a *preciseAlarm) close() { a.poller.Close() }
