package prof

import (
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/calltree"
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

func (v samples) Plus(w samples) samples { return v + w }
func (v samples) Size() float64          { return float64(magnitude(int64(v))) }

// stacks are the samples of a profile, to be merged into call trees.
type stacks struct {
	*selected
	places []Place // in the order of their names
	frames map[*profile.Location][]calltree.Step
}

func (s *selected) stacks() *stacks {
	b := &grapher{selected: s, nodes: map[Place]*node{}}
	b.resolve()
	out := &stacks{selected: s, frames: make(map[*profile.Location][]calltree.Step, len(b.frames))}
	out.places = slices.SortedFunc(maps.Keys(b.nodes), Place.compare)
	for i, p := range out.places {
		b.nodes[p].seen = i
	}
	for l, frames := range b.frames {
		steps := make([]calltree.Step, len(frames))
		for i, f := range frames {
			steps[i] = calltree.Step{Place: int32(f.seen), Inlined: f.inlined}
		}
		out.frames[l] = steps
	}
	return out
}

// tree merges stacks below a root that has the name of a place. Branches under a share of
// the root are left out; dropped is how many frames they have, and their samples stay in
// the value of their callers.
func (s *stacks) tree(root Place, threads *calltree.Thread[samples], share float64, r *calltree.Room) (tree *Frame,
	dropped int) {
	g := calltree.Grower[samples]{Frames: s.frames, Room: r, Names: make([]int, len(s.places))}
	for i, p := range s.places {
		g.Names[i] = p.textBytes()
	}
	var total samples
	for t := threads; t != nil; t = t.Next {
		total += t.Cost
	}
	merged, dropped := g.Grow(threads, math.Trunc(total.Size()*share))
	tree = s.frame(merged)
	tree.Place = root
	return tree, dropped
}

func (s *stacks) frame(g *calltree.Grown[samples]) *Frame {
	f := &Frame{Value: int64(g.Cost), Self: int64(g.Self), Inlined: g.Inlined}
	if g.Place >= 0 {
		f.Place = s.places[g.Place]
	}
	for _, c := range g.Children {
		f.Children = append(f.Children, s.frame(c))
	}
	return f
}
