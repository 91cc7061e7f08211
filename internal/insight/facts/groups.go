package facts

import (
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// Group is what the samples of a profile of a moment come to, by the user's function that is the reason for them.
type Group struct {
	Place code.Place
	Via   string
	Value float64 // in the profile's unit
	Share float64 // 0 to 1
	Stack []string
	Root  string // the function that its goroutines began with
	// Sample is the stack of its largest sample.
	Sample *Stack
}

// Groups sums up a profile that is not a flow (heap in use, goroutines) by the user's function, the largest first. A
// stack without one is charged to the line that started its goroutine, or that serves in the same package.
func (v *View) Groups(kind, sampleType string) []*Group {
	c, ok := v.Captures[kind]
	if !ok {
		return nil
	}
	at := column(c.Profile, sampleType)
	if at < 0 {
		return nil
	}
	all, total := map[code.Place]*Group{}, 0.0
	largest := map[*Group]int64{}
	for _, sample := range c.Profile.Sample {
		s, observed := v.stack(sample)
		if observed || sample.Value[at] <= 0 {
			continue
		}
		value := float64(sample.Value[at])
		total += value
		place, own, ok := v.cause(&s, 0)
		if !ok {
			place, _ = v.serving(s.root())
		}
		key := code.Place{Function: place.Function, File: place.File}
		g := all[key]
		if g == nil {
			g = &Group{Place: place}
			all[key] = g
		}
		g.Value += value
		if sample.Value[at] > largest[g] {
			largest[g] = sample.Value[at]
			g.Place, g.Stack, g.Root, g.Sample = place, s.Text(min(own, len(s.Frames)-1), 0), s.root(), &s
			if own > 0 && own < len(s.Frames) {
				g.Via = s.Frames[own-1].Function
			}
		}
	}
	var sorted []*Group
	for _, g := range all {
		g.Share = g.Value / total
		sorted = append(sorted, g)
	}
	slices.SortFunc(sorted, func(a, b *Group) int {
		if c := CompareShares(a.Value, b.Value); c != 0 {
			return c
		}
		return code.ComparePlaces(a.Place, b.Place)
	})
	return sorted
}

// HeldBy is the part of the live heap, 0 to 1, that was allocated under one of these functions.
func (v *View) HeldBy(functions ...string) float64 {
	c, ok := v.Captures["heap"]
	if !ok {
		return 0
	}
	at := column(c.Profile, "inuse_space")
	held, total := 0.0, 0.0
	for _, sample := range c.Profile.Sample {
		if at < 0 {
			break
		}
		s, _ := v.stack(sample)
		total += float64(sample.Value[at])
		if s.Find(func(f *Frame) bool { return f.Is(functions...) }) >= 0 {
			held += float64(sample.Value[at])
		}
	}
	return held / max(total, 1)
}

// serving is the user's line that waits inside of the package that goroutines of this root function belong to: the
// call of Serve for those that serve connections.
func (v *View) serving(root string) (code.Place, bool) {
	c, ok := v.Captures["goroutine"]
	if !ok || root == "" {
		return code.Place{}, false
	}
	for _, sample := range c.Profile.Sample {
		s, observed := v.stack(sample)
		own := s.Own(0)
		if observed || own == len(s.Frames) || own == 0 {
			continue
		}
		if s.Find(func(f *Frame) bool { return f.Pkg == symbol.PackagePath(root) && f.Origin != prof.Own }) >= 0 {
			return s.Frames[own].Place(), true
		}
	}
	return code.Place{}, false
}

// EveryStack are the stacks of the CPU, allocation and goroutine profiles.
func (v *View) EveryStack() []Stack {
	all := slices.Clone(v.Stacks)
	if c, ok := v.Captures["goroutine"]; ok {
		for _, sample := range c.Profile.Sample {
			if s, observed := v.stack(sample); !observed {
				all = append(all, s)
			}
		}
	}
	return all
}
