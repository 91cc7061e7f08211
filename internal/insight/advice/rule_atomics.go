package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
)

var atomicPerItem = &Rule{
	Name: "atomic-per-item", Title: "an atomic word that each item adds to",
	Looks: "the own time of lines that add to a word of sync/atomic for each element of a loop over data, and do not " +
		"use the new value; with that of the line after them, to which a profile puts what the add takes",
	Thresholds: []Threshold{{Name: "cost", Value: 0.05,
		Reason: "of the CPU time; some counters are there to be seen while the loop runs"}},
	Remedy: Remedy{
		Change: "Count in a variable of the goroutine, and add it to the shared word once, after the loop. An atomic add " +
			"takes ten times as long as a plain one, and several times longer where other processors add to the same cache " +
			"line: neighbouring fields share one.",
		Before: "for _, x := range xs { use(x); stats.items.Add(1) }",
		After:  "n := 0\nfor _, x := range xs { use(x); n++ }\nstats.items.Add(int64(n))",
	},
	Find: func(v *search, r *Rule) []*found {
		lines := v.atomicAdds()
		var sum facts.Account
		for _, u := range v.Accounts(func(s *facts.Stack) int {
			if own := s.Own(0); own < len(s.Frames) && v.addOf(s, lines) != nil {
				return own
			}
			return -1
		}) {
			sum.Plus(u)
		}
		if v.Seen(&sum) < r.threshold("cost") || v.byChance(sum.Cost, r.threshold("cost")) {
			return nil
		}
		costs, words := map[code.Place]float64{}, map[string]bool{}
		for _, i := range sum.Stacks {
			add := v.addOf(&v.Stacks[i], lines)
			costs[add.place] += v.Stacks[i].Cost
			words[add.Text] = true
		}
		for p, cost := range costs {
			if sum.Place.Line == 0 || cost > costs[sum.Place] ||
				cost == costs[sum.Place] && code.ComparePlaces(p, sum.Place) < 0 {
				sum.Place = p
			}
		}
		title := lines[lineKey(sum.Place)].Text
		switch more := len(words) - 1; {
		case more == 1:
			title += " and one word more are"
		case more > 1:
			title += fmt.Sprintf(" and %d words more are", more)
		default:
			title += " is"
		}
		return []*found{v.finding(&sum, title+" added to atomically for each element of a loop")}
	},
}

// atomicLine is a line of the user's whose time is that of an atomic add, which place has: the clock of a profile
// interrupts the processor after an add, where the next line begins.
type atomicLine struct {
	*code.AtomicAdd
	place code.Place
}

func lineKey(p code.Place) facts.LineKey { return facts.LineKey{Function: p.Function, Line: p.Line} }

// atomicAdds are the lines that add for each element of a loop, and those after them.
func (v *search) atomicAdds() map[facts.LineKey]*atomicLine {
	lines, after := map[facts.LineKey]*atomicLine{}, map[facts.LineKey]*atomicLine{}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		if add := v.AddsForEach(s); add != nil {
			p := s.Frames[s.Own(0)].Place()
			lines[lineKey(p)] = &atomicLine{add, p}
			if next := v.AfterLine(s); next.Line > 0 {
				after[next] = lines[lineKey(p)]
			}
		}
	}
	for k, one := range after {
		if lines[k] == nil {
			lines[k] = one
		}
	}
	return lines
}

// addOf is the add that a stack spends its time on; nil if it is none.
func (v *search) addOf(s *facts.Stack, lines map[facts.LineKey]*atomicLine) *atomicLine {
	own := s.Own(0)
	if s.CPU == 0 || own == len(s.Frames) {
		return nil
	}
	one := lines[lineKey(s.Frames[own].Place())]
	if one == nil || own > 0 && v.AddsForEach(s) == nil {
		return nil
	}
	return one
}
