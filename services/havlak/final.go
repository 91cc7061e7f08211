package havlak

// final keeps every number in an int32 array, and all arrays in one piece of memory. A
// node is known by its number in the order of the search, so that a loop's nodes lie near
// each other and arrays are walked, not jumped about in; names are needed at the edges
// only. There is no pointer for the collector to follow, and Find allocates nothing unless
// a graph is irreducible in a new way.
//
// A CPU profile shows three passes of about equal weight (search, sortEdges, findLoops);
// an allocs profile shows newFinal only.
type final struct {
	nodes int32 // of the graph
	size  int32 // of them reached by the last Find

	// The graph, by name: the edges that leave v are outTo[outStart[v]:outStart[v+1]].
	outStart, outTo []int32

	// The search's tree. All that follows is by number.
	number []int32 // by name: the number, or unreached
	name   []int32 // the name of each number
	last   []int32 // the greatest number among a node's descendants

	// Predecessors: inFrom[inStart[w]:otherEnd[w]] are no descendants of w, those from
	// there up to inStart[w+1] are, w itself left out.
	inStart, otherEnd, inFrom []int32
	// Edges that were found to enter a loop from outside of its header, or None: further
	// predecessors of that header, linked by extraNext.
	extraHead            []int32
	extraFrom, extraNext []int32

	// Loops, inner before outer.
	set    []int32 // a node's way to the representative of its set: the outermost header so far
	taken  []int32 // the header for which the node was looked at last
	body   []int32
	around []int32 // the header of the innermost loop that a node is in, its own one left out, or None
	kind   []uint8
}

// Bits of final.kind.
const (
	kindSelf uint8 = 1 << iota
	kindHeader
	kindIrreducible
)

func newFinal(g Graph) *final {
	f := &final{nodes: int32(g.Nodes), kind: make([]uint8, g.Nodes)}
	n, m := g.Nodes, len(g.Edges)
	arena := make([]int32, 2*(n+1)+9*n+2*m)
	carve := func(length int) []int32 {
		piece := arena[:length:length]
		arena = arena[length:]
		return piece
	}
	f.outStart, f.outTo = carve(n+1), carve(m)
	f.number, f.name, f.last = carve(n), carve(n), carve(n)
	f.inStart, f.otherEnd, f.inFrom, f.extraHead = carve(n+1), carve(n), carve(m), carve(n)
	f.set, f.taken, f.body, f.around = carve(n), carve(n), carve(n), carve(n)

	for v := range f.number {
		f.number[v] = unreached // no loops before a Find
	}
	for _, e := range g.Edges {
		f.outStart[e.From+1]++
	}
	for v := range n {
		f.outStart[v+1] += f.outStart[v]
	}
	next := f.body // free until a search
	copy(next, f.outStart)
	for _, e := range g.Edges {
		f.outTo[next[e.From]] = e.To
		next[e.From]++
	}
	return f
}

func (f *final) Find() {
	f.search()
	f.sortEdges()
	f.findLoops()
}

// search numbers the nodes that can be reached in the order of a depth-first search.
func (f *final) search() {
	next := f.body     // by number: the first edge that was not followed yet
	parent := f.around // by number: where the search came from
	for v := range f.number {
		f.number[v] = unreached
	}
	f.number[0], f.name[0], next[0], parent[0] = 0, 0, f.outStart[0], None
	size := int32(1)
	for w := int32(0); w != None; {
		at, end := next[w], f.outStart[f.name[w]+1]
		for at < end && f.number[f.outTo[at]] != unreached {
			at++
		}
		if at == end {
			f.last[w] = size - 1
			w = parent[w]
			continue
		}
		v := f.outTo[at]
		next[w] = at + 1
		f.number[v], f.name[size], next[size], parent[size] = size, v, f.outStart[v], w
		w = size
		size++
	}
	f.size = size
}

// isAncestor says whether v is w or among w's descendants.
func (f *final) isAncestor(w, v int32) bool { return w <= v && v <= f.last[w] }

// sortEdges turns the edges around: first it counts those that come to each node, then it
// puts them there, descendants at the end of the node's piece and others at the beginning.
func (f *final) sortEdges() {
	size := f.size
	clear(f.inStart[:size+1])
	for v := range size {
		name := f.name[v]
		for _, to := range f.outTo[f.outStart[name]:f.outStart[name+1]] {
			if w := f.number[to]; w != v {
				f.inStart[w+1]++
			}
		}
	}
	others, backs := f.otherEnd, f.taken // where the next predecessor of each kind goes
	for w := range size {
		others[w] = f.inStart[w]
		f.inStart[w+1] += f.inStart[w]
		backs[w] = f.inStart[w+1]
	}
	clear(f.kind[:size])
	for v := range size {
		name := f.name[v]
		for _, to := range f.outTo[f.outStart[name]:f.outStart[name+1]] {
			switch w := f.number[to]; {
			case w == v:
				f.kind[w] = kindSelf
			case f.isAncestor(w, v):
				backs[w]--
				f.inFrom[backs[w]] = v
			default:
				f.inFrom[others[w]] = v
				others[w]++
			}
		}
	}
}
