// Package returning gives the peers what services/tlsidle does for itself: memory that is
// garbage goes back to the system while connections are idle. No library here does so.
package returning

import (
	"flag"
	"runtime/debug"
	"time"
)

// Flag defines the flag -return of a program.
func Flag() *time.Duration {
	return flag.Duration("return", 0, "collect garbage and return memory to the system this often; 0 leaves it to the runtime")
}

// Start does so until the process ends; not at all if every is 0 or less.
func Start(every time.Duration) {
	if every <= 0 {
		return
	}
	go func() {
		for range time.Tick(every) {
			debug.FreeOSMemory()
		}
	}()
}
