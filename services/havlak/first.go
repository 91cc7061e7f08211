package havlak

import "container/list"

// first is the program as one writes it down: a map from block to number, a set of
// predecessors for each node, lists of lists, and all of it made anew for each call.
//
// A CPU profile shows the map of numbers and the garbage collector; an allocs profile names
// container/list, and the sets that Find and loopAt make.
type first struct {
	blocks map[int32]*firstBlock
	loops  *firstLoops // of the last Find
}

type firstBlock struct {
	name    int32
	in, out *list.List // of *firstBlock
}

type firstLoop struct {
	header      *firstBlock
	parent      *firstLoop // nil for the outermost
	blocks      map[*firstBlock]bool
	children    map[*firstLoop]bool
	irreducible bool
}

type firstLoops struct{ all *list.List } // of *firstLoop

func newFirst(g Graph) *first {
	f := &first{blocks: map[int32]*firstBlock{}, loops: &firstLoops{list.New()}}
	for v := range int32(g.Nodes) {
		f.blocks[v] = &firstBlock{name: v, in: list.New(), out: list.New()}
	}
	for _, e := range g.Edges {
		from, to := f.blocks[e.From], f.blocks[e.To]
		from.out.PushBack(to)
		to.in.PushBack(from)
	}
	return f
}

// firstNode is a block in the order of the search, and a node of the forest of sets.
type firstNode struct {
	parent *firstNode
	block  *firstBlock
	loop   *firstLoop // whose header the block is
	number int
}

// set returns the representative of n's set, and hangs all on the way right below it.
func (n *firstNode) set() *firstNode {
	way := list.New()
	for n.parent != n {
		way.PushBack(n)
		n = n.parent
	}
	for e := way.Front(); e != nil; e = e.Next() {
		e.Value.(*firstNode).parent = n
	}
	return n
}

// firstSearch is the state of a depth-first search.
type firstSearch struct {
	number map[*firstBlock]int // -1 before the block is reached
	nodes  []*firstNode        // by number
	last   []int               // the greatest number among a node's descendants
}

func (s *firstSearch) visit(b *firstBlock, number int) int {
	s.nodes[number].block = b
	s.number[b] = number
	reached := number
	for e := b.out.Front(); e != nil; e = e.Next() {
		if to := e.Value.(*firstBlock); s.number[to] == -1 {
			reached = s.visit(to, reached+1)
		}
	}
	s.last[number] = reached
	return reached
}

// isAncestor says whether v is w or among w's descendants.
func (s *firstSearch) isAncestor(w, v int) bool { return w <= v && v <= s.last[w] }

func (f *first) Find() {
	f.loops = &firstLoops{list.New()}
	size := len(f.blocks)
	s := &firstSearch{number: map[*firstBlock]int{}, nodes: make([]*firstNode, size), last: make([]int, size)}
	for _, b := range f.blocks {
		s.number[b] = -1
	}
	for i := range s.nodes {
		n := &firstNode{number: i}
		n.parent = n
		s.nodes[i] = n
	}
	s.visit(f.blocks[0], 0)

	// Predecessors, by number: those below a node in the search's tree, and the others.
	back, other := make([]*list.List, size), make([]map[int]bool, size)
	for w, n := range s.nodes {
		back[w], other[w] = list.New(), map[int]bool{}
		if n.block == nil {
			continue // not every block can be reached
		}
		for e := n.block.in.Front(); e != nil; e = e.Next() {
			switch v := s.number[e.Value.(*firstBlock)]; {
			case v == -1: // leads here but is never reached itself
			case s.isAncestor(w, v):
				back[w].PushBack(v)
			default:
				other[w][v] = true
			}
		}
	}
	for w := size - 1; w >= 0; w-- { // inner headers before outer ones
		if s.nodes[w].block != nil {
			f.loopAt(s, w, back[w], other)
		}
	}
}

// loopAt collects the loop whose header is w, if it is one.
func (f *first) loopAt(s *firstSearch, w int, back *list.List, other []map[int]bool) {
	body, self := list.New(), false // of *firstNode: representatives of inner loops, and other nodes
	for e := back.Front(); e != nil; e = e.Next() {
		if v := e.Value.(int); v == w {
			self = true
		} else if n := s.nodes[v].set(); !contains(body, n) {
			body.PushBack(n)
		}
	}
	irreducible := false
	work := list.New()
	work.PushBackList(body)
	for work.Len() > 0 {
		x := work.Remove(work.Front()).(*firstNode)
		for y := range other[x.number] {
			from := s.nodes[y].set()
			switch {
			case !s.isAncestor(w, from.number):
				irreducible = true
				other[w][from.number] = true // enters whatever is around w, or makes it irreducible, too
			case from.number != w && !contains(body, from):
				work.PushBack(from)
				body.PushBack(from)
			}
		}
	}
	if body.Len() == 0 && !self {
		return
	}
	header := s.nodes[w]
	loop := &firstLoop{header: header.block, irreducible: irreducible, blocks: map[*firstBlock]bool{header.block: true}, children: map[*firstLoop]bool{}}
	header.loop = loop
	for e := body.Front(); e != nil; e = e.Next() {
		n := e.Value.(*firstNode)
		n.parent = header
		if n.loop != nil {
			n.loop.parent = loop
			loop.children[n.loop] = true
		} else {
			loop.blocks[n.block] = true
		}
	}
	f.loops.all.PushBack(loop)
}

func contains(l *list.List, n *firstNode) bool {
	for e := l.Front(); e != nil; e = e.Next() {
		if e.Value.(*firstNode) == n {
			return true
		}
	}
	return false
}

func (f *first) Forest() Forest {
	of := map[int32]*firstLoop{} // the innermost loop of each node
	for e := f.loops.all.Front(); e != nil; e = e.Next() {
		loop := e.Value.(*firstLoop)
		for b := range loop.blocks {
			of[b.name] = loop
		}
	}
	return newForest(len(f.blocks), func(v int32) int32 {
		if loop := of[v]; loop != nil {
			return loop.header.name
		}
		return None
	}, func(h int32) found {
		loop := of[h]
		if loop.parent == nil {
			return found{None, loop.irreducible}
		}
		return found{loop.parent.header.name, loop.irreducible}
	})
}
