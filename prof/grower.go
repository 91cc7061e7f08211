package prof

import (
	"container/heap"

	"github.com/google/pprof/profile"
)

// grower merges stacks into a tree from the heaviest frame on, and stops at what is too
// light to be shown. So the memory that it takes is that of the stacks and of what is
// shown, where a tree of all stacks can be a thousand times the profile: samples that
// share one long location each have its frames to themselves below different callers.
type grower[Q quantity[Q]] struct {
	// frames are the frames of each location, leaf first.
	frames map[*profile.Location][]step
	// names is how many bytes the name of each place takes, by its number.
	names []int
	// counted says that each frame takes one of the room, whatever its name and depth.
	counted bool
	// room is what the tree may take.
	room *room

	groups []int32 // while stacks are split: the group of each place, and 0 for none
	queue  queue[Q]
	last   int
}

// quantity is what a stack costs.
type quantity[Q any] interface {
	plus(Q) Q
	// size is what frames are ordered by; the heaviest come first.
	size() float64
}

// step is one frame: the number of its place and whether it was inlined into the one
// that called it. Numbers are given in the order of names.
type step struct {
	place   int32
	inlined bool
}

// thread is one stack and how far it was followed.
type thread[Q quantity[Q]] struct {
	cost      Q
	locations []*profile.Location
	location  int // the next frame is at frame of this location
	frame     int
	next      *thread[Q]
}

// branch is stacks that go through the same frames so far.
type branch[Q quantity[Q]] struct {
	place   int32
	inlined bool // on all stacks
	cost    Q
	threads *thread[Q]

	below  *grown[Q]
	number int // of the branch in the order in which they were found
}

// grown is one frame of a tree.
type grown[Q quantity[Q]] struct {
	place      int32
	inlined    bool
	cost, self Q
	depth      int
	children   []*grown[Q] // the heaviest first
}

// grow returns the tree below a root. Branches under least are left out, and those that
// there is no room for; dropped is how many frames they have.
func (g *grower[Q]) grow(threads *thread[Q], least float64) (root *grown[Q], dropped int) {
	g.groups = make([]int32, len(g.names))
	root = &grown[Q]{place: -1}
	for t := threads; t != nil; t = t.next {
		root.cost = root.cost.plus(t.cost)
	}
	dropped = g.spread(root, threads, least)
	for len(g.queue) > 0 {
		b := heap.Pop(&g.queue).(branch[Q])
		if !g.room.takes(g.takes(&b)) {
			dropped += g.count(b.threads) + 1
			continue
		}
		f := &grown[Q]{place: b.place, inlined: b.inlined, cost: b.cost, depth: b.below.depth + 1}
		b.below.children = append(b.below.children, f)
		dropped += g.spread(f, b.threads, least)
	}
	return root, dropped
}

// takes is what a branch takes of the room.
func (g *grower[Q]) takes(b *branch[Q]) int {
	if g.counted {
		return 1
	}
	return frameBytes(g.names[b.place], b.below.depth)
}

// spread puts the branches above a frame into the queue, and counts the frames of those
// that are too light.
func (g *grower[Q]) spread(f *grown[Q], threads *thread[Q], least float64) (dropped int) {
	branches, self := g.split(nil, threads)
	f.self = self
	for _, b := range branches {
		if b.cost.size() < least {
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
func (g *grower[Q]) split(buffer []branch[Q], threads *thread[Q]) (branches []branch[Q], self Q) {
	branches = buffer
	for t := threads; t != nil; {
		following := t.next
		s, ok := g.follow(t)
		if !ok {
			self = self.plus(t.cost)
			t = following
			continue
		}
		i := g.groups[s.place]
		if i == 0 {
			branches = append(branches, branch[Q]{place: s.place, inlined: true})
			i = int32(len(branches))
			g.groups[s.place] = i
		}
		b := &branches[i-1]
		b.cost = b.cost.plus(t.cost)
		b.inlined = b.inlined && s.inlined
		t.next, b.threads = b.threads, t
		t = following
	}
	for _, b := range branches[len(buffer):] {
		g.groups[b.place] = 0
	}
	return branches, self
}

// follow returns the next frame of a stack; ok is false at its end.
func (g *grower[Q]) follow(t *thread[Q]) (s step, ok bool) {
	for t.location >= 0 && t.location < len(t.locations) {
		frames := g.frames[t.locations[t.location]]
		if t.frame < 0 { // a location that was not begun
			t.frame = len(frames)
		}
		if t.frame > 0 {
			t.frame--
			return frames[t.frame], true
		}
		t.location, t.frame = t.location-1, -1
	}
	return step{}, false
}

// count returns how many frames the tree of some stacks has.
func (g *grower[Q]) count(threads *thread[Q]) (frames int) {
	todo := []*thread[Q]{threads}
	var buffer []branch[Q]
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t.next == nil { // most branches end as a single stack
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
type queue[Q quantity[Q]] []branch[Q]

func (q queue[Q]) Len() int      { return len(q) }
func (q queue[Q]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue[Q]) Less(i, j int) bool {
	x, y := &q[i], &q[j]
	switch a, b := x.cost.size(), y.cost.size(); {
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
