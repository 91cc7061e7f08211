//go:build !linux

package load

import "time"

// timerAlarm sleeps on a timer of the runtime.
type timerAlarm struct {
	bell  chan struct{}
	timer *time.Timer
}

func newAlarm() (alarm, error) {
	return &timerAlarm{bell: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}, nil
}

func (a *timerAlarm) ring() {
	select {
	case a.bell <- struct{}{}:
	default: // it will wake anyway
	}
}

func (a *timerAlarm) sleep(d time.Duration) {
	if d < 0 {
		<-a.bell
		return
	}
	a.timer.Reset(d)
	select {
	case <-a.timer.C:
	case <-a.bell:
	}
}

func (a *timerAlarm) close() { a.timer.Stop() }
