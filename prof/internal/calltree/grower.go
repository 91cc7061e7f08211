package calltree

import (
	"container/heap"

	"github.com/google/pprof/profile"
)

// Grower merges stacks into a tree from the heaviest frame on, and stops at what is too
// light to be shown. So the memory that it takes is that of the stacks and of what is
// shown, where a tree of all stacks can be a thousand times the profile: samples that
// share one long location each have its frames to themselves below different callers.
type Grower[Q Cost[Q]] struct {
	// Frames are the frames of each location, leaf first.
	Frames map[*profile.Location][]Step
	// Names is how many bytes the name of each place takes, by its number.
	Names []int
	// Counted says that each frame takes one of the room, whatever its name and depth.
	Counted bool
	// Room is what the tree may take.
	Room *Room

	groups []int32 // while stacks are split: the group of each place, and 0 for none
	queue  queue[Q]
	last   int
}

// Cost is what a stack costs.
type Cost[Q any] interface {
	Plus(Q) Q
	// Size is what frames are ordered by; the heaviest come first.
	Size() float64
}

// Step is one frame: the number of its place and whether it was inlined into the one
// that called it. Numbers are given in the order of names.
type Step struct {
	Place   int32
	Inlined bool
}

// Thread is one stack and how far it was followed.
type Thread[Q Cost[Q]] struct {
	Cost      Q
	Locations []*profile.Location
	Location  int // the next frame is at frame of this location
	Frame     int
	Next      *Thread[Q]
}

// branch is stacks that go through the same frames so far.
type branch[Q Cost[Q]] struct {
	place   int32
	inlined bool // on all stacks
	cost    Q
	threads *Thread[Q]

	below  *Grown[Q]
	number int // of the branch in the order in which they were found
}

// Grown is one frame of a tree.
type Grown[Q Cost[Q]] struct {
	Place      int32
	Inlined    bool
	Cost, Self Q
	depth      int
	Children   []*Grown[Q] // the heaviest first
}

// Grow returns the tree below a root. Branches under least are left out, and those that
// there is no room for; dropped is how many frames they have.
func (g *Grower[Q]) Grow(threads *Thread[Q], least float64) (root *Grown[Q], dropped int) {
	g.groups = make([]int32, len(g.Names))
	root = &Grown[Q]{Place: -1}
	for t := threads; t != nil; t = t.Next {
		root.Cost = root.Cost.Plus(t.Cost)
	}
	dropped = g.spread(root, threads, least)
	for len(g.queue) > 0 {
		b := heap.Pop(&g.queue).(branch[Q])
		if !g.Room.Takes(g.takes(&b)) {
			dropped += g.count(b.threads) + 1
			continue
		}
		f := &Grown[Q]{Place: b.place, Inlined: b.inlined, Cost: b.cost, depth: b.below.depth + 1}
		b.below.Children = append(b.below.Children, f)
		dropped += g.spread(f, b.threads, least)
	}
	return root, dropped
}

// takes is what a branch takes of the room.
func (g *Grower[Q]) takes(b *branch[Q]) int {
	if g.Counted {
		return 1
	}
	return frameBytes(g.Names[b.place], b.below.depth)
}

// spread puts the branches above a frame into the queue, and counts the frames of those
// that are too light.
func (g *Grower[Q]) spread(f *Grown[Q], threads *Thread[Q], least float64) (dropped int) {
	branches, self := g.split(nil, threads)
	f.Self = self
	for _, b := range branches {
		if b.cost.Size() < least {
			dropped += g.count(b.threads) + 1
			continue
		}
		g.last++
		b.below, b.number = f, g.last
		heap.Push(&g.queue, b)
	}
	return dropped
}

// split follows all stacks for one frame and tells them apart by it. It returns the
// branches, appended to buffer, and the cost of the stacks that have ended.
func (g *Grower[Q]) split(buffer []branch[Q], threads *Thread[Q]) (branches []branch[Q], self Q) {
	branches = buffer
	for t := threads; t != nil; {
		following := t.Next
		s, ok := g.follow(t)
		if !ok {
			self = self.Plus(t.Cost)
			t = following
			continue
		}
		i := g.groups[s.Place]
		if i == 0 {
			branches = append(branches, branch[Q]{place: s.Place, inlined: true})
			i = int32(len(branches))
			g.groups[s.Place] = i
		}
		b := &branches[i-1]
		b.cost = b.cost.Plus(t.Cost)
		b.inlined = b.inlined && s.Inlined
		t.Next, b.threads = b.threads, t
		t = following
	}
	for _, b := range branches[len(buffer):] {
		g.groups[b.place] = 0
	}
	return branches, self
}

// follow returns the next frame of a stack; ok is false at its end.
func (g *Grower[Q]) follow(t *Thread[Q]) (s Step, ok bool) {
	for t.Location >= 0 && t.Location < len(t.Locations) {
		frames := g.Frames[t.Locations[t.Location]]
		if t.Frame < 0 { // a location that was not begun
			t.Frame = len(frames)
		}
		if t.Frame > 0 {
			t.Frame--
			return frames[t.Frame], true
		}
		t.Location, t.Frame = t.Location-1, -1
	}
	return Step{}, false
}

// count returns how many frames the tree of some stacks has.
func (g *Grower[Q]) count(threads *Thread[Q]) (frames int) {
	todo := []*Thread[Q]{threads}
	var buffer []branch[Q]
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t.Next == nil { // most branches end as a single stack
			for _, ok := g.follow(t); ok; _, ok = g.follow(t) {
				frames++
			}
			continue
		}
		buffer, _ = g.split(buffer[:0], t)
		frames += len(buffer)
		for _, b := range buffer {
			todo = append(todo, b.threads)
		}
	}
	return frames
}

// queue is branches, the heaviest first, and then in the order of their names.
type queue[Q Cost[Q]] []branch[Q]

func (q queue[Q]) Len() int      { return len(q) }
func (q queue[Q]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue[Q]) Less(i, j int) bool {
	x, y := &q[i], &q[j]
	switch a, b := x.cost.Size(), y.cost.Size(); {
	case a != b:
		return a > b
	case x.place != y.place:
		return x.place < y.place
	}
	return x.number < y.number
}
func (q *queue[Q]) Push(b any) { *q = append(*q, b.(branch[Q])) }
func (q *queue[Q]) Pop() any {
	last := len(*q) - 1
	b := (*q)[last]
	(*q)[last] = branch[Q]{} // for the collector
	*q = (*q)[:last]
	return b
}
