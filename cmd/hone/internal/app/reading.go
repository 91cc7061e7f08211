package app

import (
	"fmt"
	"runtime/debug"

	"github.com/gohone/hone/internal/text/fail"
)

// Reading reads what the user named, such as a description of an API or a feed, before anything is measured. The first
// Ctrl-C ends it, however large the files are: nothing is there to save. What still reads then ends with hone.
func (a *App) Reading(read func() error) error {
	done := make(chan error, 1)
	go func() { // ends with the bounds of package inputs
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		done <- read()
	}()
	select {
	case err := <-done:
		return err
	case <-a.Ctx.Done():
		return fail.New(fail.Interrupted, "stopped while it read what the command names; nothing was measured")
	}
}
