package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signals returns two contexts: soft ends with the first Ctrl-C or SIGTERM, for a program that drains and saves; hard
// with the second. The third ends the process, also where it asks neither. The goroutine ends with stop.
func Signals() (soft, hard context.Context, stop func()) {
	soft, endSoft := context.WithCancel(context.Background())
	hard, endHard := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	got := func() bool {
		select {
		case <-ch:
			return true
		case <-done:
			return false
		}
	}
	go func() {
		if !got() {
			return
		}
		endSoft()
		if got() {
			signal.Stop(ch) // the next one ends the process, as the system does
			endHard()
		}
	}()
	return soft, hard, func() {
		signal.Stop(ch)
		close(done)
		endSoft()
		endHard()
	}
}
