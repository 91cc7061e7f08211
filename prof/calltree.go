package prof

import (
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"
)

// Frame is a place in a call tree: what it was called from is above it.
type Frame struct {
	Place
	// Value is the samples that go through here, Self those that end here.
	Value    int64    `json:"value"`
	Self     int64    `json:"self,omitempty"`
	Inlined  bool     `json:"inlined,omitempty"`
	Children []*Frame `json:"children,omitempty"`
}

// samples is a value of a sample, as what a stack costs.
type samples int64

func (v samples) plus(w samples) samples { return v + w }
func (v samples) size() float64          { return float64(magnitude(int64(v))) }

// stacks are the samples of a profile, to be merged into call trees.
type stacks struct {
	*selected
	places []Place // in the order of their names
	frames map[*profile.Location][]step
}

func (s *selected) stacks() *stacks {
	b := &grapher{selected: s, nodes: map[Place]*node{}}
	b.resolve()
	out := &stacks{selected: s, frames: make(map[*profile.Location][]step, len(b.frames))}
	out.places = slices.SortedFunc(maps.Keys(b.nodes), Place.compare)
	for i, p := range out.places {
		b.nodes[p].seen = i
	}
	for l, frames := range b.frames {
		steps := make([]step, len(frames))
		for i, f := range frames {
			steps[i] = step{place: int32(f.seen), inlined: f.inlined}
		}
		out.frames[l] = steps
	}
	return out
}

// tree merges stacks below a root that has the name of a place. Branches under a share of
// the root are left out; dropped is how many frames they have, and their samples stay in
// the value of their callers.
func (s *stacks) tree(root Place, threads *thread[samples], share float64, r *room) (tree *Frame, dropped int) {
	g := grower[samples]{frames: s.frames, room: r, names: make([]int, len(s.places))}
	for i, p := range s.places {
		g.names[i] = p.textBytes()
	}
	var total samples
	for t := threads; t != nil; t = t.next {
		total += t.cost
	}
	merged, dropped := g.grow(threads, math.Trunc(total.size()*share))
	tree = s.frame(merged)
	tree.Place = root
	return tree, dropped
}

func (s *stacks) frame(g *grown[samples]) *Frame {
	f := &Frame{Value: int64(g.cost), Self: int64(g.self), Inlined: g.inlined}
	if g.place >= 0 {
		f.Place = s.places[g.place]
	}
	for _, c := range g.children {
		f.Children = append(f.Children, s.frame(c))
	}
	return f
}
