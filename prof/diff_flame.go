package prof

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"
)

// diffLeast is the share of the larger side under which a frame is left out.
const diffLeast = 0.0005

// sides is what a stack costs on either side.
type sides struct{ a, b float64 }

func (s sides) plus(t sides) sides { return sides{s.a + t.a, s.b + t.b} }
func (s sides) size() float64      { return math.Max(s.a, s.b) }

// diffTree merges the stacks of both sides into one tree.
func diffTree(a, b *diffSide, words map[string]Word) *DiffFrame {
	var threads *thread[sides]
	var total sides
	for _, s := range []*diffSide{a, b} {
		var frames []frame
		for _, c := range s.captures {
			for _, sample := range c.profile.Sample {
				v := float64(sample.Value[c.column]) / s.per
				frames = appendFrames(frames[:0], sample)
				if v == 0 || isObserver(frames) {
					continue
				}
				cost := sides{a: v}
				if s == b {
					cost = sides{b: v}
				}
				total = total.plus(cost)
				threads = &thread[sides]{cost: cost, locations: sample.Location, location: len(sample.Location) - 1,
					frame: -1, next: threads}
			}
		}
	}
	functions, frames := functionsOf(a, b)
	g := grower[sides]{frames: frames, room: ViewOptions{}.room(), names: make([]int, len(functions))}
	for i, f := range functions {
		g.names[i] = len(f)
	}
	merged, _ := g.grow(threads, diffLeast*total.size())
	root := diffFrame(merged, functions, words)
	root.Function, root.Word = "all", Same
	return root
}

// functionsOf numbers the functions of both sides in the order of their names, and says
// which are at each location, leaf first.
func functionsOf(a, b *diffSide) (functions []string, at map[*profile.Location][]step) {
	at = map[*profile.Location][]step{}
	numbers := map[string]int32{}
	each := func(visit func(*profile.Location, []frame)) {
		for _, c := range slices.Concat(a.captures, b.captures) {
			for _, l := range c.profile.Location {
				visit(l, appendFramesAt(nil, l))
			}
		}
	}
	each(func(_ *profile.Location, frames []frame) {
		for _, f := range frames {
			numbers[f.function] = 0
		}
	})
	functions = slices.Sorted(maps.Keys(numbers))
	for i, f := range functions {
		numbers[f] = int32(i)
	}
	each(func(l *profile.Location, frames []frame) {
		for _, f := range frames {
			at[l] = append(at[l], step{place: numbers[f.function]})
		}
	})
	return functions, at
}

// diffFrame orders children by name, so that both sides' frames stand in the same order.
func diffFrame(g *grown[sides], functions []string, words map[string]Word) *DiffFrame {
	f := &DiffFrame{A: g.cost.a, B: g.cost.b}
	if g.place >= 0 {
		f.Function = functions[g.place]
		f.Word = cmp.Or(words[f.Function], Same)
	}
	slices.SortFunc(g.children, func(x, y *grown[sides]) int { return cmp.Compare(x.place, y.place) })
	for _, c := range g.children {
		f.Children = append(f.Children, diffFrame(c, functions, words))
	}
	return f
}
