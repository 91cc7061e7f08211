package havlak

import (
	"math"
	"slices"
)

// sliced is first with a slice wherever a key is a small number, and for small sets. All
// data of a call are kept for the next one, so that Find allocates nothing once warm. Blocks,
// loops and sets are still pointers to structs.
//
// A CPU profile shows Find, which sorts the predecessors, visit and loopAt, at about equal
// weight.
type sliced struct {
	blocks []*slicedBlock
	number []int32      // by name of a block; unreached before
	nodes  []slicedNode // by number
	last   []int32      // the greatest number among a node's descendants
	back   [][]int32    // predecessors by number that are descendants, too
	other  [][]int32    // the other predecessors, each once
	body   []*slicedNode
	loops  []*slicedLoop // of the last Find; behind its end those to be used again
}

type slicedBlock struct {
	name    int32
	in, out []*slicedBlock
}

type slicedLoop struct {
	header      *slicedBlock
	parent      *slicedLoop // nil for the outermost
	blocks      []*slicedBlock
	children    []*slicedLoop
	irreducible bool
}

// slicedNode is a block in the order of the search, and a node of the forest of sets.
type slicedNode struct {
	parent *slicedNode
	block  *slicedBlock
	loop   *slicedLoop // whose header the block is
	number int32
	in     int32 // the header for which the node was last put into a body
}

const unreached = math.MaxInt32

func newSlices(g Graph) *sliced {
	s := &sliced{
		blocks: make([]*slicedBlock, g.Nodes),
		number: make([]int32, g.Nodes),
		nodes:  make([]slicedNode, g.Nodes),
		last:   make([]int32, g.Nodes),
		back:   make([][]int32, g.Nodes),
		other:  make([][]int32, g.Nodes),
	}
	for v := range s.blocks {
		s.blocks[v] = &slicedBlock{name: int32(v)}
	}
	for _, e := range g.Edges {
		from, to := s.blocks[e.From], s.blocks[e.To]
		from.out = append(from.out, to)
		to.in = append(to.in, from)
	}
	return s
}

// set returns the representative of n's set, and hangs all on the way right below it.
func (n *slicedNode) set() *slicedNode {
	top := n
	for top.parent != top {
		top = top.parent
	}
	for n != top {
		n, n.parent = n.parent, top
	}
	return top
}

func (s *sliced) visit(b *slicedBlock, number int32) int32 {
	n := &s.nodes[number]
	*n = slicedNode{parent: n, block: b, number: number, in: None}
	s.number[b.name] = number
	reached := number
	for _, to := range b.out {
		if s.number[to.name] == unreached {
			reached = s.visit(to, reached+1)
		}
	}
	s.last[number] = reached
	return reached
}

// isAncestor says whether v is w or among w's descendants.
func (s *sliced) isAncestor(w, v int32) bool { return w <= v && v <= s.last[w] }

func (s *sliced) Find() {
	s.loops = s.loops[:0]
	for v := range s.number {
		s.number[v] = unreached
	}
	size := s.visit(s.blocks[0], 0) + 1
	for w := range size {
		s.back[w], s.other[w] = s.back[w][:0], s.other[w][:0]
		for _, from := range s.nodes[w].block.in {
			switch v := s.number[from.name]; {
			case v == unreached:
			case s.isAncestor(w, v):
				s.back[w] = append(s.back[w], v)
			default:
				s.other[w] = appendOnce(s.other[w], v)
			}
		}
	}
	for w := size - 1; w >= 0; w-- { // inner headers before outer ones
		s.loopAt(w)
	}
}

// loopAt collects the loop whose header is w, if it is one.
func (s *sliced) loopAt(w int32) {
	self := false
	s.body = s.body[:0] // representatives of inner loops, and other nodes
	for _, v := range s.back[w] {
		if v == w {
			self = true
		} else {
			s.take(&s.nodes[v], w)
		}
	}
	irreducible := false
	for i := 0; i < len(s.body); i++ {
		for _, y := range s.other[s.body[i].number] {
			from := s.nodes[y].set()
			if s.isAncestor(w, from.number) {
				s.take(from, w)
				continue
			}
			irreducible = true
			s.other[w] = appendOnce(s.other[w], from.number) // enters whatever is around w, too
		}
	}
	if len(s.body) == 0 && !self {
		return
	}
	loop := s.newLoop()
	header := &s.nodes[w]
	header.loop, loop.header, loop.irreducible = loop, header.block, irreducible
	loop.blocks = append(loop.blocks, header.block)
	for _, n := range s.body {
		n.parent = header
		if n.loop != nil {
			n.loop.parent = loop
			loop.children = append(loop.children, n.loop)
		} else {
			loop.blocks = append(loop.blocks, n.block)
		}
	}
}

// take puts the set that n is in into the body of w's loop, once.
func (s *sliced) take(n *slicedNode, w int32) {
	n = n.set()
	if n.number != w && n.in != w {
		n.in = w
		s.body = append(s.body, n)
	}
}

// newLoop appends an empty loop to s.loops: one of an earlier call, if there is one.
func (s *sliced) newLoop() *slicedLoop {
	if len(s.loops) == cap(s.loops) {
		s.loops = slices.Grow(s.loops, 1)
	}
	s.loops = s.loops[:len(s.loops)+1]
	at := &s.loops[len(s.loops)-1]
	if *at == nil {
		*at = new(slicedLoop)
	}
	loop := *at
	*loop = slicedLoop{blocks: loop.blocks[:0], children: loop.children[:0]}
	return loop
}

// appendOnce keeps a small set.
func appendOnce(set []int32, v int32) []int32 {
	if slices.Contains(set, v) {
		return set
	}
	return append(set, v)
}

func (s *sliced) Forest() Forest {
	of := make([]*slicedLoop, len(s.blocks)) // the innermost loop of each node
	for _, loop := range s.loops {
		for _, b := range loop.blocks {
			of[b.name] = loop
		}
	}
	return newForest(len(s.blocks), func(v int32) int32 {
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
