// Package workers tags points in parallel.
package workers

// Result is the tag of a point.
type Result struct {
	Index int
	Tag   string
}

type task struct {
	index int
	point Point
	out   chan<- Result
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
		t.out <- Result{t.index, t.point.Tag()}
	}
}

// Tags returns the tag of each point.
func (p *Pool) Tags(points []Point) []string {
	tags := make([]string, len(points))
	results := make(chan Result, 16)
	go func() {
		for i, pt := range points {
			p.tasks <- task{i, pt, results}
		}
	}()
	for range points {
		r := <-results
		tags[r.Index] = r.Tag
	}
	return tags
}
