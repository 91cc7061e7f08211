// Command consumed has a long channel from which all was received.
package main

//holder: none

import "holding/heap"

type job struct{ payload [4000]byte }

var jobs = make(chan *job, 1000)

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 4096 / 1000 {
				for range cap(jobs) {
					jobs <- new(job)
				}
				for range cap(jobs) {
					<-jobs
				}
			}
		},
	}.Main()
}
