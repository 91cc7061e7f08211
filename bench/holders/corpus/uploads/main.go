// Command uploads has a goroutine per upload, each with the buffer that it was given, and all stand at one lock.
package main

import (
	"runtime"
	"sync"

	"holding/heap"
)

type server struct {
	mu       sync.Mutex
	received int
}

var (
	app     = new(server)
	pending sync.WaitGroup
)

func (s *server) save(body []byte) { //holder: (*server).save | (*server).handle
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received += int(body[0])
}

func (s *server) handle(n int, started *sync.WaitGroup) {
	body := make([]byte, n) //holder: (*server).save | (*server).handle
	started.Done()
	s.save(body)
}

func main() {
	heap.Program{
		Build: func(size int) {
			app.mu.Lock()
			var started sync.WaitGroup
			for range size / (102 << 10) {
				started.Add(1)
				pending.Go(func() { app.handle(100_000, &started) })
			}
			started.Wait()
			for range 100 {
				runtime.Gosched() // until they stand at the lock
			}
		},
		Clear: func() {
			app.mu.Unlock()
			pending.Wait()
		},
	}.Main()
}
