package havlak

// final keeps every number in an int32 array, and all arrays in one piece of memory. A
// node is known by its number in the order of the search, so that the nodes of a loop lie
// near each other and arrays are walked, not jumped about in; names are needed where an
// edge is followed only. There is no pointer for the collector to follow, and Find
// allocates nothing but room for entries into irreducible loops, which it keeps.
//
// A CPU profile shows search at about a third, and findLoops with what it calls at the rest;
// an allocs profile shows newFinal only.
type final struct {
	// The graph, by name: the edges that leave v lead to outTo[outStart[v]:outStart[v+1]],
	// those that come to v are from inFrom[inStart[v]:inStart[v+1]].
	outStart, outTo []int32
	inStart, inFrom []int32

	// The search's tree. From name on everything is by number.
	size   int32   // nodes reached by the last Find
	number []int32 // by name: the number, or unreached
	name   []int32 // the name of each number
	parent []int32 // in the tree
	last   []int32 // the greatest number among a node's descendants
	next   []int32 // the first edge that the search has not looked at

	// Loops, inner before outer.
	set    []int32 // a node's way to the representative of its set: the outermost header so far
	taken  []int32 // the header for which a node was looked at last
	list   []int32 // nodes to return to while searching; the body of one loop afterwards
	around []int32 // the header of the innermost loop that a node is in, its own one left out, or None
	kind   []uint8

	// Edges that enter a loop elsewhere than at its header, as further predecessors of the
	// header: a list for each irreducible loop, linked by entryNext up to None.
	entries              []int32
	entryFrom, entryNext []int32
}

// Bits of final.kind.
const (
	kindMet uint8 = 1 << iota // the search came by again: it may be a header
	kindHeader
	kindIrreducible
)

func newFinal(g Graph) *final {
	f := &final{kind: make([]uint8, g.Nodes)}
	n, m := g.Nodes, len(g.Edges)
	arena := make([]int32, 2*(n+1+m)+10*n)
	carve := func(length int) []int32 {
		piece := arena[:length:length]
		arena = arena[length:]
		return piece
	}
	f.outStart, f.outTo, f.inStart, f.inFrom = carve(n+1), carve(m), carve(n+1), carve(m)
	f.number, f.name, f.parent, f.last, f.next = carve(n), carve(n), carve(n), carve(n), carve(n)
	f.set, f.taken, f.list, f.around, f.entries = carve(n), carve(n), carve(n), carve(n), carve(n)
	for v := range f.number {
		f.number[v] = unreached // no loops before a Find
	}

	for _, e := range g.Edges {
		f.outStart[e.From+1]++
		f.inStart[e.To+1]++
	}
	outs, ins := f.next, f.list // where the next edge of each node goes
	for v := range n {
		outs[v], ins[v] = f.outStart[v], f.inStart[v]
		f.outStart[v+1] += f.outStart[v]
		f.inStart[v+1] += f.inStart[v]
	}
	for _, e := range g.Edges {
		f.outTo[outs[e.From]] = e.To
		outs[e.From]++
		f.inFrom[ins[e.To]] = e.From
		ins[e.To]++
	}
	return f
}

func (f *final) Find() {
	f.search()
	f.findLoops()
}

// search numbers the nodes that can be reached in the order of a depth-first search. A
// node whose edges have all been looked at is not returned to, which leaves a chain of
// blocks out of the list.
func (f *final) search() {
	number, outStart, outTo, next, kind := f.number, f.outStart, f.outTo, f.next, f.kind
	for v := range number {
		number[v] = unreached
	}
	list := f.list[:0]
	w, size := f.reach(0, 0, None), int32(1)
	at, end := outStart[0], outStart[1]
	for {
		if at == end {
			if len(list) == 0 {
				break
			}
			w = list[len(list)-1]
			list = list[:len(list)-1]
			at, end = next[w], outStart[f.name[w]+1]
		}
		v := outTo[at]
		at++
		if met := number[v]; met != unreached {
			kind[met] = kindMet
			continue
		}
		if at < end {
			next[w] = at
			list = append(list, w)
		}
		w = f.reach(size, v, w)
		size++
		at, end = outStart[v], outStart[v+1]
	}
	f.size = size
}

// reach gives the node called name the number w, below parent.
func (f *final) reach(w, name, parent int32) int32 {
	f.number[name] = w
	f.name[w], f.parent[w], f.last[w] = name, parent, w
	f.set[w], f.taken[w], f.kind[w] = w, None, 0
	return w
}
