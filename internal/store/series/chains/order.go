package chains

import (
	"cmp"
	"container/heap"

	"github.com/gohone/hone/internal/store/series"
)

// commit is one with its points.
type commit struct {
	series.Commit
	points []*series.Point
	// first is when it was written, as a number.
	first int
	// waits is how many bases come before it, and then are those that wait for it.
	waits int
	then  []*commit
	done  bool
	// unchanged is what its chains have in common that did not change.
	unchanged *Measurement
}

// inOrder are the commits of the points of one line, each after its bases; else in the order of their time, and of those
// that have none, or the same, in the order in which they were written. Notes say which commits have a time before that
// of their base, and which lines say that a commit comes before itself.
func inOrder(points []*series.Point) (line []*commit, notes []Note) {
	known := map[string]*commit{}
	var all []*commit
	for _, p := range points {
		c := known[p.Commit.Hash]
		if c == nil {
			c = &commit{Commit: p.Commit, first: len(all)}
			known[p.Commit.Hash] = c
			all = append(all, c)
		}
		c.points = append(c.points, p)
	}
	for _, c := range all {
		for _, p := range c.points {
			if p.Base == nil || known[p.Base.Hash] == nil || p.Base.Hash == c.Hash {
				continue
			}
			base := known[p.Base.Hash]
			base.then, c.waits = append(base.then, c), c.waits+1
			if !c.Time.IsZero() && c.Time.Before(base.Time) && !p.Anchor {
				notes = append(notes, noteOf(ClockDiffers, "commit %s has a time before that of its base %s: the base goes first",
					short(c.Hash), short(base.Hash)))
			}
		}
	}
	ready := &queue{}
	for _, c := range all {
		if c.waits == 0 {
			heap.Push(ready, c)
		}
	}
	next := 0 // all before it are done
	for len(line) < len(all) {
		if ready.Len() == 0 { // what is left waits for itself
			for all[next].done {
				next++
			}
			notes = append(notes, noteOf(OrderUnclear, "commit %s is measured against a commit that is measured against it",
				short(all[next].Hash)))
			heap.Push(ready, all[next])
		}
		c := heap.Pop(ready).(*commit)
		if c.done {
			continue
		}
		c.done = true
		line = append(line, c)
		for _, t := range c.then {
			if t.waits--; t.waits == 0 && !t.done {
				heap.Push(ready, t)
			}
		}
	}
	return line, notes
}

// queue is a heap of commits, the earliest first.
type queue []*commit

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].Time.IsZero() || q[j].Time.IsZero() {
		return q[i].first < q[j].first
	}
	return cmp.Or(q[i].Time.Compare(q[j].Time), cmp.Compare(q[i].first, q[j].first)) < 0
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is for container/heap.
func (q *queue) Push(x any) { *q = append(*q, x.(*commit)) }

// Pop is for container/heap.
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
