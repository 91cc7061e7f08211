package main

// A job is two drafts to compare, and where the changes go.
type job struct {
	a, b []string
	done chan []change
}

// workers compare drafts, not more at a time than there are workers, so that long texts
// do not keep the short requests of others waiting.
type workers struct {
	jobs chan job
}

func newWorkers(n int) *workers {
	w := &workers{jobs: make(chan job, 64)}
	for range n {
		go w.loop()
	}
	return w
}

func (w *workers) loop() {
	var d differ
	for j := range w.jobs {
		j.done <- d.run(j.a, j.b)
	}
}

func (w *workers) compare(a, b []string) []change {
	j := job{a: a, b: b, done: make(chan []change, 1)}
	w.jobs <- j
	return <-j.done
}
