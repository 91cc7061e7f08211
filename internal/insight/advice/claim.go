package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/text/units"
)

// claim takes from a finding what another one explains already. It returns nil if what is left is not worth a finding;
// what it would have said is then a row of the one that explains most of it.
func (v *search) claim(f *found) *found {
	if f.stacks == nil {
		return f
	}
	whole, gone, taken := 0.0, 0.0, map[*found]float64{}
	left := f.stacks[:0:0]
	for _, i := range f.stacks {
		whole += v.Stacks[i].Cost
		if by := v.claimed[i]; by != nil {
			taken[by] += v.Stacks[i].Cost
			gone += v.Stacks[i].Cost
			continue
		}
		left = append(left, i)
	}
	if whole > 0 && gone > 0 {
		keep := 1 - gone/whole
		f.Cost, f.Gain = f.Cost*keep, f.Gain*keep
	}
	// What is left of a finding of which another cause explains most is of that cause as well.
	if beside := v.sameAllocations(f); beside != nil {
		beside.Cost, beside.Gain = beside.Cost+f.Cost, beside.Gain+f.Gain
		beside.stacks = append(beside.stacks, left...)
		for _, i := range left {
			v.claimed[i] = beside
		}
		beside.Evidence = append(beside.Evidence, Evidence{Source: "also",
			Text: fmt.Sprintf("%s: %s", f.Place, f.Title)})
		return nil
	}
	if f.Gain < f.rule.threshold("gain") || gone > whole/2 {
		by := most(taken)
		if by != nil && by.Place == f.Place && by.Via == f.Via { // the same call, which other callers ask for
			by.Cost, by.Gain = by.Cost+f.Cost, by.Gain+f.Gain
			by.stacks = append(by.stacks, left...)
			for _, i := range left {
				v.claimed[i] = by
			}
		}
		if by != nil && taken[by] >= least {
			by.Evidence = append(by.Evidence, Evidence{Source: "consequence",
				Text: fmt.Sprintf("%s: %s (%s of the CPU time)", f.rule.Name, f.Title, units.Share(taken[by]))})
		}
		return nil
	}
	f.stacks = left
	for _, i := range left {
		v.claimed[i] = f
	}
	return f
}

// sameAllocations is the finding that names the way in which the function of a finding of objects allocates already;
// nil if there is none. What else it allocates there is of the same data.
func (v *search) sameAllocations(f *found) *found {
	if f.rule.Name != "object-per-call" {
		return nil
	}
	for _, by := range v.found {
		switch by.rule.Name {
		case "buffer-per-call", "append-growth", "map-growth", "boxing", "useless-pool":
			if by.Place.Function == f.Place.Function {
				return by
			}
		}
	}
	return nil
}

// most is the finding that takes most; nil of none.
func most(taken map[*found]float64) (by *found) {
	for f, share := range taken {
		if by == nil || share > taken[by] || share == taken[by] && code.ComparePlaces(f.Place, by.Place) < 0 {
			by = f
		}
	}
	return by
}

// fold makes one finding of those of one rule in one function.
func fold(all []*found) []*found {
	type key struct{ rule, function string }
	first := map[key]*found{}
	var kept []*found
	for _, f := range all {
		k := key{f.rule.Name, f.Place.Function}
		if f.rule == nPlusOne || f.rule == slowStatement {
			k.function = f.Place.String() // each statement is a cause of its own
		}
		old := first[k]
		if old == nil || f.Place.Function == "" {
			first[k] = f
			kept = append(kept, f)
			continue
		}
		if old.Share() != f.Share() { // CPU time and waiting of one cause, or requests of two endpoints
			if f.Gain > old.Gain {
				f.stacks, f.Evidence = append(f.stacks, old.stacks...), append(f.Evidence, old.Evidence...)
				f.Evidence = append(f.Evidence, Evidence{Source: "also", Text: old.also()})
				*old = *f
				continue
			}
			old.Evidence = append(old.Evidence, Evidence{Source: "also", Text: f.also()})
			continue
		}
		old.Cost, old.Gain = min(1, old.Cost+f.Cost), min(1, old.Gain+f.Gain)
		old.stacks = append(old.stacks, f.stacks...)
		old.Evidence = append(old.Evidence, Evidence{Source: "also", Text: fmt.Sprintf("%s: %s", f.Place, f.Title)})
	}
	return kept
}

// also is a finding as a row of another one.
func (f *Finding) also() string {
	return fmt.Sprintf("%s of %s: %s", units.Share(f.Cost), f.Share(), f.Title)
}

// dominated is the finding that names the cause of at least half of the allocated bytes, or of something that grows
// with every request: the collector's work is then a consequence. It is nil if there is none.
func (v *search) dominated() (by *found) {
	all, most := v.AllBytes(), 0.0
	for _, f := range v.found {
		bytes := 0.0
		for _, i := range f.stacks {
			bytes += v.Stacks[i].Bytes
		}
		if f.Measure == Growing {
			return f
		}
		if by == nil || bytes > most {
			by, most = f, bytes
		}
	}
	if 2*most < all {
		return nil
	}
	return by
}

// underOne makes a lock a row of another finding, where that is the reason why it is held for long: it is about the
// same line, or what can be gained by others is half of what is done under the lock. The row goes to the one that takes
// most of it.
func (v *search) underOne(all []*found) (kept []*found) {
	for _, f := range all {
		reason := v.reasonFor(f, all)
		if reason == nil {
			kept = append(kept, f)
			continue
		}
		reason.Evidence = append(reason.Evidence, Evidence{Source: "also", Text: f.also()})
	}
	return kept
}

// reasonFor is the finding that makes the one of a lock a consequence; nil if there is none.
func (v *search) reasonFor(f *found, all []*found) (largest *found) {
	if f.rule != lockHeld {
		return nil
	}
	held := map[int]bool{}
	for _, i := range f.held {
		held[i] = true
	}
	gained, most := 0.0, 0.0
	for _, o := range all {
		if o.rule == lockHeld {
			continue
		}
		if f.Place.File != "" && o.Place.File == f.Place.File && o.Place.Line == f.Place.Line {
			return o
		}
		if o.Measure != CPU || o.Cost <= 0 {
			continue
		}
		under := 0.0
		for _, i := range o.stacks {
			if held[i] {
				under += v.Stacks[i].Cost
			}
		}
		if gain := under * min(1, o.Gain/o.Cost); gain > 0 {
			gained += gain
			if gain > most {
				largest, most = o, gain
			}
		}
	}
	if gained < v.ShareOf(f.held)/2 {
		return nil
	}
	return largest
}
