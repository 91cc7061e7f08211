package diff

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/symbol"
)

// diffLeast is the share of the larger side under which a frame is left out.
const diffLeast = 0.0005

// sides is what a stack costs on either side.
type sides struct{ a, b float64 }

func (s sides) Plus(t sides) sides { return sides{s.a + t.a, s.b + t.b} }
func (s sides) Size() float64      { return math.Max(s.a, s.b) }

// diffTree merges the stacks of both sides into one tree.
func diffTree(a, b *diffSide, words map[string]Word) *Frame {
	var threads *calltree.Thread[sides]
	var total sides
	for _, s := range []*diffSide{a, b} {
		var frames []symbol.Frame
		for _, c := range s.captures {
			for _, sample := range c.profile.Sample {
				v := float64(sample.Value[c.column]) / s.per
				frames = symbol.AppendFrames(frames[:0], sample)
				if v == 0 || symbol.IsObserver(frames) {
					continue
				}
				cost := sides{a: v}
				if s == b {
					cost = sides{b: v}
				}
				total = total.Plus(cost)
				threads = &calltree.Thread[sides]{Cost: cost, Locations: sample.Location, Location: len(sample.Location) - 1,
					Frame: -1, Next: threads}
			}
		}
	}
	functions, frames := functionsOf(a, b)
	g := calltree.Grower[sides]{Frames: frames, Room: prof.ViewOptions{}.Room(), Names: make([]int, len(functions))}
	for i, f := range functions {
		g.Names[i] = len(f)
	}
	merged, _ := g.Grow(threads, diffLeast*total.Size())
	root := diffFrame(merged, functions, words)
	root.Function, root.Word = "all", Same
	return root
}

// functionsOf numbers the functions of both sides in the order of their names, and says
// which are at each location, leaf first.
func functionsOf(a, b *diffSide) (functions []string, at map[*profile.Location][]calltree.Step) {
	at = map[*profile.Location][]calltree.Step{}
	numbers := map[string]int32{}
	each := func(visit func(*profile.Location, []symbol.Frame)) {
		for _, c := range slices.Concat(a.captures, b.captures) {
			for _, l := range c.profile.Location {
				visit(l, symbol.AppendFramesAt(nil, l))
			}
		}
	}
	each(func(_ *profile.Location, frames []symbol.Frame) {
		for _, f := range frames {
			numbers[f.Function] = 0
		}
	})
	functions = slices.Sorted(maps.Keys(numbers))
	for i, f := range functions {
		numbers[f] = int32(i)
	}
	each(func(l *profile.Location, frames []symbol.Frame) {
		for _, f := range frames {
			at[l] = append(at[l], calltree.Step{Place: numbers[f.Function]})
		}
	})
	return functions, at
}

// diffFrame orders children by name, so that both sides' frames stand in the same order.
func diffFrame(g *calltree.Grown[sides], functions []string, words map[string]Word) *Frame {
	f := &Frame{A: g.Cost.a, B: g.Cost.b}
	if g.Place >= 0 {
		f.Function = functions[g.Place]
		f.Word = cmp.Or(words[f.Function], Same)
	}
	slices.SortFunc(g.Children, func(x, y *calltree.Grown[sides]) int { return cmp.Compare(x.Place, y.Place) })
	for _, c := range g.Children {
		f.Children = append(f.Children, diffFrame(c, functions, words))
	}
	return f
}
