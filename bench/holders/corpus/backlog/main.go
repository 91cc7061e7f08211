// Command backlog takes jobs off the front of a slice, whose array keeps those that were taken.
package main

import "holding/heap"

type job struct{ payload [8000]byte }

type queue struct {
	jobs []*job //holder: jobs
	done int
}

var backlog queue //holder: jobs

func (q *queue) take() (j *job) {
	j, q.jobs = q.jobs[0], q.jobs[1:]
	q.done++
	return j
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 8192 {
				backlog.jobs = append(backlog.jobs, new(job))
			}
			for len(backlog.jobs) > 3 {
				backlog.take()
			}
		},
		Clear: func() { backlog.jobs = nil },
	}.Main()
}
