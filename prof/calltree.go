package prof

import (
	"cmp"
	"math"
	"slices"
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

// callTree merges stacks, each given from its first frame on.
type callTree struct {
	root  *Frame
	below map[*Frame]map[Place]*Frame
}

func newCallTree(root Place) *callTree {
	return &callTree{root: &Frame{Place: root}, below: map[*Frame]map[Place]*Frame{}}
}

// start begins a stack at the root.
func (t *callTree) start(v int64) *Frame {
	t.root.Value += v
	return t.root
}

// step goes on to the next frame of a stack.
func (t *callTree) step(from *Frame, p Place, inlined bool, v int64) *Frame {
	m := t.below[from]
	if m == nil {
		m = map[Place]*Frame{}
		t.below[from] = m
	}
	f := m[p]
	if f == nil {
		f = &Frame{Place: p, Inlined: inlined}
		m[p] = f
		from.Children = append(from.Children, f)
	}
	f.Value += v
	f.Inlined = f.Inlined && inlined
	return f
}

// trim drops what is under a share of the root and puts the heaviest children first. It
// returns how many frames were dropped; their samples stay in the value of their callers.
func (t *callTree) trim(share float64) (dropped int) {
	cutoff := uint64(math.Abs(float64(t.root.Value)) * share)
	var walk func(*Frame) int
	walk = func(f *Frame) int {
		size := 1
		kept := f.Children[:0]
		for _, c := range f.Children {
			n := walk(c)
			size += n
			if magnitude(c.Value) < cutoff {
				dropped += n
				size -= n
				continue
			}
			kept = append(kept, c)
		}
		f.Children = kept
		slices.SortFunc(kept, func(x, y *Frame) int {
			return cmp.Or(cmp.Compare(magnitude(y.Value), magnitude(x.Value)), x.compare(y.Place))
		})
		return size
	}
	walk(t.root)
	return dropped
}
