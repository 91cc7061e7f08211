// Package workers tags points in parallel.
package workers

import "sync"

// chunk is enough points that handing them over costs little beside their work.
const chunk = 256

type task struct {
	points []Point
	tags   []string
	wg     *sync.WaitGroup
}

// Pool is running workers.
type Pool struct{ tasks chan task }

// Start starts n workers. Stop ends them.
func Start(n int) *Pool {
	p := &Pool{tasks: make(chan task)}
	for range n {
		go p.work()
	}
	return p
}

// Stop ends the workers.
func (p *Pool) Stop() { close(p.tasks) }

func (p *Pool) work() {
	for t := range p.tasks {
		for i, pt := range t.points {
			t.tags[i] = pt.Tag()
		}
		t.wg.Done()
	}
}

// Tags returns the tag of each point.
func (p *Pool) Tags(points []Point) []string {
	tags := make([]string, len(points))
	var wg sync.WaitGroup
	for from := 0; from < len(points); from += chunk {
		to := min(from+chunk, len(points))
		wg.Add(1)
		p.tasks <- task{points[from:to], tags[from:to], &wg}
	}
	wg.Wait()
	return tags
}
