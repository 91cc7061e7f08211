package finder

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/gohone/hone/internal/program/listeners"
)

// A server may answer 503 while it gets ready: it opens its port, and then fills caches, or waits for what it needs
// (RFC 9110 section 15.6.4). Such a port is asked again.

// readyPatience is how long a program may take to get ready where the user says nothing: see subject.StartOptions.
const readyPatience = 10 * time.Second

// sleepPoll is the pause between two questions: a program that gets ready is not to be kept from it.
const sleepPoll = 100 * time.Millisecond

// awake is how long a program may answer that it is not ready.
func (f *finder) awake() time.Duration { return cmp.Or(f.Spec.ReadyTimeout, readyPatience) }

// asleep are the ports of own that answered that they are not ready.
func (f *finder) asleep(own []listeners.Listener) (ports []listeners.Listener) {
	for _, l := range own {
		if c, asked := f.seen[keyOf(l)]; asked && f.named == nil && c.seen.Status == http.StatusServiceUnavailable {
			ports = append(ports, l)
		}
	}
	return ports
}

// askAgain asks ports again after a pause, and says whether one has become ready.
func (f *finder) askAgain(ctx context.Context, ports []listeners.Listener) (woke bool) {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(sleepPoll):
	}
	for _, l := range ports {
		c := f.ask(ctx, l)
		f.seen[keyOf(l)] = c
		woke = woke || c.seen.Status != http.StatusServiceUnavailable
	}
	return woke
}

// awaitAwake returns when a port that was found before is ready, or has no more time for it.
func (f *finder) awaitAwake(ctx context.Context, l listeners.Listener) error {
	for began := time.Now(); time.Since(began) < f.awake(); {
		if f.askAgain(ctx, []listeners.Listener{l}) {
			return nil
		}
		if err := f.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}
