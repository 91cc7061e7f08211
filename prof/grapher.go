package prof

import (
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/symbol"
)

// grapher builds a graph. The places of each location are looked up once, since samples
// share locations many times over.
type grapher struct {
	*selected
	nodes map[Place]*node
	// frames are the frames of each location, leaf first, by its number in the profile.
	frames map[*profile.Location][]calling
	path   []calling
}

// calling is one frame.
type calling struct {
	*node
	inlined bool // into the frame that follows
}

func (b *grapher) resolve() {
	b.frames = make(map[*profile.Location][]calling, len(b.profile.Location))
	var at []symbol.Frame
	for _, l := range b.profile.Location {
		var frames []calling
		at = symbol.AppendFramesAt(at[:0], l)
		if b.noInlines {
			at = at[len(at)-1:]
		}
		for _, f := range at {
			place := Place{Function: f.Function, File: f.File, Line: f.Line, Address: l.Address}
			frames = append(frames, calling{node: b.at(b.granularity.of(place))})
		}
		for i := range frames[:max(0, len(frames)-1)] {
			frames[i].inlined = true
		}
		b.frames[l] = frames
	}
}

func (b *grapher) at(p Place) *node {
	n := b.nodes[p]
	if n == nil {
		n = &node{Place: p, seen: -1}
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
	for _, f := range slices.Backward(stack) {
		if f.seen != i {
			f.seen = i
			f.cum += v
		}
		if f.inlined {
			f.node.inlined = true
		} else {
			f.outOfLine = true
		}
	}
	if len(stack) > 0 {
		stack[0].flat += v
	}
}
