package server

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// faulty is a listener whose machine is short of descriptors for a number of attempts.
type faulty struct {
	net.Listener
	short int
	then  error
}

func (f *faulty) Accept() (net.Conn, error) {
	if f.short > 0 {
		f.short--
		return nil, fmt.Errorf("accept: %w", syscall.EMFILE)
	}
	return nil, f.then
}

func TestAShortageIsWaitedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ms = time.Millisecond
		var waits []time.Duration
		began, broken := time.Now(), errors.New("broken")
		_, err := acceptNext(&faulty{short: 10, then: broken}, nil, func(err error, wait time.Duration) {
			if !errors.Is(err, syscall.EMFILE) {
				t.Errorf("reported %v", err)
			}
			waits = append(waits, wait)
		})
		want := []time.Duration{5 * ms, 10 * ms, 20 * ms, 40 * ms, 80 * ms, 160 * ms, 320 * ms, 640 * ms, 1000 * ms,
			1000 * ms}
		if err != broken || !slices.Equal(waits, want) || time.Since(began) != 3275*ms {
			t.Errorf("%v after waits %v", err, waits)
		}
	})
}

func TestTheEndIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing, began := make(chan struct{}), time.Now()
		_, err := acceptNext(&faulty{short: 1}, closing, func(error, time.Duration) { close(closing) })
		if err != net.ErrClosed || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
