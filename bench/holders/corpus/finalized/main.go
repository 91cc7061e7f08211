// Command finalized has objects with a finalizer that ran.
package main

//holder: none

import (
	"runtime"
	"time"

	"holding/heap"
)

type file struct{ pages [8000]byte }

var closed int

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 8192 {
				runtime.SetFinalizer(new(file), func(*file) { closed++ })
			}
			for range 5 {
				runtime.GC()
				time.Sleep(2 * time.Millisecond) // finalizers run
			}
		},
	}.Main()
}
