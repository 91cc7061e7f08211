package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
)

// What is one cause is one finding with one sum.

// withDue adds to findings of what is made for each call what falls due at its first use: a template is escaped when it
// is executed first, and a reader of CSV makes its buffers when it reads first. One that is made once pays for that
// once, and no profile under load sees it. The cost goes to the finding in the same function, or in one
// that this calls.
func (v *search) withDue(all []*found, due func(*facts.Stack) int) []*found {
	counted := map[int]bool{}
	for _, f := range all {
		for _, i := range f.stacks {
			counted[i] = true
		}
	}
	for _, u := range v.Accounts(due) {
		var at *found
		for _, f := range all {
			if v.leadsTo(f, u.Place.Function) {
				at = f
				break
			}
		}
		if at == nil {
			continue
		}
		share := 0.0
		for _, i := range u.Stacks {
			if !counted[i] && v.claimed[i] == nil {
				at.stacks = append(at.stacks, i)
				share += v.Stacks[i].Cost
			}
		}
		if share < leastPart {
			continue
		}
		at.Cost, at.Gain = at.Cost+share, at.Gain+share
		at.Evidence = append(at.Evidence, Evidence{Source: "also",
			Text: fmt.Sprintf("%s: %s of the CPU time falls due at its first use, in %s", u.Place, units.Share(share),
				facts.Short(u.What))})
	}
	return all
}

// allocates says whether a rule is of a way to allocate.
func (r *Rule) allocates() bool {
	switch r.Name {
	case "boxing", "object-per-call", "append-growth", "buffer-per-call", "map-growth", "string-conversion":
		return true
	}
	return false
}

// onOneLine makes what a line allocates a part of the finding that names why the line is not needed as it is: the
// closure of a goroutine for each element goes with the goroutine. Where what the line calls is the same, the smaller
// finding is a part of the larger one: io.ReadAll reads a file, and its buffer grows.
func onOneLine(all []*found) (kept []*found) {
	for _, f := range all {
		var why *found
		for _, o := range all {
			same := f.Measure == CPU && o.Measure == CPU && f.Place.Function != "" && o.Place == f.Place
			one := f.rule.allocates() && !o.rule.allocates() ||
				o.rule.allocates() && !f.rule.allocates() && f.Via != "" && o.Via == f.Via && o.Cost > f.Cost
			if same && one && o.Cost >= f.Cost {
				why = o
				break
			}
		}
		if why == nil {
			kept = append(kept, f)
			continue
		}
		why.Cost, why.Gain = min(1, why.Cost+f.Cost), min(1, why.Gain+f.Gain)
		why.stacks = append(why.stacks, f.stacks...)
		why.Evidence = append(why.Evidence, Evidence{Source: "also", Text: f.also()})
	}
	return kept
}
