package advice

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// waits makes findings of the waits that say names: of the typical request, and of what makes slow ones slow. say is
// the title; empty for a wait that is not the rule's.
func (v *search) waits(r *Rule, say func(facts.Wait) string) []*found {
	return v.waitsAt(r, false, say)
}

// waitsAt is waits; behind puts a finding at the line of the goroutine that is waited for, where that is known. What
// requests wait for at one line is one finding with one sum.
func (v *search) waitsAt(r *Rule, behind bool, say func(facts.Wait) string) []*found {
	var all []*found
	limit := leastWait
	for _, t := range r.Thresholds {
		if t.Name == "latency" {
			limit = t.Value
		}
	}
	seen := map[code.Place]bool{}
	for _, one := range v.waitsByLine(behind, say) {
		w := one.Wait
		if w.Share < limit || w.Slow && w.Share < leastTail {
			continue
		}
		p := w.Place(behind)
		if seen[p] {
			continue
		}
		seen[p] = true
		rows := []Evidence{{Source: "wait", Text: w.Amount(w.Nanos) + ": " + facts.PartText(w.Label())}}
		if v.Numbers.Disturbed {
			rows = append(rows, Evidence{Source: "note",
				Text: "the machine was busy with other programs, which makes waits longer: " +
					"measure again when it is quiet"})
		}
		traced := w.Traced
		text, other := v.Traced(w.Latency)
		if text != "" {
			rows = append(rows, Evidence{Source: "note", Text: text})
		}
		if other {
			traced = 0
		}
		all = append(all, &found{Finding: Finding{
			Title: one.title, Place: p, Via: facts.Short(w.Own.Library), Lines: w.Places(),
			Costs: Costs{Measure: measureOf(w.Latency), Of: w.Requests(), Whole: w.Whole, Longer: w.Longer,
				Cost: w.Share, Gain: w.Share},
			Evidence: rows, Mechanical: !behind,
		}, behind: w.Behind, about: []string{w.Own.Outer}, traced: traced})
	}
	return all
}

// saidWait is the account of what requests wait for at one line, and the title of its finding.
type saidWait struct {
	facts.Wait
	title string
}

// waitsByLine adds up the waits of each line that say names. A wait in the same state at the same line is of the same
// cause, whatever the other goroutine does meanwhile; behind says that the line is that of the other goroutine, and
// then only what say names counts.
func (v *search) waitsByLine(behind bool, say func(facts.Wait) string) []*saidWait {
	type key struct {
		facts.Latency
		code.Place
		state walltime.State
	}
	keyOf := func(w facts.Wait) key {
		k := key{Latency: w.Latency, Place: w.Place(behind)}
		if !behind {
			k.state = w.Own.State
		}
		return k
	}
	of := map[key]*saidWait{}
	var all []*saidWait
	waits := v.EachWait()
	for _, w := range waits {
		if k := keyOf(w); k.Function != "" && of[k] == nil {
			if title := say(w); title != "" {
				of[k] = &saidWait{Wait: w, title: title}
				of[k].Share, of[k].Nanos = 0, 0
				all = append(all, of[k])
			}
		}
	}
	for _, w := range waits {
		if one := of[keyOf(w)]; one != nil && (!behind || say(w) != "") {
			one.Share, one.Nanos = min(1, one.Share+w.Share), one.Nanos+w.Nanos
		}
	}
	return all
}

// leastWait is the part of a latency from which on a wait is a finding. The parts of a typical request come from a few
// hundred requests; under a tenth they move by more than that from run to run.
const leastWait = 0.10

// leastTail is the same of the slow requests: those of a trace are some twenty.
const leastTail = 0.20

// ofTheirTime is the share of the requests that wait: of slow ones, what they wait longer than typical ones.
func ofTheirTime(w facts.Wait) string {
	if w.Slow {
		return units.Share(w.Share) + " of their time more than typical ones"
	}
	return units.Share(w.Share) + " of their time"
}

// addWaits adds to a finding of CPU time what typical requests wait for in the functions that it leads to. It speaks of
// latency if that is more.
func (v *search) addWaits(f *found) {
	shares, most := map[facts.Latency]float64{}, facts.Latency{}
	for _, w := range v.EachWait() {
		if !w.Slow && (w.Own.State == walltime.Network || w.Own.State == walltime.Channel) &&
			v.leadsTo(f, w.Own.Function) {
			shares[w.Latency] += w.Share
			if shares[w.Latency] > shares[most] {
				most = w.Latency
			}
		}
	}
	share := shares[most]
	if share < leastWait || share <= f.Gain {
		return
	}
	f.Evidence = append(f.Evidence, Evidence{
		Source: "wait", Text: fmt.Sprintf("%s of %s, in which it waits for the answers", units.Share(share), most.Text()),
	})
	f.Measure, f.Of, f.Whole, f.Cost, f.Gain = Latency, most.Requests(), most.Whole, share, share
}

// leadsTo says whether a function of the user's is on the stacks that a finding explains.
func (v *search) leadsTo(f *found, function string) bool {
	return function != "" && slices.ContainsFunc(f.stacks, func(i int) bool {
		return v.Stacks[i].Find(func(one *facts.Frame) bool { return one.Function == function }) >= 0
	})
}

// measureOf is the measure that a latency is.
func measureOf(l facts.Latency) Measure {
	if l.Slow {
		return Tail
	}
	return Latency
}
