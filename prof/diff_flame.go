package prof

import (
	"cmp"
	"math"
	"slices"
)

// diffLeast is the share of the larger side under which a frame is left out.
const diffLeast = 0.0005

// diffTree merges the stacks of both sides into one tree.
func diffTree(a, b *diffSide, words map[string]Word) *DiffFrame {
	root := &DiffFrame{Function: "all", Word: Same}
	below := map[*DiffFrame]map[string]*DiffFrame{}
	for _, s := range []*diffSide{a, b} {
		cost := func(f *DiffFrame) *float64 {
			if s == a {
				return &f.A
			}
			return &f.B
		}
		var frames []frame
		for _, c := range s.captures {
			for _, sample := range c.profile.Sample {
				v := float64(sample.Value[c.column]) / s.per
				frames = appendFrames(frames[:0], sample)
				if v == 0 || isObserver(frames) {
					continue
				}
				at := root
				*cost(at) += v
				for _, f := range slices.Backward(frames) {
					next := below[at][f.function]
					if next == nil {
						if below[at] == nil {
							below[at] = map[string]*DiffFrame{}
						}
						next = &DiffFrame{Function: f.function, Word: cmp.Or(words[f.function], Same)}
						below[at][f.function] = next
						at.Children = append(at.Children, next)
					}
					at = next
					*cost(at) += v
				}
			}
		}
	}
	root.trim(diffLeast * math.Max(root.A, root.B))
	return root
}

// trim drops frames under a cost and orders the rest by name, so that both sides' frames
// stand in the same order.
func (f *DiffFrame) trim(least float64) {
	f.Children = slices.DeleteFunc(f.Children, func(c *DiffFrame) bool { return math.Max(c.A, c.B) < least })
	slices.SortFunc(f.Children, func(x, y *DiffFrame) int { return cmp.Compare(x.Function, y.Function) })
	for _, c := range f.Children {
		c.trim(least)
	}
}
