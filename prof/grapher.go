package prof

import (
	"github.com/google/pprof/profile"
)

// grapher builds a graph. The places of each location are looked up once, since samples
// share locations many times over.
type grapher struct {
	*selected
	keep  func(Place) bool
	edges bool // who calls whom is counted, too
	// ends, if not nil, says which places a call must begin or end at to be counted.
	ends  func(Place) bool
	nodes map[Place]*node
	left  int // how many edges there may be besides those that there are; -1: one was refused
	// frames are the frames of each location, leaf first, by its number in the profile.
	frames map[*profile.Location][]calling
	path   []calling
}

// calling is one frame: a node, or nil for one that is not in the graph.
type calling struct {
	*node
	inlined bool // into the frame that follows
}

func (b *grapher) resolve() {
	b.frames = make(map[*profile.Location][]calling, len(b.profile.Location))
	var at []frame
	for _, l := range b.profile.Location {
		var frames []calling
		at = appendFramesAt(at[:0], l)
		if b.noInlines {
			at = at[len(at)-1:]
		}
		for _, f := range at {
			place := Place{Function: f.function, File: f.file, Line: f.line, Address: l.Address}
			frames = append(frames, calling{node: b.at(b.granularity.of(place))})
		}
		for i := range frames[:max(0, len(frames)-1)] {
			frames[i].inlined = true
		}
		b.frames[l] = frames
	}
}

func (b *grapher) at(p Place) *node {
	if b.keep != nil && !b.keep(p) {
		return nil
	}
	n := b.nodes[p]
	if n == nil {
		n = &node{Place: p, seen: -1, end: b.ends == nil || b.ends(p)}
		b.nodes[p] = n
	}
	return n
}

// stack is a sample's frames, leaf first; valid until the next call.
func (b *grapher) stack(locations []*profile.Location) []calling {
	b.path = b.path[:0]
	for _, l := range locations {
		b.path = append(b.path, b.frames[l]...)
	}
	return b.path
}

// add counts sample number i, from the root to the leaf.
func (b *grapher) add(i int, stack []calling, v int64) {
	var caller *node
	residual := false
	for k := len(stack) - 1; k >= 0; k-- {
		f := stack[k]
		if f.node == nil {
			residual = true
			continue
		}
		if f.seen != i {
			f.seen = i
			f.cum += v
		}
		if f.inlined {
			f.node.inlined = true
		} else {
			f.outOfLine = true
		}
		if b.edges && caller != nil && caller != f.node && (f.end || caller.end) {
			b.call(caller, f, i, v, residual)
		}
		caller, residual = f.node, false
	}
	if caller != nil && !residual {
		caller.flat += v
	}
}

// maxEdges bounds the memory of a graph: 3000 functions that all call each other have
// nine million edges, of 300 bytes each. Real programs have some ten thousand.
const maxEdges = 500_000

// call counts a call in a sample.
func (b *grapher) call(n *node, to calling, sample int, v int64, residual bool) {
	callee, inlined := to.node, to.inlined
	e := n.out[callee]
	if e == nil {
		if b.left <= 0 {
			b.left = -1
			return
		}
		b.left--
		if n.out == nil {
			n.out = map[*node]*edge{}
		}
		if callee.in == nil {
			callee.in = map[*node]*edge{}
		}
		e = &edge{from: n, to: callee, inline: true, seen: -1}
		n.out[callee], callee.in[n] = e, e
	}
	if e.seen != sample {
		e.seen = sample
		e.value += v
		e.residual = e.residual || residual
		e.inline = e.inline && inlined
	}
}
