// Command blobs keeps uploads as a slice of slices, below a lock.
package main

import (
	"sync"

	"holding/heap"
)

var uploads struct {
	sync.Mutex
	blobs [][]byte //holder: blobs
	total int
}

func upload(n int) {
	uploads.Lock()
	defer uploads.Unlock()
	uploads.blobs = append(uploads.blobs, make([]byte, n))
	uploads.total += n
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size >> 20 {
				upload(1 << 20)
			}
		},
		Clear: func() { uploads.blobs = nil },
	}.Main()
}
