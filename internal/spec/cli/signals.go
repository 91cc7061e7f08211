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
	go func() {
		for _, end := range []context.CancelFunc{endSoft, endHard} {
			select {
			case <-ch:
				end()
			case <-done:
				return
			}
		}
		signal.Stop(ch) // the system's own action is that of the next one
	}()
	return soft, hard, func() {
		signal.Stop(ch)
		close(done)
		endSoft()
		endHard()
	}
}
