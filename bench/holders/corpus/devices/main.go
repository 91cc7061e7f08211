// Command devices polls each device by a ticker that no one stops.
package main

import (
	"sync"
	"time"

	"holding/heap"
)

var (
	quit    = make(chan struct{})
	polling sync.WaitGroup
)

func poll(id int, started *sync.WaitGroup) {
	ticker := time.NewTicker(time.Hour)
	samples := make([]byte, 72<<10) //holder: poll
	started.Done()
	for at := 0; ; at++ {
		select {
		case <-ticker.C:
			samples[at%len(samples)] = byte(id)
		case <-quit:
			return
		}
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			var started sync.WaitGroup
			for i := range size / (74 << 10) {
				started.Add(1)
				polling.Go(func() { poll(i, &started) })
			}
			started.Wait()
		},
		Clear: func() {
			close(quit)
			polling.Wait()
		},
	}.Main()
}
