// Package returning gives the peers what services/tlsidle does for itself: memory that is
// garbage goes back to the system while connections are idle. No library here does so.
package returning

import (
	"flag"
	"runtime/debug"
	"time"
)

// Flag defines the flag -return of a program: how often that is done, until the process
// ends; never for 0 or less.
func Flag() {
	usage := "collect garbage and return memory to the system this often; 0 leaves it to the runtime"
	flag.Func("return", usage, func(text string) error {
		every, err := time.ParseDuration(text)
		if err != nil || every <= 0 {
			return err
		}
		go func() {
			for range time.Tick(every) {
				debug.FreeOSMemory()
			}
		}()
		return nil
	})
}
